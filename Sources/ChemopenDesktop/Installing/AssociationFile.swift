/// The user's own `mimeapps.list`. Edits change single lines and preserve all others verbatim.
///
///     var file = AssociationFile(bytes)
///     file.set(["pymol.desktop"], for: "chemical/x-mdl-molfile", in: .defaults)
///     write(file.bytes)
struct AssociationFile: Sendable {
    enum Section: String, Sendable {
        case defaults = "Default Applications"
        case added = "Added Associations"
        case removed = "Removed Associations"
    }

    private var lines: [[UInt8]]
    private var endsInNewline: Bool

    init(_ bytes: [UInt8] = []) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        endsInNewline = lines.last?.isEmpty ?? true
        if endsInNewline { lines = lines.dropLast() }
    }

    var bytes: [UInt8] {
        let text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        return endsInNewline && !lines.isEmpty ? text + [UInt8(ascii: "\n")] : text
    }

    /// Whether all lines are blank.
    var isBlank: Bool {
        lines.allSatisfy { line in line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") } }
    }

    /// Returns the entries listed for a type.
    func ids(for type: String, in section: Section) -> [String] {
        KeyFile(bytes).group(section.rawValue)?.list(type) ?? []
    }

    /// Sets the entries for a type. An empty list removes the type's line, and its section if that becomes empty.
    mutating func set(_ ids: [String], for type: String, in section: Section) {
        let line = Array("\(type)=\(ids.map { $0 + ";" }.joined())".utf8)
        if let place = place(of: type, in: section) {
            if ids.isEmpty {
                lines.remove(at: place)
                removeIfEmpty(section)
            } else {
                lines[place] = line
            }
            return
        }
        if ids.isEmpty { return }
        guard let range = range(of: section) else {
            if let last = lines.last, !last.isEmpty { lines.append([]) }
            lines += [Array("[\(section.rawValue)]".utf8), line]
            endsInNewline = true
            return
        }
        // Insert after the last line of the section that is not blank.
        let end = lines[range].lastIndex { !$0.isEmpty } ?? range.lowerBound
        lines.insert(line, at: end + 1)
        if end + 2 == lines.count { endsInNewline = true }
    }

    /// Adds an entry before the others listed for a type.
    mutating func prepend(_ id: String, for type: String, in section: Section) {
        set([id] + ids(for: type, in: section).filter { $0 != id }, for: type, in: section)
    }

    /// Removes one entry from those listed for a type.
    mutating func remove(_ id: String, for type: String, in section: Section) {
        let named = ids(for: type, in: section)
        if named.contains(id) { set(named.filter { $0 != id }, for: type, in: section) }
    }

    /// Replaces an entry by another in all lists. If a list already contains the new entry, only removes the old one.
    mutating func rename(_ old: String, to new: String) {
        changeLists { ids in ids.contains(new) ? ids.filter { $0 != old } : ids.map { $0 == old ? new : $0 } }
    }

    /// Removes matching entries from all lines.
    mutating func removeAll(where isUnwanted: (String) -> Bool) {
        changeLists { ids in ids.filter { !isUnwanted($0) } }
    }

    /// Changes the entries in each line of the three sections. Lines and sections that become empty are removed.
    private mutating func changeLists(_ change: ([String]) -> [String]) {
        let file = KeyFile(bytes)
        for section in [Section.defaults, .added, .removed] {
            guard let group = file.group(section.rawValue) else { continue }
            for type in group.keys {
                let named = group.list(type)
                let changed = change(named)
                if changed != named { set(changed, for: type, in: section) }
            }
        }
    }

    /// Returns the lines of a section, including its heading.
    private func range(of section: Section) -> Range<Int>? {
        let heading = "[\(section.rawValue)]"
        guard let start = lines.firstIndex(where: { String(decoding: $0, as: UTF8.self).trimmingBlanks() == heading })
        else {
            return nil
        }
        let end = lines[(start + 1)...].firstIndex { $0.first == UInt8(ascii: "[") } ?? lines.count
        return start..<end
    }

    private func place(of type: String, in section: Section) -> Int? {
        guard let range = range(of: section) else { return nil }
        return lines[range].lastIndex { line in
            let text = String(decoding: line, as: UTF8.self)
            guard let equals = text.firstIndex(of: "="), !text.hasPrefix("#") else { return false }
            return String(text[..<equals]).trimmingBlanks() == type
        }
    }

    private mutating func removeIfEmpty(_ section: Section) {
        guard let range = range(of: section), lines[range].dropFirst().allSatisfy(\.isEmpty) else { return }
        let isLast = range.upperBound == lines.count
        lines.removeSubrange(range)
        if isLast, lines.last?.isEmpty == true { lines.removeLast() }
    }
}
