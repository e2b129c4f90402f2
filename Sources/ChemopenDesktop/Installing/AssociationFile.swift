/// The user's own `mimeapps.list`, changed line by line: all that is not concerned stays as it stands.
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

    /// No line says anything.
    var isBlank: Bool {
        lines.allSatisfy { line in line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") } }
    }

    /// The entries named for a type.
    func ids(for type: String, in section: Section) -> [String] {
        KeyFile(bytes).group(section.rawValue)?.list(type) ?? []
    }

    /// Names the entries for a type; none takes its line away, and a section that is empty then.
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
        // Behind the last line of the section that is not blank.
        let end = lines[range].lastIndex { !$0.isEmpty } ?? range.lowerBound
        lines.insert(line, at: end + 1)
        if end + 2 == lines.count { endsInNewline = true }
    }

    /// Adds an entry in front of those named for a type.
    mutating func prepend(_ id: String, for type: String, in section: Section) {
        set([id] + ids(for: type, in: section).filter { $0 != id }, for: type, in: section)
    }

    /// Takes one entry out of those named for a type.
    mutating func remove(_ id: String, for type: String, in section: Section) {
        let named = ids(for: type, in: section)
        if named.contains(id) { set(named.filter { $0 != id }, for: type, in: section) }
    }

    /// Puts an entry in the place of another wherever that is named, unless it is named there already.
    mutating func rename(_ old: String, to new: String) {
        changeLists { ids in ids.contains(new) ? ids.filter { $0 != old } : ids.map { $0 == old ? new : $0 } }
    }

    /// Takes entries out of all lines.
    mutating func removeAll(where isUnwanted: (String) -> Bool) {
        changeLists { ids in ids.filter { !isUnwanted($0) } }
    }

    /// Changes the entries named in each line of the three sections; a line of none goes, and a section that is empty
    /// then.
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

    /// The lines of a section, its heading included.
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
