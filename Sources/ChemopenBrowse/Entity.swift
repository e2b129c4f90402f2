import Chemopen

/// A thing that a browser is shown as one: a file, a category of records, a record, or a part of a record.
struct Entity: Sendable {
    enum Kind: Sendable {
        case file(BrowsedFile.View)
        case category(BrowsedCategory)
        case record(BrowsedRecord)
        case part(Component, of: BrowsedRecord)
    }

    let kind: Kind
    let file: BrowsedFile
    /// Its name, which it keeps as long as it is what it is.
    let id: EntityID

    init(_ file: BrowsedFile) {
        kind = .file(file.view)
        self.file = file
        id = EntityID(file: file.id)
    }

    /// A category, in a file that holds some of it.
    init(_ category: BrowsedCategory, in file: BrowsedFile) {
        kind = .category(category)
        self.file = file
        id = EntityID(file: category.id)
    }

    init(_ record: BrowsedRecord, in file: BrowsedFile) {
        kind = .record(record)
        self.file = file
        id = EntityID(file: file.id, number: record.number, fingerprint: record.fingerprint)
    }

    private init(_ part: Component, of record: BrowsedRecord, in file: BrowsedFile, _ id: EntityID) {
        kind = .part(part, of: record)
        self.file = file
        self.id = id
    }

    /// The parts of a record or of a part; a file's records are asked for by number instead.
    var parts: [Entity] {
        switch kind {
        case .file, .category: []
        case .record where file.mapping?.children == Mapping.Children.none: []
        case .record(let record):
            record.record.map { content in
                Component.parts(of: content, record.header).map { Entity($0, of: record, in: file, id.part($0.key)) }
            } ?? []
        case .part(let part, let record):
            part.parts.map { Entity($0, of: record, in: file, id.part($0.key)) }
        }
    }

    /// The entities below it: its parts, or what its collection's mapping makes of this.
    var children: [Entity] {
        guard file.mapping?.relation != nil, case .record(let record) = kind else { return parts }
        return file.records(below: record).map { Entity($0, in: file) }
    }

    /// Where it is found again: where the bytes of its record stand. Opaque to who holds it.
    var reference: String {
        switch kind {
        // Names the file as a category, and is renewed when the file is another one.
        case .file: file.stateName
        case .category(let category): category.reference
        case .record(let record), .part(_, let record):
            String(record.offset, radix: 36) + "." + String(record.bytes.count, radix: 36)
        }
    }

    /// The molecule or reaction.
    var subject: Record.Subject {
        switch kind {
        case .file, .category: .none
        case .record(let record): record.record?.subject ?? .none
        case .part(let part, _): part.subject
        }
    }
}

extension BrowsedFile {
    /// The records of some numbers from 0, in order; those that stand behind one another are read together.
    func entities(_ numbers: some Swift.Collection<Int>) -> [Entity] {
        var entities: [Entity] = []
        var rest = numbers[...]
        while let first = rest.popFirst() {
            var run = first..<first + 1
            while let next = rest.first, next == run.upperBound {
                run = run.lowerBound..<run.upperBound + 1
                rest = rest.dropFirst()
            }
            entities += records(run).map { Entity($0, in: self) }
        }
        return entities
    }

    /// The entity of an id; nothing where the file does not hold it any more as it was.
    func entity(_ id: EntityID) -> Entity? {
        if id.number == 0 { return Entity(self) }
        guard let record = record(id.number) else { return nil }
        var entity = Entity(record, in: self)
        guard entity.id.fingerprint == id.fingerprint else { return nil }
        for key in id.parts {
            guard let part = entity.parts.first(where: { $0.id.parts.last == key }) else { return nil }
            entity = part
        }
        return entity
    }
}

/// The name of an entity: of a file, and in it of a record, and in it of a part.
///
///     4kq0x1c2d3                        a file
///     4kq0x1c2d3-17-09f8e7d6c5          its record 17 with certain bytes
///     4kq0x1c2d3-17-09f8e7d6c5/r2/f1    a fragment of its second reactant
struct EntityID: Sendable, Hashable {
    let file: String
    /// From 1; 0 for the file.
    var number = 0
    var fingerprint = ""
    var parts: [String] = []

    private static let deepest = 4

    init(file: String, number: Int = 0, fingerprint: String = "") {
        self.file = file
        self.number = number
        self.fingerprint = fingerprint
    }

    init?(_ text: String) {
        let steps = text.split(separator: "/", maxSplits: Self.deepest, omittingEmptySubsequences: false)
        guard let first = steps.first, steps.count <= Self.deepest else { return nil }
        let words = first.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 1 || words.count == 3, let file = words.first, !file.isEmpty else { return nil }
        self.file = String(file)
        if words.count == 3 {
            guard let number = Int(words[1]), number > 0 else { return nil }
            self.number = number
            fingerprint = String(words[2])
        }
        parts = steps.dropFirst().map(String.init)
        if number == 0, !parts.isEmpty { return nil }
    }

    /// The file that a category's `REFCON` stands for, whichever state of it that names.
    init?(category reference: String) {
        guard let file = reference.split(separator: ".").first, !file.contains("-"), !file.contains("/") else {
            return nil
        }
        self.file = String(file)
    }

    func part(_ key: String) -> EntityID {
        var id = self
        id.parts.append(key)
        return id
    }

    var text: String {
        let record = number > 0 ? "\(file)-\(number)-\(fingerprint)" : file
        return ([record] + parts).joined(separator: "/")
    }
}
