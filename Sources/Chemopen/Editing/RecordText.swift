/// A writer for the bytes of a modified record. It reuses the bytes of earlier versions for parts that are unchanged
/// and writes the others.
struct RecordText {
    /// A version of the record with its bytes in a file of the format.
    struct Version {
        let bytes: [UInt8]
        let record: Record

        /// The bytes of the line end of its first line.
        var lineEnd: [UInt8]? { bytes.span.firstLineEnd }
    }

    let format: Format

    /// Returns the bytes of a record, and whether reading them results in exactly this record.
    ///
    /// - Parameters:
    ///   - versions: The versions from which an edit or a merge derived the record. The line ends and blank lines of
    ///     the first version are used.
    ///   - hasCarriageReturns: Whether lines end with a carriage return if the versions have no line ends.
    func bytes(
        of record: Record, from versions: [Version], hasCarriageReturns: Bool = false
    ) throws(WriteError) -> (bytes: [UInt8], isExact: Bool) {
        // Another version can have the same record, but differ in content that the model does not store.
        let same = format.patch == nil ? versions[...] : versions.prefix(1)
        if let version = same.first(where: { record.says($0.record) }) { return (version.bytes, true) }
        // The last line of a file may have no line end.
        let endsInReturn = versions.first?.lineEnd.map { $0.first == Ascii.carriageReturn } ?? hasCarriageReturns
        var losses: [Loss] = []
        let version = versions.first.flatMap { self.version(of: $0.bytes) }
        let written = try self.written(record, version, carriageReturns: endsInReturn, &losses)
        if let bytes = patched(record, written, versions) { return (bytes, true) }
        if let last = PartedVersion(Version(bytes: written, record: record), format) {
            let kept = structures(of: record, versions, last)
            let candidates = kept.dropLast() + structureLines(of: record, written, versions) + kept.suffix(1)
            for structure in candidates {
                let bytes = composed(record, last, versions, structure)
                if let bytes, reads(bytes, as: record) { return (bytes, true) }
            }
        }
        return (written, reads(written, as: record))
    }

    /// Returns the bytes that the format's writer produces for a record.
    ///
    /// - Parameter header: The columns, for a row of a table.
    func written(
        _ record: Record, _ version: WriteOptions.Version? = nil, carriageReturns: Bool, header: SheetHeader? = nil,
        _ losses: inout [Loss]
    ) throws(WriteError) -> [UInt8] {
        var options = WriteOptions()
        options.isPiece = true
        if let version { options.version = version }
        options.carriageReturns = carriageReturns
        var writer = try format.makeWriter(ByteSink(), options)
        if let header { try writer.begin(header) }
        losses += try writer.write(record).losses
        return writer.takeBytes()
    }

    /// Returns the version for an edited record: V3000 remains V3000. V2000 becomes V3000 if it cannot store an edit.
    private func version(of bytes: [UInt8]) -> WriteOptions.Version? {
        let span = bytes.span
        guard format.hasTableLines, let title = format.parts?(span)?.title else { return nil }
        var lines = LineCursor(title.lowerBound..<span.count, of: span)
        for _ in 0..<3 { _ = lines.next(in: span) }
        return lines.next(in: span).map { bytes[$0].has("V3000", at: 34) } == true ? .v3000 : nil
    }

    private func reads(_ bytes: [UInt8], as record: Record) -> Bool {
        guard let source = try? ByteSource(bytes), var records = try? RecordStream.open(source, as: format),
            let read = try? records.next(), read.says(record)
        else { return false }
        return (try? records.next()) == .some(nil)
    }

    /// Returns the first version with the changed parts replaced, or `nil` if it cannot be patched.
    private func patched(_ record: Record, _ written: [UInt8], _ versions: [Version]) -> [UInt8]? {
        guard let patch = format.patch, let first = versions.first else { return nil }
        var changes = RecordPatch()
        for part in Record.parts(of: [record, first.record]) {
            let content = record.content(of: part)
            if content == first.record.content(of: part) { continue }
            let source = versions.dropFirst().first { $0.record.content(of: part) == content }?.bytes ?? written
            switch part {
            case .title: changes.title = written
            case .structure: (changes.structure, changes.title) = (source, written)
            case .registry: changes.registry = source
            case .otherLines: changes.otherLines = source
            case .field(let name):
                let names = record.fields.prefix { $0.name != name }.map(\.name)
                changes.fields.append((name, names.last, source))
            }
        }
        for spelling in [nil, written] {
            changes.spelling = spelling
            if let bytes = patch(first.bytes, changes), reads(bytes, as: record) { return bytes }
        }
        return nil
    }

    /// Whether a version differs from an older one in content that the model does not store.
    ///
    /// The version is patched with each part of the older record; if only modeled parts differ, the result is the older
    /// text. Other formats have no content that the model does not store.
    func hasOtherText(_ version: Version, than old: Version) -> Bool {
        guard format.patch != nil else { return false }
        guard let restored = patched(old.record, old.bytes, [version]) else { return true }
        return !MergeRun.haveSameLines(restored[...], old.bytes[...])
    }

    // MARK: Parts of versions

    /// Returns candidates for the lines of the first version with its structure edited in place, the best one first.
    /// The list is empty if another version already has the edited structure or the lines cannot be found.
    private func structureLines(of record: Record, _ written: [UInt8], _ versions: [Version]) -> [[UInt8]] {
        guard let version = versions.first, version.record.molecule != nil, record.molecule != nil,
            record.registry == version.record.registry,
            !versions.contains(where: { record.content(of: .structure) == $0.record.content(of: .structure) }),
            let first = PartedVersion(version, format), let title = first.parts.title
        else { return [] }
        if format.hasLineNotation {
            guard let newTitle = format.parts?(written.span)?.title, written[newTitle] == version.bytes[title] else {
                return []
            }
            return [
                Array(written[..<Self.startOfGap(before: newTitle, in: written)])
                    + first.structure[Self.startOfGap(before: title, in: first.structure)...]
            ]
        }
        guard let lines = format.structureLines else { return [] }
        let endsInReturn = version.lineEnd?.first == Ascii.carriageReturn
        let usual = self.version(of: version.bytes)
        // V2000 lines can contain bonds that V2000 does not officially support.
        return [usual, .v2000].compactMap { spelling in
            if spelling == .v2000, usual == .v3000 { return nil }
            var losses: [Loss] = []
            guard let was = try? self.written(version.record, spelling, carriageReturns: endsInReturn, &losses),
                let now = spelling == usual
                    ? written : try? self.written(record, spelling, carriageReturns: endsInReturn, &losses),
                let wasText = structureText(in: was), let newText = structureText(in: now)
            else { return nil }
            return lines(first.structure[title.lowerBound...], wasText, newText).map {
                first.structure[..<title.lowerBound] + $0
            }
        }
    }

    /// Returns the start of the blanks before the title of a line.
    private static func startOfGap(before title: Range<Int>, in line: [UInt8]) -> Int {
        var start = title.lowerBound
        while start > 0, line.indices.contains(start - 1), Ascii.isBlank(line[start - 1]) { start -= 1 }
        return start
    }

    private func structureText(in written: [UInt8]) -> ArraySlice<UInt8>? {
        guard let parts = format.parts?(written.span), let start = parts.title?.lowerBound,
            start <= parts.endOfStructure
        else { return nil }
        return written[start..<parts.endOfStructure]
    }

    private func composed(
        _ record: Record, _ last: PartedVersion, _ versions: [Version], _ structure: [UInt8]
    ) -> [UInt8]? {
        let versions = versions.compactMap { PartedVersion($0, format) }
        guard let first = versions.first else { return nil }
        var bytes = structure
        var gap = first.parts.endOfStructure
        var closing = first.parts.fields.isEmpty ? first.parts.closing : []
        var next = 0
        for place in record.fields.indices {
            if let kept = (next..<first.parts.fields.count).first(where: { first.says(record, place, $0) }) {
                // Text between fields is preserved even if a field is removed.
                for skipped in next...kept { bytes += first.gap(before: skipped, &gap) }
                bytes += first.bytes(of: kept)
                closing = kept == first.parts.fields.count - 1 ? first.parts.closing : []
                next = kept + 1
            } else {
                bytes += closing
                closing = []
                bytes += field(place, of: record, versions, last)
            }
        }
        for skipped in next..<max(next, first.parts.fields.count) { bytes += first.gap(before: skipped, &gap) }
        return bytes + first.version.bytes[first.parts.endOfFields...]
    }

    /// Returns candidates for the lines of the structure, the one with the most unchanged lines first.
    private func structures(of record: Record, _ versions: [Version], _ written: PartedVersion) -> [[UInt8]] {
        let parted = versions.compactMap { PartedVersion($0, format) }
        guard let first = parted.first else { return [] }
        let structure = structure(of: record, parted, written)
        guard format.hasTableLines, structure == written.structure, first.structure != written.structure else {
            return [structure]
        }
        var losses: [Loss] = []
        let endsInReturn = written.version.lineEnd?.first == Ascii.carriageReturn
        let version = version(of: first.version.bytes)
        guard let bytes = try? self.written(first.version.record, version, carriageReturns: endsInReturn, &losses),
            let old = PartedVersion(Version(bytes: bytes, record: first.version.record), format)
        else { return [structure] }
        var alignment: AtomAlignment?
        if let one = first.version.record.molecule, let other = record.molecule {
            alignment = AtomAlignment(one, other)
        }
        let lines = LinePreservation(
            of: first.structure, written: (old.structure, written.structure), atoms: alignment?.partners,
            bonds: alignment?.bonds)
        return LinePreservation.Extent.allCases.map { lines.text($0) } + [structure]
    }

    /// Returns the lines of a structure with its title.
    private func structure(of record: Record, _ versions: [PartedVersion], _ written: PartedVersion) -> [UInt8] {
        if let same = versions.first(where: { $0.version.record.subject == record.subject }) { return same.structure }
        let content = record.content(of: .structure)
        let same = versions.first { $0.version.record.content(of: .structure) == content }
        guard let same, let place = same.parts.title else { return written.structure }
        let titled = versions.first { $0.version.record.title == record.title && $0.parts.title != nil } ?? written
        guard let title = titled.parts.title else { return written.structure }
        var structure = same.structure
        structure.replaceSubrange(place, with: titled.version.bytes[title])
        return structure
    }

    /// Returns the lines of a field that is not in the first version. If only the value has changed, the line with its
    /// name is preserved.
    private func field(
        _ place: Int, of record: Record, _ versions: [PartedVersion], _ written: PartedVersion
    ) -> ArraySlice<UInt8> {
        for version in versions.dropFirst() {
            let same = version.parts.fields.indices.first { version.says(record, place, $0) }
            if let same { return version.bytes(of: same) }
        }
        let field = record.fields[place]
        let lines = written.parts.fields[place]
        guard let first = versions.first,
            let old = first.version.record.fields.firstIndex(where: {
                $0.name == field.name && $0.header == field.header
            })
        else { return written.version.bytes[lines.range] }
        let name = first.parts.fields[old]
        return first.version.bytes[name.range.lowerBound..<name.value]
            + written.version.bytes[lines.value..<lines.range.upperBound]
    }
}

/// A version of a record with the locations of its parts.
private struct PartedVersion {
    let version: RecordText.Version
    let parts: RecordParts

    init?(_ version: RecordText.Version, _ format: Format) {
        guard let parts = format.parts?(version.bytes.span), parts.fields.count == version.record.fields.count else {
            return nil
        }
        (self.version, self.parts) = (version, parts)
    }

    var structure: [UInt8] { Array(version.bytes[..<parts.endOfStructure]) }

    func bytes(of field: Int) -> ArraySlice<UInt8> { version.bytes[parts.fields[field].range] }

    /// Returns the bytes before a field that belong to no field, and advances the position past the field.
    func gap(before field: Int, _ position: inout Int) -> ArraySlice<UInt8> {
        let range = parts.fields[field].range
        defer { position = range.upperBound }
        return version.bytes[position..<max(position, range.lowerBound)]
    }

    func says(_ record: Record, _ place: Int, _ own: Int) -> Bool {
        record.hasSameField(place, as: own, of: version.record)
    }
}
