import ChemopenBytes
import ChemopenModel

/// The numbers of atoms or bonds in a file. Any numbers are supported; the numbers 1, 2, 3… need no storage.
struct V3000Numbers {
    private(set) var count = 0
    /// The index for each number; empty while the numbers are 1, 2, 3…
    private var places: [Int32: Int32] = [:]
    /// The numbers in file order, with 0 for an invalid one; empty while the numbers are 1, 2, 3…
    private(set) var list: [Int32] = []

    var isInOrder: Bool { list.isEmpty }

    /// Adds the next numbers in order.
    mutating func addNext(_ more: Int = 1) {
        count &+= more
    }

    /// Adds a number; returns `false` if it is invalid or already in use.
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

    /// Returns the index of a number, counted from 0.
    @inline(__always)
    func place(of number: Int) -> Int? {
        if list.isEmpty { return number > 0 && number <= count ? number &- 1 : nil }
        return Int32(exactly: number).flatMap { places[$0] }.map { Int($0) }
    }

    /// Returns the numbers, with invalid ones replaced; empty if they are 1, 2, 3…
    ///
    /// Preserved text may refer to a number that no atom has. New numbers differ from these as long as others are
    /// available.
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

/// The numbers of Sgroups in a file. Numbers 1, 2, 3… need no storage.
struct V3000SgroupNumbers {
    /// The number of Sgroups that are numbered consecutively, from 1.
    private var countInOrder = 0
    /// The index for each number; empty while the numbers are 1, 2, 3…
    private var places: [Int: Int] = [:]

    /// Adds the number of an Sgroup; returns `false` if it is invalid or already in use.
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

/// The atoms, bonds and Sgroups of a V3000 table, accessible by their numbers in the file.
struct V3000Index {
    var atoms = V3000Numbers()
    var bonds = V3000Numbers()
    /// The index of each bond in the file, -1 for omitted bonds; empty if no bond was omitted.
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

    /// Returns the index of a bond from its number.
    @inline(__always)
    func bondIndex(_ number: Int) -> Int32? {
        guard let place = bonds.place(of: number) else { return nil }
        if bondNumbering.isEmpty { return Int32(clamping: place) }
        guard bondNumbering.indices.contains(place), bondNumbering[place] >= 0 else { return nil }
        return bondNumbering[place]
    }

    /// Adds the indices of the numbers in a list. Numbers without an object are reported and omitted.
    func members(
        _ word: V3000Word, _ line: V3000Line, _ kind: V3000Member, onto members: inout [Int32],
        _ ledger: inout IssueCollector
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
                // A member occupies at least two bytes.
                let most = max(0, min(number ?? 0, (end &- at) / 2))
                if members.isEmpty { members.reserveCapacity(most) }
            } else if let number, let index = index(of: kind, number) {
                members.append(index)
            } else {
                ledger.doubt(line, start..<at, "the list refers to an object that does not exist; omitted")
            }
        }
        if !word.isClosed || announced != count {
            ledger.doubt(line, word.raw, "the list is not closed or has a wrong length; all its entries are read")
        }
    }

    /// Whether the numbers are 1, 2, 3…
    var isInOrder: Bool { atoms.isInOrder && bonds.isInOrder }

    /// Returns the numbers in the file, because unrecognized text may refer to them.
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
    /// The numbers in preserved text.
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

    /// Whether the contents include preserved text that may refer to atoms and bonds by number.
    var mayNameNumbers: Bool {
        verbatim.contains { $0.dialect == .v3000 } || sgroups.nameBonds
            || atomNotes.contains { tagged in
                guard case .keyword(let name, _) = tagged.note else { return false }
                return [.unknown, .attachmentOrder].contains(V3000Keyword(name))
            }
            || bondNotes.contains { tagged in
                guard case .keyword(let name, _) = tagged.note else { return false }
                return ![.topology, .reactingCenter, .stereoBox, .attach].contains(V3000Keyword(name))
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
