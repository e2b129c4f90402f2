/// The orders for records on the way from one file to another.
///
///     var conversion = Conversion(to: .sdfile)
///     conversion.selection.conditions = [try Criteria("MASS < 500")]
///     let summary = try conversion.run(["a.sdf"], to: .file("b.sdf.gz")) { print($1, $0) }
///     print(summary.written)
public struct Conversion: Sendable {
    /// The action at a record that cannot be read. The record is told in any case.
    public enum ErrorPolicy: String, Sendable, CaseIterable {
        /// Give up, and leave no output.
        case stop
        /// Go on with the next one.
        case skip
        /// Go on, and put the record untouched into a file of its own. If an input fails while it is read, the records
        /// before the error are put into a file next to the target; any other policy gives up then.
        case keep
    }

    /// The format to write.
    public var target: Format
    /// The format to read; `nil` where the content is to tell, among `reading.formats`.
    public var source: Format?
    /// How to read.
    public var reading = ReadOptions()
    /// How to write.
    public var writing = WriteOptions()
    /// The records to take of each input.
    public var selection = RecordSelection()
    /// Turns abbreviations into their atoms.
    public var expandsAbbreviations = false
    /// Makes drawings of what has no coordinates, or stands in space.
    public var laysOut = false
    /// Values that are computed and become fields of the records.
    public var computes: ComputedFields?
    /// Writes anew what could be copied as it stands.
    public var rewrites = false
    /// The action at a record that cannot be read.
    public var errorPolicy = ErrorPolicy.skip
    /// How many threads work, where the formats let a file be cut.
    public var threads = 1
    /// Existing files may be replaced.
    public var replaces = false
    /// How small an output is made whose name ends in `.gz`: from 1, fast, to 9, small.
    public var gzipLevel = 6
    /// Asked before each record, on the threads that work: `true` ends the run with `.cancelled`, and nothing is put in
    /// place. So does the cancelling of the task that the run is part of.
    public var cancels: (@Sendable () -> Bool)?
    /// How many bytes of a file are looked through before a table is begun.
    var firstLook = 4 << 20

    /// Orders to write in a format what is told by its content among some formats.
    public init(to target: Format, among formats: FormatRegistry = []) {
        self.target = target
        reading = ReadOptions(among: formats)
    }

    /// Where the records go.
    public enum Output: Sendable {
        /// Into a file; `-` is standard output.
        case file(LocalPath)
        /// Each into a file of its own in a folder, named by its number or by one of its fields.
        case folder(LocalPath, nameField: Text?)
        /// Nowhere: only to see what would be left out.
        case nothing

        /// Into a file whose path is text.
        public static func file(_ path: String) -> Output { .file(LocalPath(path)) }

        /// Into a folder whose path is text.
        public static func folder(_ path: String, nameField: Text?) -> Output {
            .folder(LocalPath(path), nameField: nameField)
        }
    }

    /// The result of a conversion.
    public struct Summary: Sendable {
        /// Records written.
        public var written = 0
        /// Records read and taken, written or not.
        public var read = 0
        /// Records that could not be read.
        public var unreadable = 0
        /// The tally of the choice of records.
        public internal(set) var choice = RecordChoice()
        /// An input broke off.
        public var isCutShort = false
        /// The inputs of several that could not be opened or are of no format; the others were converted.
        public var failures: [ReadError] = []
        /// For each input in which something was left out or written in another version.
        public var reports: [(input: LocalPath, report: LossReport)] = []
        /// The attributes of replaced files that could not be kept: `a.sdf: its owner`.
        public var unkept: [String] = []
        /// An input failed while it was read, and the policy was to keep the records before the error: they are in a file
        /// next to the target, under its name with `.partial`, and the target is unchanged.
        public internal(set) var isPart = false
        /// Nothing was put in place, as there was nothing to write.
        public var hasOutput = true

        /// Something was left out.
        public var hasLosses: Bool { reports.contains { !$0.report.isEmpty } }
    }

    /// Something to tell, at the time it comes up.
    public enum Event: Sendable {
        /// A record cannot be read; it is left out.
        case unreadable(UnreadableRecord)
        /// A record is read, and doubtful.
        case doubtful(Issue, RecordPlace)
        /// A record had something that the target has no place for; record 0 is the head of a table.
        case lost([Loss], record: Int)
        /// A record is written in another version than the usual one.
        case version(String, reason: String, record: Int)
        /// The input itself fails.
        case failed(ReadError)
    }

    /// How far a conversion has come.
    public struct Progress: Sendable {
        /// The input that is read.
        public var input: LocalPath
        /// How many of its bytes were taken from disk.
        public var bytesRead: Int
        /// How large it is on disk; `nil` for a pipe.
        public var size: Int?
        /// How many of its records were read.
        public var records: Int
    }

    /// Why there is no output.
    public enum Failure: Error, Sendable {
        /// An input cannot be read, or not to its end.
        case read(ReadError)
        /// The output cannot be written.
        case write(WriteError)
        /// The request cannot be met: a molecule in a format of reactions, several records in a file of one.
        case impossible(String)
        /// A record could not be read, and the policy was to stop. It has been told.
        case stopped
        /// `Conversion.cancels` has asked for it, or the task is cancelled.
        case cancelled
    }

    /// Whether the run is to end.
    var isCancelled: Bool { cancels?() == true || Task.isCancelled }

    /// Whether records of a format can be copied as they stand.
    func copies(_ format: Format) -> Bool {
        copiesText(of: format) && !copiesWholeFiles
    }

    /// Whether a file of the target's format is copied as a whole or not at all: a table, whose header has to fit its rows,
    /// a drawing, and a format that nobody writes. Such a file is read to its end first.
    var copiesWholeFiles: Bool { target.needsColumns || target.hasCommonPages || target.makeWriter == nil }

    /// Whether what is written may be what was read: nothing asks for other text.
    func copiesText(of format: Format) -> Bool {
        format.id == target.id && !rewrites && !changesRecords
    }

    /// Whether the molecules of a file become one record.
    func joinsMolecules(of format: Format) -> Bool {
        let holds = target.holds
        return !holds.contains(.severalRecords) && holds.contains(.molecules) && format.signature?.kind == .drawing
    }

    /// Whether a file of a format is written again as it stands, page by page, where all of its records are taken.
    func rewritesWholeFile(of format: Format) -> Bool {
        format.hasCommonPages && target.rewrite != nil && !changesRecords
    }

    /// Whether records are to be other than they were read.
    private var changesRecords: Bool {
        expandsAbbreviations || laysOut || computes != nil || writing.version != .asNeeded || writing.carriageReturns
            || writing.style != nil || reading.valenceRule != .ladder2009
    }

    /// Whether a file of a format can be worked on in blocks, whose outputs are simply put behind one another.
    func canRunInBlocks(_ format: Format) -> Bool {
        threads > 1 && selection.mayRunInBlocks && format.lastRecordEnd != nil
            && target.lastRecordEnd != nil
    }
}
