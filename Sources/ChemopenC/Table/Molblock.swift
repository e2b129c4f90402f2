import Chemopen

/// The notation of structures in a column. The column has the same name.
enum StructureForm: String, Sendable, Hashable, CaseIterable {
    case molblock, rxnblock, smiles, svg
    case canonical = "canonical_smiles"

    /// A description for users.
    var meaning: String {
        switch self {
        case .molblock: "the molecule as a molfile"
        case .rxnblock: "the reaction as an RXN file"
        case .smiles: "the SMILES in the order of the atoms"
        case .canonical: "the canonical SMILES, which is the same for equal structures"
        case .svg: "a picture"
        }
    }

    /// The format that reads this notation; `nil` for a picture.
    var format: Format? {
        switch self {
        case .molblock: .molfile
        case .rxnblock: .rxnfile
        case .smiles, .canonical: .smiles
        case .svg: nil
        }
    }

    /// Returns the structure of a record in this notation, with the losses, or `nil` if the notation cannot represent it.
    func text(of record: borrowing Record) -> (bytes: [UInt8], report: WriteReport)? {
        var lone = Record()
        lone.subject = record.subject
        var options = WriteOptions()
        switch self {
        case .molblock: return try? lone.text(as: .molfile, options)
        case .rxnblock: return try? lone.text(as: .rxnfile, options)
        case .svg:
            guard let picture = Picture(of: lone, style: Picture.Style(.light, hasColors: true)) else { return nil }
            return (picture.svg(), WriteReport())
        case .smiles, .canonical:
            if case .none = lone.subject { return nil }
            // A SMILES file contains a line with the SMILES and the name. The name is already in another column.
            lone.removeName()
            options.isCanonical = self == .canonical
            guard let (bytes, report) = try? lone.text(as: .smiles, options) else { return nil }
            return (Array(bytes.prefix { $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\n") }), report)
        }
    }

    /// Returns the reason why a record cannot be written in this notation.
    func problem(with subject: Record.Subject) -> String {
        switch (self, subject) {
        case (.molblock, .reaction): "the record is a reaction, but a molblock can contain only a molecule"
        case (.rxnblock, .molecule): "the record is a molecule, but an rxnblock can contain only a reaction"
        default: "the structure cannot be written as a \(rawValue)"
        }
    }

    /// Parses a list such as `molblock,smiles`. Returns `nil` if a name is unknown or repeated.
    static func list(_ text: String) -> [StructureForm]? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let forms = words.compactMap { StructureForm(rawValue: String($0)) }
        return forms.count == words.count && Set(forms).count == forms.count ? forms : nil
    }
}

extension TablePlan {
    /// Returns whether the records of a format start with a molfile.
    static func hasMolblocks(_ format: Format) -> Bool {
        format.id == Format.sdfile.id || format.id == Format.molfile.id
    }

    func hasMolblocks(_ path: LocalPath) throws(ReadError) -> Bool {
        try format(of: path).map(Self.hasMolblocks) ?? false
    }

    /// Returns the specified or detected format of a file, or `nil` if it is unknown.
    private func format(of path: LocalPath) throws(ReadError) -> Format? {
        if let format { return format }
        var source = try source(path)
        return identify(source.peekHead().head, named: path)?.format
    }

    /// The notations that can represent the structures of all files. An unreadable file is reported later.
    var usualForms: [StructureForm] {
        let haveReactions = paths.contains { path in
            (try? format(of: path))?.supportedFeatures.contains(.reactions) == true
        }
        return haveReactions ? [.molblock, .rxnblock] : [.molblock]
    }
}

/// The molfile at the start of an SD record.
enum Molblock {
    /// Returns the range from the title to the end of the line `M  END`, or `nil` if the record has an unusual form.
    static func range(of bytes: Span<UInt8>) -> Range<Int>? {
        let hasMark = bytes.count > 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        var start = hasMark ? 3 : 0
        // Blank lines may precede the title. The fourth line contains the counts.
        for _ in 0..<64 {
            var ends: [Int] = []
            var at = start
            while ends.count < 4, let end = firstIndex(of: 0x0A, in: bytes, from: at, to: bytes.count) {
                ends.append(end)
                at = end + 1
            }
            guard ends.count == 4 else { return nil }
            if isCountsLine(bytes.extracting(ends[2] + 1..<ends[3])) {
                return end(of: bytes, from: at).map { start..<$0 }
            }
            guard bytes.extracting(start..<ends[0]).indices.allSatisfy({ bytes[start + $0] <= 0x20 }) else {
                return nil
            }
            start = ends[0] + 1
        }
        return nil
    }

    private static func isCountsLine(_ line: Span<UInt8>) -> Bool {
        var index = 0
        while let letter = firstIndex(of: 0x56, in: line, from: index, to: line.count) {
            let rest = letter..<line.count
            if line.range(rest, begins: "V2000") || line.range(rest, begins: "V3000") { return true }
            index = letter + 1
        }
        return false
    }

    /// Returns the end of the line `M  END`. Searches for the letter `M`, which is rare in V2000 atom and bond blocks.
    private static func end(of bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while let letter = firstIndex(of: 0x4D, in: bytes, from: index, to: bytes.count) {
            index = letter + 1
            guard bytes[letter - 1] == 0x0A, bytes.range(letter..<bytes.count, begins: "M  END") else { continue }
            guard let feed = firstIndex(of: 0x0A, in: bytes, from: letter, to: bytes.count) else { return bytes.count }
            return feed + 1
        }
        return nil
    }
}
