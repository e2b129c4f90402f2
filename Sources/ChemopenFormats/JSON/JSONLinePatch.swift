import ChemopenBytes
import ChemopenModel

/// A JSON line with some values replaced. All other bytes are preserved, including members that are not in the schema.
struct JSONLinePatch {
    private var bytes: [UInt8]

    /// Returns the patched line, or `nil` if its form does not permit patching.
    @Sendable static func patched(_ line: [UInt8], _ patch: RecordPatch) -> [UInt8]? {
        var patched = JSONLinePatch(bytes: line)
        do throws(Fault) {
            try patched.apply(patch)
        } catch {
            return nil
        }
        return patched.bytes
    }

    private mutating func apply(_ patch: RecordPatch) throws(Fault) {
        if let line = patch.structure {
            for name in Self.subjects { try takeOver(name, from: line) }
        }
        if let line = patch.title {
            for subject in Self.subjects where try JSONObjectText(in: bytes).value(of: subject) != nil {
                try takeOver("name", in: subject, from: line)
            }
        }
        for field in patch.fields { try takeOver(field.name, in: "fields", after: field.after, from: field.line) }
        if let line = patch.registry { try takeOver("registry", from: line) }
        if let line = patch.otherLines { try takeOver("kept", from: line) }
        guard let line = patch.spelling else { return }
        for name in ["field_order", "field_headers"] as [Text] { try takeOver(name, from: line) }
    }

    private static let subjects: [Text] = ["molecule", "reaction"]

    /// Copies the value of a member from another line, or removes the member if it is missing there.
    ///
    /// - Parameters:
    ///   - outer: the object that contains the member, or `nil` for the line itself.
    ///   - neighbor: the member after which a new one is inserted. If it is missing, the new member is the first or
    ///     last one.
    private mutating func takeOver(
        _ name: Text, in outer: Text? = nil, after neighbor: Text? = nil, from line: [UInt8]
    ) throws(Fault) {
        let source = try JSONObjectText(in: line)
        let object = try JSONObjectText(in: bytes)
        guard let outer else { return put(source.value(of: name).map { line[$0] }, at: name, of: object) }
        guard let range = object.value(of: outer) else {
            return put(source.value(of: outer).map { line[$0] }, at: outer, of: object)
        }
        let inner = try JSONObjectText(in: bytes, at: range)
        let value = try source.value(of: outer).flatMap { range throws(Fault) in
            try JSONObjectText(in: line, at: range).value(of: name)
        }
        if inner.members.count(where: { $0.name == name }) > 1 {
            throw Fault(line: 0, expected: "one member with this name")
        }
        put(value.map { line[$0] }, at: name, of: inner, after: neighbor, isOrdered: outer == "fields")
    }

    /// Replaces, inserts or removes a member.
    private mutating func put(
        _ value: ArraySlice<UInt8>?, at name: Text, of object: JSONObjectText, after neighbor: Text? = nil,
        isOrdered: Bool = false
    ) {
        let place = object.members.firstIndex { $0.name == name }
        switch (place, value) {
        case (nil, nil): break
        case (let place?, let value?): bytes.replaceSubrange(object.members[place].value, with: value)
        case (let place?, nil): remove(place, of: object)
        case (nil, let value?):
            var json = JSON()
            json.string(name)
            let after = isOrdered ? object.members.lastIndex { $0.name == neighbor } ?? -1 : object.members.count - 1
            insert(json.bytes, value, behind: after, of: object)
        }
    }

    private mutating func remove(_ place: Int, of object: JSONObjectText) {
        let members = object.members
        let range =
            if place + 1 < members.count {
                members[place].start..<members[place + 1].start
            } else if place > 0 {
                members[place - 1].value.upperBound..<members[place].value.upperBound
            } else {
                members[place].start..<members[place].value.upperBound
            }
        bytes.removeSubrange(range)
    }

    /// Inserts a member, with the same blanks as the existing members.
    ///
    /// - Parameter place: the index of the member before it, or -1 for the beginning.
    private mutating func insert(
        _ name: [UInt8], _ value: ArraySlice<UInt8>, behind place: Int, of object: JSONObjectText
    ) {
        let members = object.members
        var colon: [UInt8] = [UInt8(ascii: ":")]
        var comma: [UInt8] = [UInt8(ascii: ",")]
        if let first = members.first {
            colon = Array(bytes[first.colon])
            if members.count > 1 {
                comma = Array(bytes[first.value.upperBound..<members[1].start])
            } else if colon.last == Ascii.blank {
                comma.append(Ascii.blank)
            }
        }
        let member = name + colon + value
        if place >= 0 {
            bytes.insert(contentsOf: comma + member, at: members[place].value.upperBound)
        } else {
            bytes.insert(
                contentsOf: member + (members.isEmpty ? [] : comma), at: members.first?.start ?? object.start + 1)
        }
    }
}

/// The positions of an object's members in a text.
private struct JSONObjectText {
    struct Member {
        let name: Text
        /// The index of the quote before its name.
        let start: Int
        /// The bytes between its name and its value.
        let colon: Range<Int>
        let value: Range<Int>
    }

    /// The index of the opening brace.
    let start: Int
    private(set) var members: [Member] = []

    init(in bytes: [UInt8], at range: Range<Int>? = nil) throws(Fault) {
        let range = range ?? bytes.indices
        var json = JSONCursor(range, of: bytes)
        start = json.nextPlace
        var end = start + 1
        var members: [Member] = []
        try json.object { json, name throws(Fault) in
            // Skips a comma and blanks.
            let quote = bytes[end..<range.upperBound].firstIndex(of: UInt8(ascii: "\"")) ?? end
            var nameText = JSONCursor(quote..<range.upperBound, of: bytes)
            _ = try nameText.text()
            let value = json.nextPlace
            try json.skip()
            members.append(
                Member(
                    name: json.text(of: name), start: quote, colon: nameText.place..<value, value: value..<json.place))
            end = json.place
        }
        self.members = members
    }

    func value(of name: Text) -> Range<Int>? { members.last { $0.name == name }?.value }
}
