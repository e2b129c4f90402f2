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
    ///
    /// Text that is kept as it stands may name a number that no atom has: no atom gets it as long as there are others.
    func completed(beside named: Set<Int32>) -> [Int32] {
        let highest = max(list.max() ?? 0, named.max() ?? 0)
        var free = highest < Int32.max - Int32(clamping: list.count) ? highest + 1 : 1
        return list.map { number in
            if number != 0 { return number }
            while places[free] != nil || named.contains(free) { free &+= 1 }
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

/// The atoms, bonds and Sgroups of a V3000 table by the numbers that the file gives them.
struct V3000Index {
    var atoms = V3000Numbers()
    var bonds = V3000Numbers()
    /// Where each bond of the file now is, -1 for those left out; empty where all are in their places.
    var bondNumbering: [Int32] = []
    var sgroups = V3000SgroupNumbers()

    @inline(__always)
    func index(of kind: V3000Member, _ number: Int) -> Int32? {
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

    /// Adds the indices of what a list names by number; what is not there is told and left out.
    func members(
        _ word: V3000Word, _ line: V3000Line, _ kind: V3000Member, onto members: inout [Int32], _ ledger: inout Ledger
    ) {
        let text = line.text.span
        var at = word.form == .list ? word.value.lowerBound : text.count
        let end = word.form == .list ? word.value.upperBound : text.count
        var announced: Int?
        var count = -1
        while true {
            while at < end, Ascii.isBlank(text[at]) { at &+= 1 }
            if at >= end { break }
            let start = at
            var number: Int? = Numeral.whole(text, at: &at)
            if number == -1 || at < end && !Ascii.isBlank(text[at]) {
                while at < end, !Ascii.isBlank(text[at]) { at &+= 1 }
                number = text.integer(start..<at)
            }
            count &+= 1
            if count == 0 {
                announced = number
                // Two bytes are the least that a member takes.
                let most = max(0, min(number ?? 0, (end &- at) / 2))
                if members.isEmpty { members.reserveCapacity(most) }
            } else if let number, let index = index(of: kind, number) {
                members.append(index)
            } else {
                ledger.doubt(line, start..<at, "the list names something that is not there; left out")
            }
        }
        if !word.isClosed || announced != count {
            ledger.doubt(line, word.raw, "the list does not hold what it announces; read what is there")
        }
    }

    /// The numbers count 1, 2, 3….
    var isInOrder: Bool { atoms.isInOrder && bonds.isInOrder }

    /// The numbers of the file, for text that is not understood and may name them.
    func kept(beside contents: Extras.Contents) -> (atoms: [Int32], bonds: [Int32]) {
        let named = contents.namedNumbers
        var numbers = bonds.completed(beside: named)
        if !numbers.isEmpty, !bondNumbering.isEmpty {
            numbers = zip(numbers, bondNumbering).filter { $0.1 >= 0 }.map(\.0)
        }
        return (atoms.completed(beside: named), numbers)
    }
}

extension Extras.Contents {
    /// The numbers that stand in text that is kept.
    fileprivate var namedNumbers: Set<Int32> {
        var texts = verbatim.filter { $0.dialect == .v3000 }.map(\.text)
        for tagged in atomNotes { if case .keyword(let name, let value) = tagged.note { texts += [name, value] } }
        for tagged in bondNotes { if case .keyword(let name, let value) = tagged.note { texts += [name, value] } }
        texts += (sgroups.flatMap(\.keywords) + collections.flatMap(\.keywords)).map(\.value)
        var numbers: Set<Int32> = []
        for text in texts {
            for word in text.bytes.split(whereSeparator: { !Ascii.isDigit($0) }) {
                if let number = Int32(Text(bytes: word).string) { numbers.insert(number) }
            }
        }
        return numbers
    }

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
