import ChemopenBytes
import ChemopenModel

/// A statement for data that ChemDraw's own objects and properties cannot express: an annotation with Chemopen's
/// keyword, whose content is the rest in the form of JSON Lines. ChemDraw preserves it together with the object that
/// contains it.
///
///     {"atom":{"map":1,"notes":[{"alias":"Boc"}]}}
struct OwnStatement: Sendable {
    static let keyword: Text = "Chemopen"
    /// The program that is specified as the creator of Chemopen's drawings.
    static let program: Text = "Chemopen"

    /// The remaining data of the atom of a node.
    var atom = SaidAtom()
    /// The remaining data of a bond.
    var bond = SaidBond()
    var hasZeroOrder = false
    /// The remaining data of the molecule of a fragment, or the heading of the reaction of an arrow.
    var rest = Molecule()
    /// The numbers of atoms and bonds of the fragment: if they have changed since, indices in the remaining data are
    /// invalid.
    var size: [Int] = []
    /// The displacement of the molecule on its page in ten-thousandths of an Ångström, and the factor, also in
    /// ten-thousandths, by which it was stretched before.
    var moved: [Double] = []
    /// The record has no structure, or one without atoms.
    var hasNoStructure = false
    var hasNoAtoms = false
    var componentName = Text()
    var stoichiometry = Text()
    var rgroups: [OwnRGroup] = []
    var isReaction = false
    /// The text is the name of the fragment with this ID, or of the reaction if the ID is 0.
    var fragment: Int?
    /// A data field with a name or value that an annotation would not preserve.
    var field: Sgroup.Keyword?
    /// The bracket belongs to an Sgroup in the remaining data of a fragment.
    var isBracket = false

    private static let form = JSONForm<OwnStatement>([
        part("atom", \.atom, SaidAtom.form),
        part("bond", \.bond, SaidBond.form.except(["from", "to", "order", "mark"])),
        JSONTerm("zero_order", \.hasZeroOrder),
        part("rest", \.rest, MoleculeForm.rest),
        JSONTerm("size", \.size),
        JSONTerm("moved", \.moved),
        JSONTerm("no_structure", \.hasNoStructure),
        JSONTerm("no_atoms", \.hasNoAtoms),
        JSONTerm("component", \.componentName),
        JSONTerm("stoichiometry", \.stoichiometry),
        JSONTerm("rgroups", \.rgroups),
        JSONTerm("reaction", \.isReaction),
        JSONTerm("fragment", \.fragment),
        JSONTerm("field", \.field),
        JSONTerm("bracket", \.isBracket),
    ])

    private static func part<Part>(
        _ key: StaticString, _ path: WritableKeyPath<OwnStatement, Part> & Sendable, _ form: JSONForm<Part>
    ) -> JSONTerm<OwnStatement> {
        JSONTerm(key, .object("\(key)")) { statement, json in
            let part = statement[keyPath: path]
            guard Remainder.text(of: part, form) != nil else { return }
            json.key(key)
            form.write(part, to: &json)
        } read: { json, statement throws(Fault) in
            try form.read(&json, into: &statement[keyPath: path])
        }
    }

    /// The content of the annotation; nil if it would be empty.
    var text: Text? { Remainder.text(of: self, Self.form) }

    /// Adds the content of an annotation; returns false if Chemopen did not write the annotation.
    mutating func take(_ text: Text) -> Bool { Remainder.take(text, into: &self, Self.form) }
}

/// An R-group without its members, which are drawn in an alternative group.
struct OwnRGroup: JSONObject {
    static let schemaName = "own_rgroup"
    static let blank = OwnRGroup()
    static let form = JSONForm<OwnRGroup>([
        JSONTerm("number", \.group.number), JSONTerm("logic", \.group.logic), JSONTerm("alternatives", \.alternatives),
    ])

    var group = RGroup(0)
    /// The ID of the alternative group.
    var alternatives = 0
}

// MARK: - The limits of properties

extension OwnStatement {
    /// Readers warn about larger charges.
    static func hasProperty(charge: Int16) -> Bool { -15...15 ~= charge }

    static func hasProperty(isotope: UInt16) -> Bool { 1...400 ~= isotope }

    static func hasProperty(hydrogens: Int) -> Bool { 0...20 ~= hydrogens }

    /// Returns the properties of an atom that its node cannot express.
    ///
    /// - Parameter isElement: Whether the node has properties for isotope, radical and hydrogens.
    static func rest(of atom: Atom, isElement: Bool) -> Atom {
        var rest = Atom(.none)
        rest.marks = atom.marks.subtracting([.inverts, .retains, .exactChange, .hasNotes])
        rest.mapNumber = atom.mapNumber
        if !hasProperty(charge: atom.charge) { rest.charge = atom.charge }
        if !isElement || !hasProperty(isotope: atom.isotope) { rest.isotope = atom.isotope }
        if !isElement || atom.radical.mdlCode > 3 { rest.radical = atom.radical }
        if let count = atom.hydrogens.fixed, !isElement || !hasProperty(hydrogens: count) {
            rest.hydrogens = atom.hydrogens
        }
        return rest
    }

    /// Whether the properties of its node express all data of an atom, as in nearly all cases.
    static func isPlain(_ atom: Atom) -> Bool {
        atom.marks.isEmpty && atom.mapNumber == 0 && hasProperty(charge: atom.charge) && atom.isotope == 0
            && atom.radical == .none && atom.hydrogens.fixed == nil && atom.label == Atom.noLabel
    }
}

// MARK: - Reading

extension OwnStatement {
    /// Reads the remaining data of an atom into an atom that was read from its node.
    func put(into atom: inout Atom) {
        let said = self.atom.atom
        atom.marks.formUnion(said.marks)
        if said.mapNumber != 0 { atom.mapNumber = said.mapNumber }
        if said.charge != 0 { atom.charge = said.charge }
        if said.isotope != 0 { atom.isotope = said.isotope }
        if said.radical != .none { atom.radical = said.radical }
        if said.hydrogens.fixed != nil { atom.hydrogens = said.hydrogens }
    }

    /// Reads the remaining data of a molecule. Returns false if the numbers of atoms and bonds differ from those of the
    /// molecule; then only the heading is read.
    func put(into molecule: inout Molecule) -> Bool {
        if !rest.name.isEmpty { molecule.name = rest.name }
        if !rest.origin.isEmpty { molecule.origin = rest.origin }
        if !rest.comment.isEmpty { molecule.comment = rest.comment }
        if size.isEmpty { return true }
        guard size == [molecule.atoms.count, molecule.bonds.count] else { return false }
        var said = rest
        (said.atoms, said.bonds) = (molecule.atoms, molecule.bonds)
        if LooseEnds.are(in: said) { return false }
        let old = molecule.extras.contents
        var contents = old
        let new = said.extras.contents
        contents.sgroups = new.sgroups + old.sgroups
        // Absolute centers come first, as in most files.
        contents.stereoGroups =
            new.stereoGroups.filter { $0.kind == .absolute } + old.stereoGroups
            + new.stereoGroups.filter { $0.kind != .absolute }
        contents.collections += new.collections
        contents.linkNodes += new.linkNodes
        contents.rgroups += new.rgroups
        contents.templates += new.templates
        contents.verbatim = new.verbatim + old.verbatim
        contents.tableName = new.tableName
        contents.keywords += new.keywords
        molecule.extras.contents = contents
        return true
    }
}

extension Drawing {
    /// Whether an object has a statement by Chemopen.
    func hasOwnStatement(in object: Int) -> Bool {
        has(.annotation)
            && children(of: object).contains {
                kind(of: $0) == .annotation && text(.keyword, of: $0) == OwnStatement.keyword
            }
    }

    /// Returns the combined statements by Chemopen in an object; nil if there are none.
    func ownStatement(in object: Int) -> OwnStatement? {
        if !has(.annotation) { return nil }
        var statement: OwnStatement?
        for child in children(of: object)
        where kind(of: child) == .annotation && text(.keyword, of: child) == OwnStatement.keyword {
            var more = statement ?? OwnStatement()
            _ = more.take(text(.content, of: child) ?? "")
            statement = more
        }
        return statement
    }
}
