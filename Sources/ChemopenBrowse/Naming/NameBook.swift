import Chemopen

/// The names of all records of a service.
///
/// A name is derived from the key of the record. If several records have the same key, only the first one has a name of
/// the key alone; the others also contain a hash of their content. When a file is named again because it has changed,
/// unchanged records keep their names, and the previous names of changed ones lead to their new ones.
final class NameBook: Sendable {
    /// The position of a record.
    struct Place: Sendable, Hashable {
        /// The ID of the file, and the number of its opening.
        let file: String
        let generation: Int
        /// The number of the record from 0.
        let number: Int
    }

    private let state = Guarded(Names())

    /// Sets the names of a file's records aside, because it was opened (again).
    func begin(_ file: String, generation: Int) {
        state.change { $0.begin(file, generation) }
    }

    /// Returns whether the records of a file have to be named together, because some may have had a name before.
    func namesLater(_ file: String) -> Bool {
        state.change { $0.namesLater(file) }
    }

    /// Names the next records of a file.
    func add(_ marks: [RecordMark], to file: String) {
        state.change { $0.add(marks, to: file) }
    }

    /// Names all records of a file, together with those of the other changed files, because records can have moved.
    ///
    /// - Parameter publish: called when the records are named.
    func finish(_ marks: [RecordMark], of file: String, _ publish: @escaping @Sendable () -> Void) {
        for publish in state.change({ $0.finish(marks, file, publish) }) { publish() }
    }

    /// Notes that no further records of a file will be named.
    func leave(_ file: String) {
        for publish in state.change({ $0.leave(file) }) { publish() }
    }

    /// Forgets the names in all other files. They are restored if the same records appear in another file.
    func keepOnly(_ files: Set<String>) {
        state.change { $0.keepOnly(files) }
    }

    /// Returns the name of a record with a number from 0.
    func name(of number: Int, in file: String) -> RecordName? {
        state.change { $0.name(of: number, in: file) }
    }

    /// Returns the position of the record that has or had a name.
    func place(of name: RecordName) -> Place? {
        state.change { $0.place(of: name) }
    }

    /// Returns the ID of a file that has been renamed, or `nil` if it was not.
    func renamed(_ file: String) -> String? {
        state.change { $0.renamed[file] }
    }

    /// The marks of a file's records.
    func marks(of file: String) -> [RecordMark] {
        state.change { $0.marks(of: file) }
    }

    /// Notes that all files have been read.
    func settle() {
        state.change { $0.settle() }
    }

    /// Returns the names as bytes if they have changed since they were stored last.
    func changedBytes() -> [UInt8]? {
        state.change { $0.changedBytes() }
    }

    /// Restores stored names. Ignores bytes that are not valid.
    func restore(_ bytes: [UInt8]) {
        state.change { $0.restore(bytes) }
    }
}

/// A name that a record has or had.
struct NamedMark: Sendable, Hashable {
    let name: RecordName
    let mark: RecordMark
}

/// The state of a `NameBook`.
struct Names: Sendable {
    private struct Spot: Sendable {
        let slot: UInt32
        let number: UInt32
    }

    /// A file and its records in order.
    private struct Slot: Sendable {
        let file: String
        var generation: Int
        var marks: [RecordMark] = []
        /// The names that are not derived from the key alone.
        var others: [Int: RecordName] = [:]

        func name(of number: Int) -> RecordName {
            others[number] ?? RecordName(key: marks[number].key)
        }

        var named: [NamedMark] { marks.indices.map { NamedMark(name: name(of: $0), mark: marks[$0]) } }
    }

    private var slots: [Slot] = []
    private var slotOfFile: [String: Int] = [:]
    /// The positions of the names that consist of a key alone, and of the others.
    private var plain: [UInt64: Spot] = [:]
    private var others: [RecordName: Spot] = [:]
    /// The last known records of files that are not named yet.
    private(set) var former: [String: [NamedMark]] = [:]
    private var reserved: Set<RecordName> = []
    /// The records of files that have disappeared since all files were read.
    private var gone: [String: [NamedMark]] = [:]
    /// The files that are being read, and those that wait for them.
    private var awaited: Set<String> = []
    private var prepared: [Prepared] = []
    /// The names of records that have disappeared.
    private var lost: [RecordMark: [RecordName]] = [:]
    private var lostCount = 0
    /// The current names of records that had another one.
    private(set) var aliases: [RecordName: RecordName] = [:]
    /// The IDs of files that had another one.
    private(set) var renamed: [String: String] = [:]
    private var isChanged = false
    /// The highest number of each name that has copies.
    private var copies: [RecordName: UInt32] = [:]

    private static let mostLost = 200_000
    private static let mostAliases = 200_000
    /// The maximum number of records whose names are stored.
    private static let mostStored = 4_000_000

    // MARK: Lookup

    func name(of number: Int, in file: String) -> RecordName? {
        guard let slot = slotOfFile[file], slots[slot].marks.indices.contains(number) else { return nil }
        return slots[slot].name(of: number)
    }

    func marks(of file: String) -> [RecordMark] { slotOfFile[file].map { slots[$0].marks } ?? [] }

    private func spot(of name: RecordName) -> Spot? { name.isPlain ? plain[name.key] : others[name] }

    func place(of name: RecordName) -> NameBook.Place? {
        var name = name
        for _ in 0..<16 {
            if let spot = spot(of: name) { return place(spot) }
            guard let next = aliases[name] else { break }
            name = next
        }
        // In a copy of the directory, only one record may have the key.
        if name.content != 0, let spot = plain[name.key], mark(spot)?.content == name.content { return place(spot) }
        return nil
    }

    private func place(_ spot: Spot) -> NameBook.Place {
        let slot = slots[Int(spot.slot)]
        return NameBook.Place(file: slot.file, generation: slot.generation, number: Int(spot.number))
    }

    private func mark(_ spot: Spot) -> RecordMark? {
        let marks = slots[Int(spot.slot)].marks
        return marks.indices.contains(Int(spot.number)) ? marks[Int(spot.number)] : nil
    }

    // MARK: Naming

    mutating func begin(_ file: String, _ generation: Int) {
        if let slot = slotOfFile[file] {
            if !slots[slot].marks.isEmpty { setAside(slot) }
            slots[slot].generation = generation
        } else {
            slotOfFile[file] = slots.count
            slots.append(Slot(file: file, generation: generation))
        }
        awaited.insert(file)
        copies.removeAll()
    }

    func namesLater(_ file: String) -> Bool { !former.isEmpty || !gone.isEmpty || lostCount > 0 }

    /// Removes the records of a file and remembers their names.
    private mutating func setAside(_ slot: Int) {
        let named = slots[slot].named
        former[slots[slot].file] = named
        for one in named {
            if one.name.isPlain { plain[one.name.key] = nil } else { others[one.name] = nil }
            reserved.insert(one.name)
        }
        slots[slot].marks = []
        slots[slot].others = [:]
    }

    mutating func add(_ marks: [RecordMark], to file: String) {
        guard let slot = slotOfFile[file] else { return }
        isChanged = true
        let first = slots[slot].marks.count
        slots[slot].marks += marks
        for (place, mark) in marks.enumerated() { put(freshName(mark), slot, first + place) }
    }

    mutating func finish(
        _ marks: [RecordMark], _ file: String, _ publish: @escaping @Sendable () -> Void
    ) -> [@Sendable () -> Void] {
        guard let slot = slotOfFile[file] else { return leave(file) }
        // After a restart, most files are unchanged.
        if let own = former[file], own.map(\.mark) == marks {
            former[file] = nil
            for one in own { reserved.remove(one.name) }
            slots[slot].marks = marks
            for (number, one) in own.enumerated() { put(one.name, slot, number) }
            return [publish] + leave(file)
        }
        prepared.append(Prepared(file: file, slot: slot, marks: marks, publish: publish))
        return leave(file)
    }

    mutating func leave(_ file: String) -> [@Sendable () -> Void] {
        awaited.remove(file)
        guard awaited.isEmpty, !prepared.isEmpty else { return [] }
        let ready = prepared
        prepared = []
        nameTogether(ready)
        return ready.map(\.publish)
    }

    /// Names the records of changed files. A record with the same content as one before keeps its name, even if it is
    /// in another file now. Then records of the same file are paired by their keys, and those between the same neighbors
    /// if their fields or their structures are the same.
    private mutating func nameTogether(_ files: [Prepared]) {
        var files = files
        findRenamed(&files)
        var pool: [RecordMark: [(place: Int, one: Int)]] = [:]
        for place in files.indices {
            files[place].pairContents()
            for one in files[place].own.indices.reversed() where !files[place].isUsed[one] {
                pool[files[place].own[one].mark, default: []].append((place, one))
            }
        }
        for place in files.indices {
            for number in files[place].marks.indices where files[place].isOpen(number) {
                let mark = files[place].marks[number]
                if let old = pool[mark]?.popLast() {
                    files[old.place].isUsed[old.one] = true
                    files[place].names[number] = files[old.place].own[old.one].name
                } else if let name = lost[mark]?.popLast() {
                    lostCount -= 1
                    if isFree(name) { files[place].names[number] = name }
                }
            }
        }
        for place in files.indices {
            files[place].pairRest()
            for one in files[place].own { reserved.remove(one.name) }
        }
        isChanged = true
        for file in files {
            slots[file.slot].marks = file.marks
            for (number, name) in file.names { put(name, file.slot, number) }
        }
        for file in files {
            for (number, mark) in file.marks.enumerated() where file.names[number] == nil {
                put(freshName(mark), file.slot, number)
            }
        }
        for file in files {
            for (old, number) in file.replaced {
                let name = slots[file.slot].name(of: number)
                if name != old, spot(of: old) == nil { aliases[old] = name }
            }
            for (one, old) in file.own.enumerated() where !file.isUsed[one] { lose(old) }
        }
        if aliases.count > Self.mostAliases { aliases.removeAll() }
    }

    /// Pairs new files with deleted ones that contain most of their records.
    private mutating func findRenamed(_ files: inout [Prepared]) {
        var origins: [RecordMark: String] = [:]
        for (file, named) in gone { for one in named { origins[one.mark] = file } }
        for place in files.indices {
            if let own = former.removeValue(forKey: files[place].file) {
                files[place].own = own
            } else if !origins.isEmpty {
                var counts: [String: Int] = [:]
                for mark in files[place].marks { if let file = origins[mark] { counts[file, default: 0] += 1 } }
                guard let (file, count) = counts.max(by: { $0.value < $1.value }), let own = gone[file],
                    count * 2 > min(own.count, files[place].marks.count)
                else { continue }
                gone[file] = nil
                files[place].own = own
                renamed[file] = files[place].file
                for (old, name) in renamed where name == file { renamed[old] = files[place].file }
            }
            files[place].isUsed = Array(repeating: false, count: files[place].own.count)
        }
        forgetGone()
    }

    private mutating func forgetGone() {
        for one in gone.values.joined() { lose(one) }
        gone.removeAll()
    }

    /// Notes that all files have been read.
    mutating func settle() {
        forgetGone()
    }

    private mutating func lose(_ one: NamedMark) {
        // An identical copy takes its place.
        let (key, content) = (one.mark.key, one.mark.content)
        for (part, copy) in [(0, 1), (0, 2), (content, 1), (content, 2)] as [(UInt64, UInt32)] {
            let name = RecordName(key: key, content: part, copy: copy)
            guard let spot = spot(of: name), mark(spot)?.content == content else { continue }
            if name != one.name { aliases[one.name] = name }
            return
        }
        if lostCount > Self.mostLost { (lost, lostCount) = ([:], 0) }
        lost[one.mark, default: []].append(one.name)
        lostCount += 1
    }

    private mutating func freshName(_ mark: RecordMark) -> RecordName {
        var name = RecordName(key: mark.key)
        if isFree(name) { return name }
        if plain[mark.key].map({ self.mark($0)?.content != mark.content }) ?? true { name.content = mark.content }
        if isFree(name) { return name }
        let base = name
        name.copy = copies[base] ?? 1
        repeat { name.copy += 1 } while !isFree(name)
        copies[base] = name.copy
        return name
    }

    private func isFree(_ name: RecordName) -> Bool { spot(of: name) == nil && !reserved.contains(name) }

    private mutating func put(_ name: RecordName, _ slot: Int, _ number: Int) {
        let spot = Spot(slot: UInt32(clamping: slot), number: UInt32(clamping: number))
        aliases[name] = nil
        if name.isPlain {
            plain[name.key] = spot
        } else {
            others[name] = spot
        }
        if name != RecordName(key: slots[slot].marks[number].key) { slots[slot].others[number] = name }
    }

    mutating func keepOnly(_ files: Set<String>) {
        for (file, slot) in slotOfFile where !files.contains(file) {
            isChanged = true
            if !slots[slot].marks.isEmpty { setAside(slot) }
            slotOfFile[file] = nil
            awaited.remove(file)
        }
        for (file, named) in former where !files.contains(file) {
            for one in named { reserved.remove(one.name) }
            gone[file] = named
            former[file] = nil
        }
    }
}

/// A changed file whose records are about to be named.
private struct Prepared: Sendable {
    let file: String
    let slot: Int
    let marks: [RecordMark]
    let publish: @Sendable () -> Void
    /// The records that the file had before, and whether each is found again.
    var own: [NamedMark] = []
    var isUsed: [Bool] = []
    /// The known names of the current records.
    var names: [Int: RecordName] = [:]
    /// The previous names of records that get another one.
    var replaced: [(name: RecordName, number: Int)] = []
    private var paired: Set<Int> = []

    init(file: String, slot: Int, marks: [RecordMark], publish: @escaping @Sendable () -> Void) {
        (self.file, self.slot, self.marks, self.publish) = (file, slot, marks, publish)
    }

    /// Whether a record has not been found among those before.
    func isOpen(_ number: Int) -> Bool { names[number] == nil && !paired.contains(number) }

    mutating func pairContents() {
        if own.isEmpty { return }
        let alignment = Alignment(own.map(\.mark.content), marks.map(\.content), pairingRest: false)
        for one in own.indices where alignment.partners[one] != Alignment.nobody {
            pair(one, Int(alignment.partners[one]))
        }
    }

    mutating func pairRest() {
        let rest = own.indices.filter { !isUsed[$0] }
        if rest.isEmpty || !marks.indices.contains(where: isOpen) { return }
        // Records that moved to or from another file have no partner here.
        let current = marks.indices.filter { isOpen($0) || paired.contains($0) }
        let before = own.indices.filter { !isUsed[$0] || partners[$0] != nil }
        var alignment = Alignment(
            before.map { own[$0].mark.content }, current.map { marks[$0].content }, pairingRest: false)
        var byKey: [UInt64: [Int]] = [:]
        for (place, one) in before.enumerated() where alignment.partners[place] == Alignment.nobody {
            byKey[own[one].mark.key, default: []].append(place)
        }
        for isStrict in [true, false] {
            for (place, number) in current.enumerated() where isOpen(number) {
                guard alignment.partnersOfSecond[place] == Alignment.nobody, let old = byKey[marks[number].key],
                    let index = old.firstIndex(where: { !isStrict || own[before[$0]].mark.resembles(marks[number]) })
                else { continue }
                alignment.pair(old[index], place)
                byKey[marks[number].key]?.remove(at: index)
            }
        }
        alignment.findMoves()
        alignment.pairRest()
        for (place, one) in before.enumerated() where !isUsed[one] {
            let partner = Int(alignment.partners[place])
            guard current.indices.contains(partner), isOpen(current[partner]) else { continue }
            let (mark, other) = (own[one].mark, marks[current[partner]])
            if mark.key == other.key || mark.resembles(other) { pair(one, current[partner]) }
        }
    }

    /// The records of before that were found here.
    private var partners: [Int: Int] = [:]

    /// Notes that a record is one of those before. It keeps its name if it is the same or the name consists of its key.
    private mutating func pair(_ one: Int, _ number: Int) {
        let old = own[one]
        isUsed[one] = true
        partners[one] = number
        paired.insert(number)
        if old.mark == marks[number] || old.mark.key == marks[number].key && old.name.isPlain {
            names[number] = old.name
        } else {
            replaced.append((old.name, number))
        }
    }
}

// MARK: Stored names

extension Names {
    private static let word = Array("chemopen-names-1\n".utf8)

    mutating func changedBytes() -> [UInt8]? {
        guard isChanged, plain.count + others.count <= Self.mostStored else { return nil }
        isChanged = false
        var bytes = Self.word
        let files = slots.indices.filter { slotOfFile[slots[$0].file] == $0 && former[slots[$0].file] == nil }
        bytes.append(littleEndian: UInt64(files.count + former.count))
        for slot in files { bytes.append(slots[slot].named, of: slots[slot].file) }
        for (file, named) in former.sorted(by: { $0.key < $1.key }) { bytes.append(named, of: file) }
        bytes.append(littleEndian: UInt64(aliases.count))
        for (old, name) in aliases {
            bytes.append(old)
            bytes.append(name)
        }
        bytes.append(littleEndian: UInt64(renamed.count))
        for (old, file) in renamed {
            bytes.append(text: old)
            bytes.append(text: file)
        }
        bytes.append(littleEndian: stableHash(bytes.span, 0..<bytes.count))
        return bytes
    }

    mutating func restore(_ bytes: [UInt8]) {
        let end = bytes.count - 8
        var reader = NumberReader(bytes: bytes, index: end)
        guard end > 0, bytes.starts(with: Self.word), reader.number() == stableHash(bytes.span, 0..<end) else { return }
        reader.index = Self.word.count
        for _ in 0..<reader.count() {
            let file = reader.text()
            var named: [NamedMark] = []
            for _ in 0..<reader.count() {
                let mark = RecordMark(key: reader.number(), content: reader.number(), parts: reader.number())
                named.append(
                    NamedMark(name: reader.number() == 0 ? RecordName(key: mark.key) : reader.name(), mark: mark))
            }
            former[file] = named
            reserved.formUnion(named.lazy.map(\.name))
        }
        for _ in 0..<reader.count() {
            let old = reader.name()
            aliases[old] = reader.name()
        }
        for _ in 0..<reader.count() {
            let old = reader.text()
            renamed[old] = reader.text()
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ name: RecordName) {
        for number in [name.key, name.content, UInt64(name.copy)] { append(littleEndian: number) }
    }

    fileprivate mutating func append(text: String) {
        append(littleEndian: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(_ named: [NamedMark], of file: String) {
        append(text: file)
        append(littleEndian: UInt64(named.count))
        for one in named {
            append(one.mark)
            let isUsual = one.name == RecordName(key: one.mark.key)
            append(littleEndian: isUsual ? 0 : 1)
            if !isUsual { append(one.name) }
        }
    }
}

/// Reads the numbers and texts that are stored in bytes. At their end, all numbers are 0.
private struct NumberReader {
    let bytes: [UInt8]
    var index: Int

    mutating func number() -> UInt64 {
        defer { index += 8 }
        return loadWord(bytes.span, at: index)
    }

    /// Returns the number of items that follow, each of at least eight bytes.
    mutating func count() -> Int {
        let count = Int(clamping: number())
        return count <= max(0, bytes.count - index) / 8 ? count : 0
    }

    mutating func text() -> String {
        let count = Int(clamping: number())
        guard count <= max(0, bytes.count - index) else { return "" }
        defer { index += count }
        return String(decoding: bytes[index..<index + count], as: UTF8.self)
    }

    mutating func name() -> RecordName {
        RecordName(key: number(), content: number(), copy: max(1, UInt32(clamping: number())))
    }
}
