import ChemopenBytes
import ChemopenModel

/// Writes records one after the other.
public protocol RecordWriter: ~Copyable, SendableMetatype {
    /// Writes into a sink, which is put in its place by `finish`.
    init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError)

    /// Tells what is known of the table before its first row. Formats without a table take what they can.
    mutating func begin(_ header: SheetHeader) throws(WriteError)

    /// Writes one record and tells what there was no place for. One that is impossible is refused:
    /// `Record.refuseImpossible`.
    mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport

    /// Writes bytes that are a whole record of this format already.
    ///
    /// A separator or line end that the last record of a file lacks is added when another record follows.
    ///
    /// - Parameter beginsFile: the bytes are the first of their file, and the lines that head it stand among them.
    mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError)

    /// Writes bytes that stand behind the last record of a file that is copied.
    mutating func copy(rest bytes: [UInt8]) throws(WriteError)

    /// Puts another header in the place of the one that `begin` got: one that differs in the number of rows alone.
    ///
    /// `false`, and nothing has changed, where that cannot be, or takes another room than there is.
    mutating func replaceHeader(by header: SheetHeader) throws(WriteError) -> Bool

    /// Writes what stands behind the last record and puts the output in its place; without it nothing is there.
    mutating func finish() throws(WriteError)

    /// Takes the bytes written so far, of a writer into memory.
    mutating func takeBytes() -> [UInt8]
}

extension RecordWriter where Self: ~Copyable {
    /// There is no header that could be replaced.
    public mutating func replaceHeader(by header: SheetHeader) throws(WriteError) -> Bool { false }

    /// Such bytes are left out.
    public mutating func copy(rest bytes: [UInt8]) throws(WriteError) {}
}

extension Record {
    /// Refuses a record of which no file can say what it is made of. Every writer begins with it.
    public func refuseImpossible() throws(WriteError) {
        if let reason = impossibility { throw WriteError(.impossible, reason) }
    }

    /// The same for a record of a molecule that was taken out of it.
    func refuseImpossible(holding molecule: borrowing Molecule) throws(WriteError) {
        if let reason = impossibility(holding: molecule) { throw WriteError(.impossible, reason) }
    }
}

/// The outcome of a record's writing.
public struct WriteReport: Sendable, Hashable {
    /// The parts that there was no place for.
    public var losses: [Loss] = []
    /// The version it was written in, where the format has several: `V3000`.
    public var version = ""
    /// Why the version is not the usual one: `more than 999 atoms`.
    public var reason = ""

    /// A report of nothing.
    public init() {}
}

/// How to write.
public struct WriteOptions: Sendable {
    /// Which version of an MDL connection table.
    public var version = Version.asNeeded
    /// Lines end in CR LF.
    public var carriageReturns = false
    /// A line notation has an order of atoms that follows from the molecule alone.
    public var isCanonical = false
    /// The columns that a delimited table has, by their names and in this order; all of them where none is named.
    public var columns: [Text] = []
    /// The text is one piece of a larger file: without the lines that begin and end the whole.
    public var isPiece = false
    /// The bytes of a drawing whose settings a drawing that is written takes: fonts, colours, lengths and widths. Other
    /// formats have no style.
    public var style: [UInt8]?

    /// The usual way of writing.
    public init() {}

    /// The versions of an MDL connection table.
    public enum Version: Sendable, Hashable {
        /// V2000 where it can hold the molecule, else V3000.
        case asNeeded
        /// This version alone.
        case v2000, v3000
    }
}

// The verbs that the writers of every format use on their output.

extension ByteSink {
    /// Hands the pending bytes on when there are many.
    mutating func handOn() throws(WriteError) {
        do throws(FileError) {
            try flushIfLarge()
        } catch {
            throw WriteError(error)
        }
    }

    /// Hands all pending bytes on, and these behind them, which are many: they are not copied on the way to a file.
    mutating func handOn(_ bytes: [UInt8]) throws(WriteError) {
        do throws(FileError) {
            try hand(bytes)
        } catch {
            throw WriteError(error)
        }
    }

    /// Puts bytes over those that a file begins with; `false` where nobody can go back.
    mutating func overwriteBeginning(with bytes: [UInt8]) throws(WriteError) -> Bool {
        do throws(FileError) {
            return try overwrite(bytes)
        } catch {
            throw WriteError(error)
        }
    }

    /// Hands all bytes on and puts the output in its place.
    mutating func finishWriting() throws(WriteError) {
        do throws(FileError) {
            try commit()
        } catch {
            throw WriteError(error)
        }
    }

    /// Takes the bytes out, of a sink that keeps them in memory.
    mutating func takeAll() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
