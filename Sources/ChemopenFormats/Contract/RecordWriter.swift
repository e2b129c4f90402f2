import ChemopenBytes
import ChemopenModel

/// A writer that writes records in order.
public protocol RecordWriter: ~Copyable, SendableMetatype {
    /// Creates a writer to a sink, which `finish` commits.
    ///
    /// - Throws: `WriteError` if the output cannot be started.
    init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError)

    /// Passes the known properties of the table to the writer, before the first row. Formats without tables use only a
    /// part of them.
    ///
    /// - Throws: `WriteError` if the header cannot be written.
    mutating func begin(_ header: SheetHeader) throws(WriteError)

    /// Writes a record.
    ///
    /// - Returns: the content that the format cannot represent, and the version used.
    /// - Throws: `WriteError` if the record is inconsistent (see `Record.validate`) or the output fails.
    mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport

    /// Writes bytes that are a complete record in this format.
    ///
    /// If the last record of a file lacks a separator or line end, it is added before the next record.
    ///
    /// - Parameter beginsFile: whether the bytes are the first of their file and include its header lines.
    /// - Throws: `WriteError` if the format permits no further record or the output fails.
    mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError)

    /// Writes the bytes after the last record of a copied file.
    ///
    /// - Throws: `WriteError` if the output fails.
    mutating func copy(rest bytes: [UInt8]) throws(WriteError)

    /// Replaces the header passed to `begin` by one that differs only in the number of rows.
    ///
    /// - Returns: `false`, without any change, if the output cannot be changed or the header has a different size.
    /// - Throws: `WriteError` if the output fails.
    mutating func replaceHeader(by header: SheetHeader) throws(WriteError) -> Bool

    /// Writes the end of the file and commits the output. If it is not called, no file is created.
    ///
    /// - Throws: `WriteError` if the output fails.
    mutating func finish() throws(WriteError)

    /// Returns the bytes of a writer to memory, and removes them from it.
    mutating func takeBytes() -> [UInt8]
}

extension RecordWriter where Self: ~Copyable {
    /// Returns `false` by default: there is no header to replace.
    public mutating func replaceHeader(by header: SheetHeader) throws(WriteError) -> Bool { false }

    /// Drops the bytes by default.
    public mutating func copy(rest bytes: [UInt8]) throws(WriteError) {}
}

extension Record {
    /// Throws an error if the record is so inconsistent that no format can represent it. Writers call it first.
    ///
    /// - Throws: `WriteError` with the reason.
    public func validate() throws(WriteError) {
        if let reason = validationError { throw WriteError(.impossible, reason) }
    }

    /// Performs the same check for a record whose molecule is passed separately, which avoids a copy.
    func validate(holding molecule: borrowing Molecule) throws(WriteError) {
        if let reason = validationError(holding: molecule) { throw WriteError(.impossible, reason) }
    }
}

/// The result of writing a record.
public struct WriteReport: Sendable, Hashable {
    /// The content that the format cannot represent.
    public var losses: [Loss] = []
    /// The version that was used, if the format has several: `V3000`.
    public var version = ""
    /// The reason for a version other than the default: `more than 999 atoms`.
    public var reason = ""

    /// Creates an empty report.
    public init() {}
}

/// Options for writing.
public struct WriteOptions: Sendable {
    /// The version of MDL connection tables.
    public var version = Version.asNeeded
    /// Whether lines end in CR LF.
    public var carriageReturns = false
    /// Whether the order of atoms in a line notation depends only on the molecule, not on its numbering.
    public var isCanonical = false
    /// The names of the columns in a delimited table, in order. If the list is empty, all columns are written.
    public var columns: [Text] = []
    /// Whether the text is a part of a larger file, so its header and end are omitted.
    public var isPiece = false
    /// A drawing with the settings for new drawings: fonts, colors, lengths and widths. Formats other than drawings
    /// ignore it.
    public var style: [UInt8]?

    /// Creates the default options.
    public init() {}

    /// The version of an MDL connection table.
    public enum Version: Sendable, Hashable {
        /// V2000 if it can represent the molecule, otherwise V3000.
        case asNeeded
        /// Always this version.
        case v2000, v3000
    }
}

// Output operations that are shared by the writers of all formats.

extension ByteSink {
    /// Writes the pending bytes if there are many.
    mutating func handOn() throws(WriteError) {
        do throws(FileError) {
            try flushIfLarge()
        } catch {
            throw WriteError(error)
        }
    }

    /// Writes all pending bytes and then many more, which are not copied on the way to a file.
    mutating func handOn(_ bytes: [UInt8]) throws(WriteError) {
        do throws(FileError) {
            try hand(bytes)
        } catch {
            throw WriteError(error)
        }
    }

    /// Overwrites the first bytes of the file. Returns `false` if the output does not support it.
    mutating func overwriteBeginning(with bytes: [UInt8]) throws(WriteError) -> Bool {
        do throws(FileError) {
            return try overwrite(bytes)
        } catch {
            throw WriteError(error)
        }
    }

    /// Writes all bytes and commits the output.
    mutating func finishWriting() throws(WriteError) {
        do throws(FileError) {
            try commit()
        } catch {
            throw WriteError(error)
        }
    }

    /// Returns and removes the bytes of a sink in memory.
    mutating func takeAll() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
