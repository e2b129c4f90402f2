import ChemopenBrowse

extension HTTPResponse {
    /// Creates a response with the requested content: the entire file, a part of it, or the confirmation that it is
    /// unchanged (RFC 9110, sections 13 and 14).
    init(_ content: ServedContent, for request: HTTPRequest) {
        let size = content.bytes.count
        if let known = request.ifNoneMatch, Self.isListed(content.tag, in: known) {
            self.init(304)
            headers = [("ETag", content.tag)]
            return
        }
        let isWhole = request.ifRange.map { $0 != content.tag } ?? false
        var part = 0..<size
        switch isWhole ? nil : request.range.flatMap({ WantedPart($0, of: size) }) {
        case nil: self.init(200)
        case .part(let range)?:
            part = range
            self.init(206)
            headers = [("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")]
        case .nowhere?:
            self.init(416)
            headers = [("Content-Range", "bytes */\(size)")]
            return
        }
        switch content.bytes {
        case .memory(let bytes): body = .bytes(Array(bytes[part]))
        case .file(_, let read): body = .file(part, read: read)
        }
        held = content
        headers += [
            ("ETag", content.tag), ("Accept-Ranges", "bytes"), ("Content-Type", content.mimeType),
            // Prevents browsers from showing the file as a page of this server.
            ("Content-Disposition", "attachment"),
        ]
    }

    private static func isListed(_ tag: String, in list: String) -> Bool {
        list.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }
            return item == "*" || (item.hasPrefix("W/") ? item.dropFirst(2) : item) == tag
        }
    }
}

/// The part of a file that a `Range` field requests. Invalid fields and multiple ranges are ignored.
enum WantedPart: Hashable {
    case part(Range<Int>)
    /// The range starts after the end of the file.
    case nowhere

    init?(_ field: String, of size: Int) {
        let text = field.lowercased()
        guard text.hasPrefix("bytes=") else { return nil }
        let words = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else { return nil }
        switch (Int(words[0]), Int(words[1])) {
        case (let first?, let last) where words[1].isEmpty || last != nil:
            if let last, last < first { return nil }
            if first >= size { self = .nowhere } else { self = .part(first..<min(last ?? size, size - 1) + 1) }
        case (nil, let count?) where words[0].isEmpty:
            if count == 0 || size == 0 { self = .nowhere } else { self = .part(max(0, size - count)..<size) }
        default: return nil
        }
    }
}
