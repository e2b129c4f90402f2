import ChemopenModel

/// The alternative groups of a document, which define the possible members at an R-group site.
struct DrawnAlternatives {
    struct Group {
        let object: Int
        let number: Int
    }

    private let drawing: Drawing
    private(set) var groups: [Group] = []
    /// The numbers of the groups, by ID.
    private(set) var numbers: [UInt32: Int] = [:]

    /// Numbers the groups in a drawing. A group with a name such as `R1` has that number; the others have unused
    /// numbers.
    init(in drawing: Drawing) {
        self.drawing = drawing
        guard drawing.has(.alternativeGroup) else { return }
        let objects = drawing.others.filter { drawing.kind(of: $0) == .alternativeGroup }
        var taken: Set<Int> = []
        var named: [Int: Int] = [:]
        for object in objects {
            for text in drawing.children(of: object, .text) {
                let name = Text(bytes: drawing.text(of: text).bytes.filter { $0 > 0x20 })
                guard let number = name.numberOfSite, !taken.contains(number) else { continue }
                named[object] = number
                taken.insert(number)
                break
            }
        }
        var free = 1
        for object in objects {
            while taken.contains(free) { free += 1 }
            let number = named[object] ?? free
            taken.insert(number)
            groups.append(Group(object: object, number: number))
            let id = drawing.objects[object].id
            if id != 0, numbers[id] == nil { numbers[id] = number }
        }
    }

    /// The groups and their members.
    struct Definitions {
        fileprivate var groups: [Int32: RGroup] = [:]

        /// Returns an R-group with the members of a numbered group.
        func group(_ number: Int, as group: RGroup) -> RGroup {
            var group = group
            group.members = groups[Int32(clamping: number)]?.members ?? []
            return group
        }

        /// Returns the groups to which a molecule's atoms refer, directly or through members of other groups.
        func groups(neededBy molecule: Molecule) -> [RGroup] {
            var found: [RGroup] = []
            var seen: Set<Int32> = []
            var waiting = Self.names(in: molecule)
            while let number = waiting.popLast() {
                guard seen.insert(number).inserted, let group = groups[number] else { continue }
                found.append(group)
                for member in group.members { waiting += Self.names(in: member) }
            }
            return found.sorted { $0.number < $1.number }
        }

        private static func names(in molecule: Molecule) -> [Int32] {
            if molecule.extras.isEmpty { return [] }
            return molecule.extras.contents.atomNotes.flatMap { note -> [Int32] in
                if case .rgroups(let numbers) = note.note { numbers } else { [] }
            }
        }
    }

    func definitions(_ reader: inout FragmentReader) -> Definitions {
        var definitions = Definitions()
        for group in groups {
            var rgroup = RGroup(group.number)
            for object in fragments(of: group.object) {
                var piece = DrawnPiece()
                reader.read(object, within: .init(position: Position(), depth: 0), into: &piece)
                if piece.draft.atoms.isEmpty { continue }
                var molecule = member(piece)
                _ = drawing.ownStatement(in: object)?.put(into: &molecule)
                rgroup.members.append(molecule)
            }
            definitions.groups[Int32(clamping: group.number)] = rgroup
        }
        return definitions
    }

    /// Returns the fragments in a group, including those in nested groups.
    private func fragments(of group: Int) -> [Int] {
        drawing.objects(within: group).filter { object in
            guard drawing.kind(of: object) == .fragment, !drawing.objects[object].isInNode else { return false }
            var parent = drawing.objects[object].parent
            while parent > group, drawing.kind(of: parent) == .group { parent = drawing.objects[parent].parent }
            return parent == group
        }
    }

    /// Returns the molecule of a piece, with its connection points as attachment points of the atoms next to them.
    private func member(_ piece: DrawnPiece) -> Molecule {
        var draft = piece.draft
        var points: [Int: (first: Bool, second: Bool)] = [:]
        for (number, point) in piece.points.prefix(2).enumerated() {
            guard let atom = point.atoms.first else { continue }
            let known = points[atom] ?? (false, false)
            points[atom] = number == 0 ? (true, known.second) : (known.first, true)
        }
        for atom in points.keys.sorted() {
            guard let (first, second) = points[atom] else { continue }
            draft.note(.attachmentPoint(first: first, second: second), onAtom: atom)
        }
        return piece.shown.forget(in: draft.molecule())
    }
}
