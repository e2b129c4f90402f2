import ChemopenBytes

/// A file of key groups, the format of desktop entries and association lists.
///
///     let file = KeyFile(Array("[A]\nName=x\nName[de]=y\n".utf8))
///     file["A", "Name"]        // x
struct KeyFile: Sendable {
    struct Group: Sendable {
        let name: String
        var values: [String: String] = [:]
        /// The keys in file order, without duplicates.
        var keys: [String] = []
    }

    private(set) var groups: [Group] = []
    /// The index of each group by its name.
    private var places: [String: Int] = [:]
    /// Invalid lines, counted from 1: neither a group, nor a key with a value, nor a comment.
    private(set) var faults: [Int] = []

    init(_ bytes: [UInt8]) {
        var current: Int?
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        for (index, part) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            var part = part
            if part.last == UInt8(ascii: "\r") { part = part.dropLast() }
            let line = String(decoding: part, as: UTF8.self).trimmingBlanks()
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                guard line.hasSuffix("]") else {
                    faults.append(index + 1)
                    current = nil
                    continue
                }
                current = enter(String(line.dropFirst().dropLast()))
            } else if let current, let equals = line.firstIndex(of: "="), equals != line.startIndex {
                let key = String(line[..<equals]).trimmingBlanks()
                let value = String(line[line.index(after: equals)...]).trimmingBlanks()
                if groups[current].values.updateValue(value, forKey: key) == nil { groups[current].keys.append(key) }
            } else {
                faults.append(index + 1)
            }
        }
    }

    private mutating func enter(_ name: String) -> Int {
        if let place = places[name] { return place }
        places[name] = groups.count
        groups.append(Group(name: name))
        return groups.count - 1
    }

    func group(_ name: String) -> Group? {
        places[name].map { groups[$0] }
    }

    /// The raw value.
    subscript(group: String, key: String) -> String? {
        self.group(group)?.values[key]
    }
}

extension KeyFile.Group {
    /// Returns a value with its escapes decoded.
    func string(_ key: String) -> String? {
        values[key].map(Self.unescaped)
    }

    /// Returns a value in the first available of several locales.
    func string(_ key: String, in locales: [String]) -> String? {
        for locale in locales {
            if let value = values["\(key)[\(locale)]"] { return Self.unescaped(value) }
        }
        return string(key)
    }

    /// Returns a Boolean value. Old files use `1` and `0` instead of `true` and `false`.
    func flag(_ key: String) -> Bool {
        values[key] == "true" || values[key] == "1"
    }

    /// Returns the items of a list, each terminated by a semicolon. A backslash escapes a semicolon inside an item.
    func list(_ key: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var isEscaped = false
        for character in values[key] ?? "" {
            if isEscaped {
                part += character == ";" ? ";" : "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == ";" {
                parts.append(part)
                part = ""
            } else {
                part.append(character)
            }
        }
        if isEscaped { part += "\\" }
        parts.append(part)
        return parts.map { Self.unescaped($0).trimmingBlanks() }.filter { !$0.isEmpty }
    }

    private static func unescaped(_ value: String) -> String {
        guard value.contains("\\") else { return value }
        var text = ""
        var isEscaped = false
        for character in value {
            guard isEscaped else {
                if character == "\\" { isEscaped = true } else { text.append(character) }
                continue
            }
            isEscaped = false
            switch character {
            case "s": text += " "
            case "n": text += "\n"
            case "t": text += "\t"
            case "r": text += "\r"
            case "\\": text += "\\"
            default: text += "\\\(character)"
            }
        }
        return isEscaped ? text + "\\" : text
    }
}

extension KeyFile {
    /// Escapes text for use as a value.
    static func escaped(_ text: String) -> String {
        text.replacingEach("\\", by: "\\\\").replacingEach("\n", by: "\\n").replacingEach("\t", by: "\\t")
            .replacingEach("\r", by: "\\r")
    }
}

extension String {
    /// Removes spaces, tabs and carriage returns from both ends.
    func trimmingBlanks() -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        let start = drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(start[...last])
    }
}
