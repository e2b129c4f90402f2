import ChemopenBytes
import ChemopenModel

/// The numbers that a file gives its atoms or bonds. Any will do; 1, 2, 3… cost nothing.
struct V3000Numbers {
    private(set) var count = 0
    /// Each number's place; empty as long as they count 1, 2, 3…
    private var places: [Int32: Int32] = [:]
    /// The numbers in the order of the file, 0 where there is no good one; empty likewise.
    private(set) var list: [Int32] = []

    var isInOrder: Bool { list.isEmpty }

    /// Takes the number that comes next in order.
    mutating func addNext(_ more: Int = 1) {
        count &+= more
    }

    /// Takes a number; `false` where it is none, or is taken already.
    mutating func add(_ number: Int?) -> Bool {
        if isInOrder {
            if number == count + 1 {
                count += 1
                return true
            }
            list = (0..<Int32(clamping: count)).map { $0 + 1 }
            for number in list { places[number] = number - 1 }
            list.reserveCapacity(count + 1)
        }
        let place = Int32(clamping: count)
        count += 1
        guard let number, let number = Int32(exactly: number), number > 0, places[number] == nil else {
            list.append(0)
            return false
        }
        places[number] = place
        list.append(number)
        return true
    }

    /// The place of a number, from 0.
    @inline(__always)
    func place(of number: Int) -> Int? {
        if list.isEmpty { return number > 0 && number <= count ? number &- 1 : nil }
        return Int32(exactly: number).flatMap { places[$0] }.map { Int($0) }
    }

    /// The numbers, new ones in place of those that were no good; empty where they count 1, 2, 3…
    func completed() -> [Int32] {
        var free: Int32 = 1
        return list.map { number in
            if number != 0 { return number }
            while places[free] != nil { free &+= 1 }
            free &+= 1
            return free &- 1
        }
    }
}

/// The numbers that a file gives its Sgroups. Here too, 1, 2, 3… cost nothing.
struct V3000SgroupNumbers {
    /// How many count 1, 2, 3…
    private var countInOrder = 0
    /// Each number's place; empty as long as they count 1, 2, 3…
    private var places: [Int: Int] = [:]

    /// Takes the number of an Sgroup; `false` where it is none, or is taken already.
    mutating func add(_ number: Int?, at place: Int) -> Bool {
        guard let number, number > 0 else {
            leaveOrder()
            return false
        }
        if places.isEmpty, number == place + 1, place == countInOrder {
            countInOrder += 1
            return true
        }
        leaveOrder()
        if places[number] != nil { return false }
        places[number] = place
        return true
    }

    private mutating func leaveOrder() {
        if !places.isEmpty { return }
        for place in 0..<countInOrder { places[place + 1] = place }
    }

    func place(of number: Int) -> Int? {
        if places.isEmpty { return number > 0 && number <= countInOrder ? number &- 1 : nil }
        return places[number]
    }
}

/// What is known of a V3000 table while it is read.
struct V3000Table {
    enum Block: UInt8 {
        case none, atoms, bonds, sgroups, collections

        /// The block of a table that a name begins; `nil` for all others.
        init?(_ name: V3000Keyword) {
            switch name {
            case .atom: self = .atoms
            case .bond: self = .bonds
            case .sgroup: self = .sgroups
            case .collection: self = .collections
            default: return nil
            }
        }
    }

    struct Blocks: OptionSet {
        var rawValue: UInt8

        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        init(_ block: Block) {
            rawValue = 1 << block.rawValue
        }
    }

    /// What COUNTS says; `nil` for what it does not say.
    struct Announced {
        var atoms: Int?
        var bonds: Int?
        var sgroups: Int?
    }

    /// The block that is open.
    var block = Block.none
    /// Those that have begun already.
    var begun: Blocks = []
    var announced: Announced?

    var atoms = V3000Numbers()
    var atomNotes: [Tagged<AtomNote>] = []
    /// The places of notes whose atoms may be named before they are there, and whom they name.
    var attachmentOrders: [(note: Int, items: [(number: Int, point: Text)], line: V3000Line)] = []
    var labelPlaces: [Text: Int32] = [:]

    var bonds = V3000Numbers()
    var bondNotes: [Tagged<BondNote>] = []
    var firstBondLine = 0
    /// The bonds that were left out, by their place in the file.
    var droppedBonds: [Int] = []
    /// Where each bond of the file now is, -1 for those left out; empty where all are in their places.
    var bondNumbering: [Int32] = []

    // What names atoms, bonds and Sgroups waits until all of them are there.
    var sgroupLines: [V3000Line] = []
    /// With how many lines were kept before each.
    var linkLines: [(line: V3000Line, keptBefore: Int)] = []
    var collectionLines: [V3000Line] = []
    var sgroups = V3000SgroupNumbers()
    /// How many Sgroups the file holds, those included that were turned into something else.
    var sgroupCount = 0

    /// What a list may name by number.
    enum Member {
        case atoms, bonds, sgroups
    }

    @inline(__always)
    func index(of kind: Member, _ number: Int) -> Int32? {
        switch kind {
        case .atoms: atoms.place(of: number).map { Int32(clamping: $0) }
        case .bonds: bondIndex(number)
        case .sgroups: sgroups.place(of: number).map { Int32(clamping: $0) }
        }
    }

    /// The index of a bond by its number.
    @inline(__always)
    func bondIndex(_ number: Int) -> Int32? {
        guard let place = bonds.place(of: number) else { return nil }
        if bondNumbering.isEmpty { return Int32(clamping: place) }
        guard bondNumbering.indices.contains(place), bondNumbering[place] >= 0 else { return nil }
        return bondNumbering[place]
    }
}

extension MolfileReader {
    /// Puts in place what could not be said before the table was read whole.
    mutating func settle(_ table: inout V3000Table) {
        settleBonds(&table)
        settleAttachmentOrders(&table)
        if !table.atomNotes.isEmpty {
            let notes = table.atomNotes
            withRare { $0.atomNotes = notes }
        }
        if !table.bondNotes.isEmpty {
            let notes = table.bondNotes
            withRare { $0.bondNotes = notes }
        }
        if !table.sgroupLines.isEmpty { readSgroups(&table) }
        readLinkNodes(&table)
        if !table.collectionLines.isEmpty { readCollections(&table) }
        tellCounts(&table)
        if table.sgroupCount > 0 { applyDataSgroups { table.bondIndex($0) } }
    }

    private mutating func settleAttachmentOrders(_ table: inout V3000Table) {
        for order in table.attachmentOrders {
            var attachments: [AtomNote.Attachment] = []
            for (number, point) in order.items {
                if let atom = table.atoms.place(of: number) {
                    attachments.append(.init(neighbour: atom, point: point))
                } else {
                    doubt(order.line, "the line names atom \(number), which is not there; left out")
                }
            }
            table.atomNotes[order.note].note = .attachmentOrder(attachments)
        }
    }

    /// The counts are not trusted, but a difference is told.
    private mutating func tellCounts(_ table: inout V3000Table) {
        guard let announced = table.announced else {
            issues.append(Issue(line: firstLine &+ currentLine, "COUNTS is missing; read what is there"))
            return
        }
        tell(announced.atoms, "atoms", present: table.atoms.count)
        tell(announced.bonds, "bonds", present: table.bonds.count)
        tell(announced.sgroups, "Sgroups", present: table.sgroupCount)
    }

    private mutating func tell(_ announced: Int?, _ what: StaticString, present: Int) {
        guard let announced, announced != present else { return }
        issues.append(
            Issue(
                line: firstLine &+ currentLine,
                "\(announced) \(what) are announced and \(present) are there; read what is there"))
    }

    /// The numbers of the file are kept where text that is not understood may name them.
    mutating func keepNumbers(_ table: V3000Table) {
        guard !table.atoms.isInOrder || !table.bonds.isInOrder, rare?.mayNameNumbers == true else { return }
        let atoms = table.atoms.completed()
        var bonds = table.bonds.completed()
        if !bonds.isEmpty, !table.bondNumbering.isEmpty {
            bonds = zip(bonds, table.bondNumbering).filter { $0.1 >= 0 }.map(\.0)
        }
        withRare { rare in
            rare.atomNumbers = atoms
            rare.bondNumbers = bonds
        }
    }
}

extension Extras.Contents {
    /// Whether something is kept that is not understood and may name atoms and bonds by their numbers.
    var mayNameNumbers: Bool {
        verbatim.contains { $0.dialect == .v3000 } || sgroups.nameBonds
            || atomNotes.contains { tagged in
                guard case .keyword(let name, _) = tagged.note else { return false }
                return [.unknown, .attachmentOrder].contains(V3000Keyword(name))
            }
            || bondNotes.contains { tagged in
                guard case .keyword(let name, _) = tagged.note else { return false }
                return ![.topology, .reactingCentre, .stereoBox, .attach].contains(V3000Keyword(name))
            }
            || sgroups.contains { sgroup in
                sgroup.keywords.contains {
                    ![.sequenceID, .naturalReplacement, .expansion, .bracket].contains(V3000Keyword($0.name))
                }
            }
            || collections.contains { collection in
                collection.keywords.contains { ![.objects, .members, .rgroups].contains(V3000Keyword($0.name)) }
            }
    }
}

extension V3000Keyword {
    fileprivate init(_ name: Text) {
        self.init(0..<name.bytes.count, of: name.bytes.span)
    }
}
