import ChemopenFormats
import ChemopenModel
import Testing

/// Sgroups, abbreviations and R-groups must be stable after the first write.
@Suite("Stable output: groups")
struct SecondGroupsTests {
    @Test("a group never gets a number that a preserved field of a damaged group uses")
    func numbersOfDamagedGroups() throws {
        let whole = #"yMDL_SGROUP_GEN:2\002Cb"#
        let damaged = ["a", "x"].map { #"yMDL_SGROUP_GEN:1\002C\#($0)"# }
        let atoms = damaged.map { "C=0.0000,0.0000;0,0,i4,\($0),\(whole)\n" }
        let text = "SketchEl!(2,0)\n" + atoms.joined() + "!End\n"
        #expect(try settled(text, as: .sketchEl).text == text)
    }

    @Test("a group next to a preserved field of a damaged group is not contracted")
    func damagedGroupsWithin() throws {
        let group = #"yMDL_SGROUP_MULTIATTACH:1\002CMe"#
        let text = """
            SketchEl!(4,3)
            C=0.0000,0.0000;0,0,i0,\(group)
            C=1.0000,0.0000;0,0,i0,yMDL_SGROUP_H:2,\(group)
            C=2.0000,0.0000;0,0,i0
            C=3.0000,0.0000;0,0,i0,yMDL_SGROUP_U:2\\002C
            1-2=1,0
            2-3=1,0
            3-4=1,0
            !End

            """
        _ = try settled(text, as: .sketchEl)
    }

    @Test("a repeating unit never gets a number that a preserved field of a damaged group uses")
    func numbersOfDamagedBlocks() throws {
        let text = """
            SketchEl!(3,2)
            C=0,0;0,0,i3,xPOLYMER:1:1,xPOLYMER:2:0
            C=1,0;0,0,i2,xPOLYMER:1:4,xPOLYMER:2:0
            C=2,0;0,0,i3,xPOLYMER:2:0
            1-2=1,0
            2-3=1,0
            !End

            """
        let written = try settled(text, as: .sketchEl).text
        #expect(written.contains("xPOLYMER:1:1,xPOLYMER:2:0"))
    }

    @Test("a group with a code that is not UTF-8 is detected the same way when it is escaped")
    func codesOfGroups() throws {
        let text = Array("SketchEl!(1,0)\nC=0,0;0,0,i4,yMDL_SGROUP_A".utf8) + [0xAC] + Array("B:7\\002C\n!End\n".utf8)
        let records = try readAll(text, as: .sketchEl).compactMap { $0.reading?.record }
        let first = try write(records, as: .sketchEl).bytes
        let second = try write(readAll(first, as: .sketchEl).compactMap { $0.reading?.record }, as: .sketchEl).bytes
        #expect(records.count == 1 && first == second)
    }

    @Test("an Sgroup of unknown kind is preserved after the abbreviation of its atoms")
    func unknownKinds() throws {
        let groups = ["1 SUP 0 ATOMS=(1 1) XBONDS=(1 1) LABEL=Me CLASS=AA", "2 DAT30 0 ATOMS=(1 1) FIELDNAME=a"]
        let file = V3000.chain(["BEGIN SGROUP"] + groups + ["END SGROUP"])
            .replacing("COUNTS 3 2 0", with: "COUNTS 3 2 2")
        let first = try write(read(file).record.molecule ?? Molecule(), as: .sketchEl)
        #expect(try rewrite(first.text, as: .sketchEl).text == first.text)
    }

    @Test("the hydrogens of an abbreviation follow the element in its label, from any source format")
    func abbreviationsCalledLikeElements() throws {
        let group = ["1 SUP 0 ATOMS=(1 1) XBONDS=(1 1) LABEL=O"]
        let file = V3000.chain(["BEGIN SGROUP"] + group + ["END SGROUP"]).replacing(
            "COUNTS 3 2 0", with: "COUNTS 3 2 1")
        let first = try write(read(file).record.molecule ?? Molecule(), as: .sketchEl)
        #expect(first.text.contains(",i1,aSketchEl!(2\\002C1)"))
        #expect(try rewrite(first.text, as: .sketchEl).text == first.text)
    }

    @Test("an abbreviation of one atom is preserved if it contains more than a name")
    func abbreviationsThatAreNoNames() throws {
        let group = #"yMDL_SGROUP_MULTIATTACH:1\002CH\002CtemplateClass\003DLGRP"#
        let text = "SketchEl!(1,0)\nH=0.0000,0.0000;0,0,i0,aX,\(group)\n!End\n"
        #expect(try settled(text, as: .sketchEl).text == text)
        // V2000 cannot represent the keyword, so only the name is read back.
        let named = V3000.table(["1 Kq 0 0 0 0"], ["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=Kq X=1", "END SGROUP"])
        try expectSettled("a name that says more than V2000 can", named, .molfile, .molfile)
    }

    @Test("a group of a drawing is contracted despite unknown content in the drawing")
    func contractedGroups() throws {
        let file = """
            <CDXML BondLength="30"><page><fragment><n id="1" p="0 0"/>\
            <n id="2" p="30 0" NodeType="GenericNickname" GenericNickname="Ar"><t><s>Ar</s></t></n>\
            <b id="3" unknown="x" B="1" E="2"/></fragment></page></CDXML>
            """
        let first = try write(read(file, as: .cdxml).record.molecule ?? Molecule(), as: .sketchEl)
        #expect(first.text.contains("\nAr="))
        #expect(try rewrite(first.text, as: .sketchEl).text == first.text)
    }

    @Test("the logic of an R-group with a number that exceeds the V2000 columns is reported as lost")
    func largeRGroups() throws {
        var molecule = try read(V2000.headOfOne + V2000.carbon + "M  END\n").record.molecule ?? Molecule()
        var group = RGroup(65_535)
        group.logic = RGroup.Logic()
        group.logic?.occurrence = ">0"
        molecule.extras.contents.rgroups = [group]
        let written = try write(molecule, as: .molfile, .version(.v2000))
        #expect(!written.text.contains("M  LOG"))
        #expect(written.losses.map(\.feature) == [.rgroupLogic])
    }

    @Test("content after the table of an R-group member is omitted and reported")
    func groupsOfMembers() throws {
        var member = try read(V2000.headOfOne + V2000.carbon + "M  END\n").molecule
        var inner = RGroup(0)
        inner.logic = RGroup.Logic()
        inner.members = [member]
        member.extras.contents.rgroups = [inner]
        var molecule = try read(V2000.headOfOne + V2000.carbon + "M  END\n").molecule
        var group = RGroup(1)
        group.members = [member]
        molecule.extras.contents.rgroups = [group]
        for version in [WriteOptions.Version.asNeeded, .v2000, .v3000] {
            let written = try write(molecule, as: .molfile, .version(version))
            #expect(Set(written.losses.map(\.feature)) == [.rgroups, .rgroupLogic])
            #expect(try settled(written.text, version).text == written.text)
        }
    }
}
