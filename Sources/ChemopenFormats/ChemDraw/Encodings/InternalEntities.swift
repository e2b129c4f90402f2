/// Expands the entities that a file declares, before the XML parser reads the file.
///
/// Only short, plain texts are expanded, and only up to a total size. The parser rejects entities that contain other
/// entities. An entity that refers to a file is empty, so the drawing is the only file that is ever opened.
enum InternalEntities {
    private static let longestText = 256
    private static let mostBytes = 64 * 1024

    static func expanded(in text: [UInt8]) -> (text: [UInt8], isWhole: Bool) {
        let head = text.prefix(16 * 1024)
        guard let document = first("<!DOCTYPE", in: head),
            let bracket = head[document...].firstIndex(where: { $0 == 0x5B || $0 == 0x3E }), head[bracket] == 0x5B,
            let end = first("]", in: head[bracket...])
        else { return (text, true) }
        let (entities, external) = declared(in: Array(head[bracket..<end]))
        if entities.isEmpty { return (text, true) }
        var isWhole = true
        var result = Array(text[...end])
        var added = 0
        var place = end + 1
        while place < text.count {
            let byte = text[place]
            if byte == 0x26, added < mostBytes, let (name, next) = reference(at: place, in: text),
                let value = entities[name]
            {
                result += value
                if external.contains(name) { isWhole = false }
                added += value.count
                place = next
            } else {
                result.append(byte)
                place += 1
            }
        }
        return (result, isWhole)
    }

    /// Returns the declarations `<!ENTITY name "text">`, and the names of the entities that refer to files.
    private static func declared(in subset: [UInt8]) -> ([[UInt8]: [UInt8]], external: Set<[UInt8]>) {
        var entities: [[UInt8]: [UInt8]] = [:]
        var external: Set<[UInt8]> = []
        var rest = subset[...]
        while let start = first("<!ENTITY", in: rest) {
            rest = rest[(start + 8)...].drop { $0 <= 0x20 }
            let name = Array(rest.prefix { $0 > 0x20 })
            rest = rest.dropFirst(name.count).drop { $0 <= 0x20 }
            guard let quote = rest.first, quote == 0x22 || quote == 0x27 else {
                if rest.starts(with: "SYSTEM".utf8) || rest.starts(with: "PUBLIC".utf8), entities[name] == nil {
                    entities[name] = []
                    external.insert(name)
                }
                continue
            }
            let value = Array(rest.dropFirst().prefix { $0 != quote })
            rest = rest.dropFirst(value.count + 1)
            let isPlain = !value.contains { $0 == 0x26 || $0 == 0x3C || $0 == 0x25 || $0 == 0x22 || $0 == 0x27 }
            if isPlain, value.count <= longestText, entities[name] == nil { entities[name] = value }
        }
        return (entities, external)
    }

    private static func reference(at place: Int, in text: [UInt8]) -> (name: [UInt8], next: Int)? {
        let name = Array(text[(place + 1)...].prefix(64).prefix { $0 != 0x3B && $0 > 0x20 })
        let end = place + 1 + name.count
        return end < text.count && text[end] == 0x3B ? (name, end + 1) : nil
    }

    private static func first(_ word: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let word = Array(word.utf8)
        var rest = bytes
        while let place = rest.firstIndex(of: word[0]) {
            rest = rest[place...]
            if rest.starts(with: word) { return place }
            rest = rest.dropFirst()
        }
        return nil
    }
}
