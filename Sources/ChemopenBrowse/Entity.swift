import Chemopen

/// An item that clients can show: a file, a category of records, a record, or a part of a record.
struct Entity: Sendable {
    enum Kind: Sendable {
        case file(BrowsedFile.View)
        case category(BrowsedCategory)
        case record(BrowsedRecord)
        case part(Component, of: BrowsedRecord)
    }

    let kind: Kind
    let file: BrowsedFile
    /// The permanent ID. It stays the same as long as the entity does not change.
    let id: EntityID
    /// A pattern whose matches are highlighted in the entity's pictures.
    private(set) var highlight: SMARTSPattern?
    /// Atoms that are highlighted because they differ from those of another record.
    var differing: [Int] = []

    /// Returns the entity with the matches of a pattern highlighted in its pictures.
    func highlighting(_ pattern: SMARTSPattern?) -> Entity {
        var entity = self
        entity.highlight = pattern
        return entity
    }

    init(_ file: BrowsedFile) {
        kind = .file(file.view)
        self.file = file
        id = EntityID(file: file.id)
    }

    /// Creates a category, with a file that contains some of its records.
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

    /// The parts of a record or of a part. Records of a file are requested by number instead.
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

    /// The child entities: the parts, or the records that the mapping assigns to this one.
    var children: [Entity] {
        guard file.mapping?.relation != nil, case .record(let record) = kind else { return parts }
        return file.records(below: record).map { Entity($0, in: file) }
    }

    /// The location of the entity: for a record, the position of its bytes. Opaque to clients.
    var reference: String {
        switch kind {
        // The reference of a file can be used as a category and changes if the file changes.
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
    /// Returns the records with some numbers from 0, in order. Consecutive records are read together.
    func entities(_ numbers: some Collection<Int>) -> [Entity] {
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

    /// Returns the entity with an ID, or `nil` if the file no longer contains it unchanged.
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

/// The ID of an entity, composed of a file, a record in it, and a part of that.
///
///     4kq0x1c2d3                        a file
///     4kq0x1c2d3-17-09f8e7d6c5          its record 17 with certain bytes
///     4kq0x1c2d3-17-09f8e7d6c5/r2/f1    a fragment of its second reactant
struct EntityID: Sendable, Hashable {
    let file: String
    /// The record's number from 1; 0 for the file.
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

    /// Creates the ID of the file in a category's `REFCON`, regardless of its state.
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
