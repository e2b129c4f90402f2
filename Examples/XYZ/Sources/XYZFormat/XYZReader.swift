import Chemopen

/// Reads the frames of an XYZ file, each as one record.
///
/// A frame is taken whole, by the number of its lines, before it is read: one that is broken costs only itself.
public struct XYZReader: RecordReader, ~Copyable {
    private var source: ByteSource
    private let options: ReadOptions
    public private(set) var place = RecordPlace()
    public private(set) var issues: [Issue] = []
    /// The frame as it stands in the file.
    private var bytes: [UInt8] = []
    /// Blank lines in front of the frame.
    private var bytesBetween: [UInt8] = []
    /// How many lines were taken since the last frame began.
    private var lineCount = 0
    /// How much of the window holds no line feed: it is not searched again.
    private var searched = 0

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        self.source = source
        self.options = options
        place.record = options.recordsBefore
        place.line = options.linesBefore + 1
    }

    /// An XYZ file is no table: it has no columns.
    public var header: SheetHeader { SheetHeader() }

    public var bytesRead: Int { source.bytesRead }

    public func copyRecordBytes(to output: inout [UInt8]) { output += bytes }

    public func copyBytesBetweenRecords(to output: inout [UInt8]) { output += bytesBetween }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues.removeAll()
        try passOverBlankLines()
        beginRecord()
        guard let line = try takeLine() else { return false }
        place.record += 1
        defer { place.length = bytes.count }
        guard let count = XYZLine.count(bytes[line]) else {
            // Nothing tells how long the frame is: it ends where a line looks like the first of one.
            while let next = try peekLine(), XYZLine.count(source.buffer[next]) == nil { _ = try takeLine() }
            throw broken(line, 1, expected: "the number of atoms, alone on the first line of a frame")
        }
        record = Record(try molecule(of: count))
        return true
    }

    /// Reads the lines behind the first one. The number of atoms is a claim: it sizes no memory.
    private mutating func molecule(of count: Int) throws(ReadError) -> Molecule {
        var molecule = Molecule()
        molecule.flags = .threeDimensional
        if let comment = try takeLine() { molecule.name = Text(bytes: withoutBlanksAtEnd(bytes[comment])) }
        var failure: ReadError?
        for index in 0..<count {
            guard let line = try takeLine() else {
                let end = bytes.count..<bytes.count
                throw broken(end, lineCount + 1, expected: "\(count) atoms; the file ends after \(index)")
            }
            if let atom = XYZLine.atom(bytes[line]) {
                if failure == nil { append(atom, to: &molecule) }
            } else if failure == nil {
                failure = broken(line, lineCount, expected: "a symbol and three coordinates")
            }
        }
        if let failure { throw failure }
        return molecule
    }

    private mutating func append(
        _ line: (symbol: ArraySlice<UInt8>, place: Position, hasMore: Bool), to molecule: inout Molecule
    ) {
        let symbol = String(decoding: line.symbol, as: UTF8.self)
        // Some programs write the atomic number.
        let element = ChemicalElement(symbol: symbol) ?? UInt8(symbol).flatMap(ChemicalElement.init(rawValue:))
        var atom = Atom(element ?? .none, at: line.place)
        // All atoms stand in the file: none carries hydrogens that do not.
        atom.hydrogens = .fixed(0)
        molecule.atoms.append(atom)
        if element == nil { molecule.setLabel(Text(bytes: line.symbol), ofAtom: molecule.atoms.count - 1) }
        if line.hasMore, issues.isEmpty {
            issues.append(Issue(line: place.line + lineCount - 1, "more stands behind the coordinates; left out"))
        }
    }

    private func broken(_ line: Range<Int>, _ number: Int, expected: String) -> ReadError {
        ReadError(
            file: source.name, record: place.record, line: place.line + number - 1, offset: place.offset,
            expected: expected, found: Text(bytes: withoutBlanksAtEnd(bytes[line].prefix(200))))
    }

    private func withoutBlanksAtEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line[..<(line.lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? line.startIndex)]
    }
}

// MARK: Lines

extension XYZReader {
    private mutating func beginRecord() {
        place.line += lineCount
        place.offset = source.offset
        lineCount = 0
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func passOverBlankLines() throws(ReadError) {
        bytesBetween.removeAll()
        while let line = try peekLine(), XYZLine.words(source.buffer[line]).isEmpty {
            // A file may consist of nothing else.
            if bytesBetween.count < 1 << 20 { bytesBetween += source.buffer[line] }
            consume(line)
        }
    }

    /// Adds the next line to the frame and tells where it stands in there; `nil` at the end of the file.
    private mutating func takeLine() throws(ReadError) -> Range<Int>? {
        guard let line = try peekLine() else { return nil }
        guard bytes.count + line.count <= options.largestRecord else {
            consume(line)
            throw ReadError(
                .tooLarge, file: source.name, record: place.record, line: place.line, offset: place.offset,
                expected: "a frame of at most \(options.largestRecord) bytes")
        }
        bytes += source.buffer[line]
        consume(line)
        return bytes.count - line.count..<bytes.count
    }

    private mutating func consume(_ line: Range<Int>) {
        lineCount += 1
        source.consume(to: line.upperBound)
        searched = 0
    }

    /// The next line with its end, in the source's buffer. A line that is longer than any record is cut there.
    private mutating func peekLine() throws(ReadError) -> Range<Int>? {
        while true {
            let window = source.window
            if let feed = source.buffer[window].dropFirst(searched).firstIndex(of: XYZLine.feed) {
                return window.lowerBound..<feed + 1
            }
            if source.isAtEnd || window.count > options.largestRecord { return window.isEmpty ? nil : window }
            searched = window.count
            do throws(FileError) {
                _ = try source.fill()
            } catch {
                throw ReadError(error)
            }
        }
    }
}
