import ChemopenBytes
import ChemopenModel

/// Reads collections and link nodes, which refer to atoms, bonds and Sgroups by number.
struct V3000CollectionReader: ~Copyable {
    private(set) var ledger: IssueCollector
    private let index: V3000Index

    init(_ index: V3000Index, _ ledger: consuming IssueCollector) {
        self.index = index
        self.ledger = ledger
    }

    /// Reads `[DEFAULT]`, alone or before a name, then `name [ATOMS=(…)] [BONDS=(…)] [SGROUPS=(…)] …`.
    mutating func read(_ lines: [V3000Line], into draft: inout MoleculeBuilder) {
        var isDefault = false
        var stereo: [StereoGroup] = []
        var others: [AtomCollection] = []
        var absolute: Int?
        for line in lines {
            let text = line.text.span
            var words = V3000Words()
            guard var word = words.next(in: text) else { continue }
            if line.keyword == .defaults {
                isDefault = true
                let behind = words.position
                guard let name = words.next(in: text), name.key.isEmpty else {
                    if text.isBlank(behind..<text.count) { continue }
                    words.position = behind
                    others.append(collection("DEFAULT", words, line))
                    isDefault = false
                    continue
                }
                word = name
            }
            if !word.key.isEmpty {
                ledger.doubt(line, "the collection has no name; read without one")
                words.position = 0
            }
            var members = collection(word.key.isEmpty ? word.text(in: text) : Text(), words, line)
            members.isDefault = isDefault
            isDefault = false
            guard let group = stereoGroup(members) else {
                others.append(members)
                continue
            }
            if group.kind == .absolute, let absolute {
                // All absolute stereocenters form a single group.
                stereo[absolute].atoms += group.atoms
                stereo[absolute].bonds += group.bonds
            } else {
                if group.kind == .absolute { absolute = stereo.count }
                stereo.append(group)
            }
        }
        if isDefault { others.append(AtomCollection("DEFAULT")) }
        draft.rare.stereoGroups = stereo
        draft.rare.collections = others
    }

    private mutating func collection(
        _ name: Text, _ start: V3000Words, _ line: V3000Line
    ) -> AtomCollection {
        var collection = AtomCollection(name)
        var words = start
        let text = line.text.span
        while let word = words.next(in: text) {
            if let term = CollectionTerm.term(ofKey: V3000Keyword(word.key, of: text)) {
                var members: [Int32] = []
                index.members(word, line, term.members, onto: &members, &ledger)
                term.add(&collection, members)
            } else {
                let name = Text(bytes: text.bytes(word.key))
                collection.keywords.append(.init(name, Text(bytes: text.bytes(word.raw))))
            }
        }
        return collection
    }

    /// Returns the stereo group that a collection represents, as indicated by its name.
    private func stereoGroup(_ collection: AtomCollection) -> StereoGroup? {
        let name = collection.name.bytes
        guard collection.sgroups.isEmpty, collection.keywords.isEmpty, !collection.isDefault else { return nil }
        for (kind, word) in StereoGroup.collections {
            let length = word.utf8CodeUnitCount
            guard name.count >= length, name.span.range(0..<length, spells: word.description) else { continue }
            let digits = length..<name.count
            if kind == .absolute {
                return digits.isEmpty
                    ? StereoGroup(.absolute, atoms: collection.atoms, bonds: collection.bonds) : nil
            }
            return groupNumber(digits, name.span).map {
                StereoGroup(kind, number: $0, atoms: collection.atoms, bonds: collection.bonds)
            }
        }
        return nil
    }

    private func groupNumber(_ digits: Range<Int>, _ name: Span<UInt8>) -> Int? {
        guard digits.count <= 9, let number = name.integer(digits), number >= 0 else { return nil }
        for index in digits where !Ascii.isDigit(name[index]) { return nil }
        return number
    }

    /// Reads the links. A link that cannot be read keeps its position among the other preserved lines.
    mutating func readLinks(_ lines: [(line: V3000Line, keptBefore: Int)], into draft: inout MoleculeBuilder) {
        var kept = 0
        for (line, keptBefore) in lines where !readLink(line, into: &draft) {
            ledger.doubt(line, "the line does not define a link at a single atom; preserved verbatim")
            let verbatim = Verbatim(.v3000, Text(bytes: line.text))
            draft.rare.verbatim.insert(verbatim, at: min(keptBefore + kept, draft.rare.verbatim.count))
            kept += 1
        }
    }

    /// Reads `LINKNODE minrep maxrep nbonds inatom outatom [inatom outatom …]`. The link is the atom common to all
    /// bonds.
    private func readLink(_ line: V3000Line, into draft: inout MoleculeBuilder) -> Bool {
        let text = line.text.span
        var words = V3000Words()
        _ = words.next(in: text)
        var numbers: [Int] = []
        while let word = words.next(in: text), let number = text.integer(word.raw) { numbers.append(number) }
        let ends = numbers.dropFirst(3).map { index.atoms.place(of: $0) }
        let atoms = ends.compactMap { $0 }
        guard text.isBlank(words.position..<text.count), numbers.count >= 5, atoms.count == ends.count,
            ends.count / 2 == numbers[2], ends.count % 2 == 0, let link = linkAtom(atoms)
        else { return false }
        var neighbors: [Int32] = []
        for pair in 0..<atoms.count / 2 {
            let other = atoms[2 * pair] == link ? atoms[2 * pair + 1] : atoms[2 * pair]
            neighbors.append(Int32(clamping: other))
        }
        let node = LinkNode(atom: link, repeats: numbers[0], to: numbers[1], neighbors: neighbors)
        draft.rare.linkNodes.append(node)
        return true
    }

    /// Returns the atom that is in every pair. If there is only one pair, the link is its first atom.
    private func linkAtom(_ atoms: [Int]) -> Int? {
        for candidate in atoms.prefix(2) {
            var isInAll = true
            for pair in 0..<atoms.count / 2 where atoms[2 * pair] != candidate && atoms[2 * pair + 1] != candidate {
                isInAll = false
            }
            if isInAll { return candidate }
        }
        return nil
    }
}
