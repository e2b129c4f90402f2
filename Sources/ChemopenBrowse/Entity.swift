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
    /// The permanent ID.
    private(set) var id: EntityID
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

    /// Returns the entity with another name.
    fileprivate func named(_ name: String) -> Entity {
        var entity = self
        entity.id = EntityID(name, parts: id.parts)
        return entity
    }

    init(_ file: BrowsedFile) {
        kind = .file(file.view)
        self.file = file
        id = EntityID(file.id)
    }

    /// Creates a category, with a file that contains some of its records.
    init(_ category: BrowsedCategory, in file: BrowsedFile) {
        kind = .category(category)
        self.file = file
        id = EntityID(category.id)
    }

    init(_ record: BrowsedRecord, in file: BrowsedFile) {
        kind = .record(record)
        self.file = file
        id = EntityID(file.recordName(record.number))
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

    /// The child entities: the parts, or the records that the mapping assigns to this one. If there are more, `limit`
    /// contains the reason.
    var children: (list: [Entity], limit: String?) {
        guard file.mapping?.relation != nil, case .record(let record) = kind else { return (parts, nil) }
        let all = file.entities(below: record)
        if all.count <= BrowsedFile.mostBelow { return (all, nil) }
        let most = BrowsedFile.mostBelow
        return (Array(all.prefix(most)), "only the first \(most) children of \(summaryHeader) are listed")
    }

    /// The location and state of the entity: for a record, the position and the fingerprint of its bytes. Opaque to
    /// clients.
    var reference: String {
        switch kind {
        // The reference of a file can be used as a category and changes if the file changes.
        case .file: file.stateName
        case .category(let category): category.reference
        case .record(let record), .part(_, let record):
            String(record.offset, radix: 36) + "." + String(record.bytes.count, radix: 36) + "." + record.fingerprint
        }
    }

    /// The number of the record, from 1; 0 for a file or category.
    var number: Int {
        switch kind {
        case .file, .category: 0
        case .record(let record), .part(_, let record): record.number
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

    /// Returns the record with a number from 0, or its part, under the requested ID. A record that had another name
    /// keeps that one, so the client finds it.
    func entity(_ number: Int, as id: EntityID) -> Entity? {
        guard let record = record(number + 1) else { return nil }
        var entity = Entity(record, in: self).named(id.name)
        for key in id.parts {
            guard let part = entity.parts.first(where: { $0.id.parts.last == key }) else { return nil }
            entity = part
        }
        return entity
    }
}

/// The permanent ID of an entity: the name of a file, category or record, and possibly a part of it.
///
///     4kq0x1c2d3                  a file or a category
///     r-1k2dpqvhb93el             a record
///     r-1k2dpqvhb93el/r2/f1       a fragment of its second reactant
struct EntityID: Sendable, Hashable {
    /// The ID of the file or category, or the name of the record.
    let name: String
    var parts: [String] = []

    private static let deepest = 4

    init(_ name: String, parts: [String] = []) {
        self.name = name
        self.parts = parts
    }

    /// Parses an ID. Returns `nil` if the text cannot be one.
    init?(text: String) {
        let steps = text.split(separator: "/", maxSplits: Self.deepest, omittingEmptySubsequences: false)
        guard let first = steps.first, !first.isEmpty, steps.count <= Self.deepest else { return nil }
        name = String(first)
        parts = steps.dropFirst().map(String.init)
        guard isRecord ? RecordName(name) != nil || isFormerName : parts.isEmpty else { return nil }
    }

    /// Whether this was the ID of a record in version 1.0: a file, a number and a fingerprint.
    private var isFormerName: Bool {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        return words.count == 3 && Self.isFingerprint(words[0]) && Int(words[1]) != nil && Self.isFingerprint(words[2])
    }

    /// Whether the ID of a file or category can exist.
    var isPossible: Bool { isRecord || Self.isFingerprint(name) }

    private static func isFingerprint(_ word: some StringProtocol) -> Bool {
        word.utf8.count == 10 && word.utf8.allSatisfy { Ascii.isLetter($0) || Ascii.isDigit($0) }
    }

    /// Creates the ID of the file in a category's `REFCON`, regardless of its state.
    init?(category reference: String) {
        guard let file = reference.split(separator: ".").first, !file.contains("-"), !file.contains("/") else {
            return nil
        }
        name = String(file)
    }

    /// Whether this is the ID of a record or of its part.
    var isRecord: Bool { name.contains("-") }

    func part(_ key: String) -> EntityID {
        var id = self
        id.parts.append(key)
        return id
    }

    var text: String { ([name] + parts).joined(separator: "/") }
}
