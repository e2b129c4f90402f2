import ChemopenBytes

/// The desktop's rules that detect types by the first bytes of a file, from its `mime/magic` files.
struct MagicRules: Sendable {
    fileprivate struct Rule: Sendable {
        /// The nesting level: the number of enclosing rules that must match.
        var level: Int
        var offset: Int
        var value: [UInt8]
        var mask: [UInt8]
        /// The number of successive offsets to try.
        var places: Int
    }

    private struct Section: Sendable {
        var priority: Int
        var type: String
        var rules: [Rule] = []
    }

    /// The sections in descending priority.
    private var sections: [Section] = []

    /// Reads the rules of all data directories. If a file is malformed, the rules before the error apply.
    init(_ session: SessionEnvironment) {
        for folder in session.dataFolders {
            if let bytes = try? readFile(folder.appending("mime/magic")) { sections += Self.sections(bytes) }
        }
        sections = sections.enumerated().sorted {
            ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset)
        }.map(\.element)
    }

    init(_ bytes: [UInt8]) {
        sections = Self.sections(bytes)
    }

    /// Returns the type with the highest priority whose rules match the start of a file.
    func type(of head: [UInt8], except isLeftOut: (String) -> Bool) -> String? {
        sections.first { !isLeftOut($0.type) && Self.meets($0.rules, head) }?.type
    }

    /// Returns whether a rule of the outermost level matches and, if it has nested rules, at least one of them.
    private static func meets(_ rules: [Rule], _ head: [UInt8]) -> Bool {
        var open = 0
        for (index, rule) in rules.enumerated() where rule.level <= open {
            open = rule.level
            guard meets(rule, head) else { continue }
            let hasInner = index + 1 < rules.count && rules[index + 1].level == rule.level + 1
            if !hasInner { return true }
            open += 1
        }
        return false
    }

    private static func meets(_ rule: Rule, _ head: [UInt8]) -> Bool {
        let last = min(rule.offset + rule.places - 1, head.count - rule.value.count)
        guard rule.offset <= last else { return false }
        return (rule.offset...last).contains { place in
            rule.value.indices.allSatisfy { (head[place + $0] ^ rule.value[$0]) & rule.mask[$0] == 0 }
        }
    }

    // MARK: Reading

    private static func sections(_ bytes: [UInt8]) -> [Section] {
        var rest = bytes[...]
        let signature = Array("MIME-Magic\0\n".utf8)
        guard rest.starts(with: signature) else { return [] }
        rest = rest.dropFirst(signature.count)
        var sections: [Section] = []
        while let first = rest.first {
            if first == UInt8(ascii: "[") {
                guard let section = heading(&rest) else { break }
                sections.append(section)
            } else {
                guard let rule = rule(&rest), !sections.isEmpty else { break }
                sections[sections.count - 1].rules.append(rule)
            }
        }
        return sections
    }

    /// Parses a line `[priority:type]`.
    private static func heading(_ rest: inout ArraySlice<UInt8>) -> Section? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self).dropFirst().dropLast()
        rest = rest[(end + 1)...]
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let priority = Int(parts[0]) else { return nil }
        return Section(priority: priority, type: String(parts[1]))
    }

    /// Parses a rule: `level>offset=`, the length of the value in two bytes, the value, then `&mask`, `~word` and
    /// `+places`.
    private static func rule(_ rest: inout ArraySlice<UInt8>) -> Rule? {
        let level = number(&rest) ?? 0
        guard rest.popFirst() == UInt8(ascii: ">"), let offset = number(&rest), rest.popFirst() == UInt8(ascii: "="),
            let high = rest.popFirst(), let low = rest.popFirst()
        else { return nil }
        let length = Int(high) << 8 | Int(low)
        guard length > 0, rest.count >= length else { return nil }
        var rule = Rule(
            level: level, offset: offset, value: Array(rest.prefix(length)),
            mask: [UInt8](repeating: 0xFF, count: length), places: 1)
        rest = rest.dropFirst(length)
        while let sign = rest.popFirst(), sign != UInt8(ascii: "\n") {
            switch sign {
            case UInt8(ascii: "&"):
                guard rest.count >= length else { return nil }
                rule.mask = Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            case UInt8(ascii: "~"):
                guard let size = number(&rest), size > 0 else { return nil }
                // The value consists of units in native byte order, but the file stores the high byte first.
                if 1.littleEndian == 1 { rule.swapWords(size) }
            case UInt8(ascii: "+"):
                guard let places = number(&rest), places > 0 else { return nil }
                rule.places = places
            default: return nil
            }
        }
        return rule
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(9)
        rest = rest.dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

extension MagicRules.Rule {
    fileprivate mutating func swapWords(_ size: Int) {
        guard size > 1, value.count % size == 0 else { return }
        for start in stride(from: 0, to: value.count, by: size) {
            value[start..<(start + size)].reverse()
            mask[start..<(start + size)].reverse()
        }
    }
}
