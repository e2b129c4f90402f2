import ChemopenBytes
import ChemopenModel

/// The blocks that hold tables of their own: R-groups and templates.
extension MolfileReader {
    /// `BEGIN RGROUP n`, then `RLOGIC thenR RestH occurrence` and a CTAB for each member.
    mutating func readRGroup(_ bytes: Span<UInt8>, _ first: V3000Line) throws(Fault) {
        let number = first.text.span.integer(2, ofWordsIn: first)
        if number == nil { doubt(first, "the R-group has no number; read as 0") }
        var group = RGroup(number ?? 0)
        try forEachLine(bytes, in: .rgroup, from: first) { (reader, line) throws(Fault) in
            if line.keyword == .begin, line.block == .table {
                group.members.append(try reader.readInnerCtab(bytes, name: reader.ctabName(line)))
            } else if line.keyword == .logic, group.logic == nil {
                group.logic = reader.logic(line)
            } else {
                return false
            }
            return true
        }
        add(group, first)
    }

    /// A second block of the same number goes on with the first.
    private mutating func add(_ group: RGroup, _ line: V3000Line) {
        guard let place = rgroupPlaces[group.number] else {
            rgroupPlaces[group.number] = rare?.rgroups.count ?? 0
            return withRare { $0.rgroups.append(group) }
        }
        doubt(line, "a second block of the R-group; read with the first")
        withRare { rare in
            rare.rgroups[place].members += group.members
            rare.rgroups[place].logic = rare.rgroups[place].logic ?? group.logic
        }
    }

    private func logic(_ line: V3000Line) -> RGroup.Logic {
        let text = line.text.span
        var logic = RGroup.Logic()
        logic.requires = Int32(clamping: text.integer(1, ofWordsIn: line) ?? 0)
        logic.restIsHydrogen = text.integer(2, ofWordsIn: line) == 1
        var words = V3000Words()
        for _ in 0..<3 { _ = words.next(in: text) }
        if let word = words.next(in: text) { logic.occurrence = word.text(in: text) }
        return logic
    }

    /// `TEMPLATE index CLASS/Name[/Alias…] [KEY=value …]`, each with its CTAB.
    mutating func readTemplates(_ bytes: Span<UInt8>, _ first: V3000Line) throws(Fault) {
        var templates: [Template] = []
        var hasTable = true
        try forEachLine(bytes, in: .template, from: first) { (reader, line) throws(Fault) in
            if line.keyword == .template {
                if !hasTable { reader.doubt(line, "the template before has no CTAB; kept empty") }
                templates.append(reader.template(line))
                hasTable = false
            } else if line.keyword == .begin, line.block == .table, !templates.isEmpty, !hasTable {
                templates[templates.count - 1].molecule = try reader.readInnerCtab(bytes, name: reader.ctabName(line))
                hasTable = true
            } else {
                return false
            }
            return true
        }
        if !hasTable { doubt(first, "the last template has no CTAB; kept empty") }
        let all = templates
        withRare { $0.templates += all }
    }

    private func template(_ line: V3000Line) -> Template {
        let text = line.text.span
        var words = V3000Words()
        for _ in 0..<2 { _ = words.next(in: text) }
        var template = Template(words.next(in: text)?.text(in: text) ?? Text(), Molecule())
        while let word = words.next(in: text) {
            let name = Text(bytes: text.bytes(word.key))
            template.keywords.append(.init(name, Text(bytes: text.bytes(word.raw))))
        }
        return template
    }

    /// Hands on the lines of a block one by one, up to its END. A line that is not taken is kept as it stands.
    private mutating func forEachLine(
        _ bytes: Span<UInt8>, in block: V3000Keyword, from first: V3000Line,
        _ take: (inout MolfileReader, V3000Line) throws(Fault) -> Bool
    ) throws(Fault) {
        while true {
            let start = lines
            guard let line = nextV3000Line(bytes) else { break }
            if line.text.isEmpty { continue }
            let isBegin = line.keyword == .begin
            if line.keyword == .end {
                if line.block == block { return }
                doubt(line, "no such block is open; passed over")
                continue
            }
            if isBegin, line.block.isOuterBlock {
                lines = start
                break
            }
            if try take(&self, line) { continue }
            doubt(line, "no line of this block; kept as it is")
            if isBegin { keepBlock(bytes, line) } else { keepLine(line) }
        }
        doubt(first, "the block has no END; read what is there")
    }
}

extension Span where Element == UInt8 {
    /// The whole number that is a word of the line, counted from 0.
    func integer(_ place: Int, ofWordsIn line: V3000Line) -> Int? {
        var words = V3000Words()
        for _ in 0..<place { _ = words.next(in: self) }
        guard let word = words.next(in: self), word.key.isEmpty else { return nil }
        return integer(word.raw)
    }
}
