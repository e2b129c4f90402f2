/// A conversion of records from one or several files to another format.
///
///     var conversion = Conversion(to: .sdfile)
///     conversion.selection.conditions = [try RecordFilter("MASS < 500")]
///     let summary = try conversion.run(["a.sdf"], to: .file("b.sdf.gz")) { print($1, $0) }
///     print(summary.written)
public struct Conversion: Sendable {
    /// The response to an unreadable record. Every unreadable record is reported.
    public enum ErrorPolicy: String, Sendable, CaseIterable {
        /// Stop, and leave no output.
        case stop
        /// Skip the record and continue.
        case skip
        /// Save the unreadable record verbatim in a separate file and continue.
        ///
        /// If an input fails while it is being read, the records before the error are written to a file next to the
        /// target. The other policies stop in this case.
        case keep
    }

    /// The format to write.
    public var target: Format
    /// The format to read, or `nil` to detect it among `reading.formats`.
    public var source: Format?
    /// The options for reading.
    public var reading = ReadOptions()
    /// The options for writing.
    public var writing = WriteOptions()
    /// The records to convert from each input.
    public var selection = RecordSelection()
    /// Whether to replace abbreviations with their atoms.
    public var expandsAbbreviations = false
    /// Whether to compute 2D coordinates for molecules that have 3D coordinates or none.
    public var laysOut = false
    /// Whether to keep 3D coordinates when the target is a drawing. By default, such molecules are laid out, because
    /// other programs derive no configurations from a projection.
    public var keepsProjection = false
    /// The values to compute and add to the records as fields.
    public var computes: ComputedFields?
    /// Whether to write all records again, even if they could be copied verbatim.
    public var rewrites = false
    /// The response to an unreadable record.
    public var errorPolicy = ErrorPolicy.skip
    /// The maximum number of threads. More than one is used only if the formats support splitting a file.
    public var threads = 1
    /// Whether existing files can be overwritten.
    public var overwritesExistingFiles = false
    /// The compression level of an output with the extension `.gz`, from 1 (fast) to 9 (small).
    public var gzipLevel = 6
    /// Called before each record, on the working threads. If it returns `true`, the run ends with `.cancelled` and
    /// writes no output.
    ///
    /// Cancelling the task that performs the run has the same effect.
    public var shouldCancel: (@Sendable () -> Bool)?
    /// The number of bytes to inspect before a table is started.
    var firstLook = 4 << 20

    /// Creates a conversion to a format.
    ///
    /// - Parameter formats: The formats to detect, or an empty registry for all formats of Chemopen.
    public init(to target: Format, among formats: FormatRegistry = []) {
        self.target = target
        reading = ReadOptions(among: formats)
    }

    /// The destination of the records.
    public enum Output: Sendable {
        /// A file; `-` is standard output.
        case file(LocalPath)
        /// A directory with one file for each record. The file names contain the record's number or one of its fields.
        case directory(LocalPath, fileNameField: Text?)
        /// No output. The conversion only reports the losses.
        case discard

        /// A file. The path is a `String`.
        public static func file(_ path: String) -> Output { .file(LocalPath(path)) }

        /// A directory with one file for each record. The path is a `String`.
        public static func directory(_ path: String, fileNameField nameField: Text?) -> Output {
            .directory(LocalPath(path), fileNameField: nameField)
        }
    }

    /// The result of a conversion.
    public struct Summary: Sendable {
        /// The number of records written.
        public var written = 0
        /// The number of selected records that were read, whether they were written or not.
        public var read = 0
        /// The number of unreadable records.
        public var unreadable = 0
        /// Statistics about the selection of records.
        public internal(set) var choice = SelectionStatistics()
        /// Whether an input ended early because of an error.
        public var isCutShort = false
        /// The errors of inputs that could not be opened or have an unknown format, if other inputs were converted.
        public var failures: [ReadError] = []
        /// The losses and unusual versions of each input that has any.
        public var reports: [(input: LocalPath, report: LossReport)] = []
        /// The attributes of overwritten files that could not be preserved, such as `a.sdf: its owner`.
        public var unkept: [String] = []
        /// Whether the output is incomplete because an input failed and the policy is `.keep`.
        ///
        /// The records before the error are in a file next to the target, which has the target's name and the extension
        /// `.partial`. The target itself is unchanged.
        public internal(set) var isPart = false
        /// Whether an output was written. If there are no records to write, no file is created.
        public var hasOutput = true

        /// Whether any data was lost.
        public var hasLosses: Bool { reports.contains { !$0.report.isEmpty } }
    }

    /// An event during a conversion.
    public enum Event: Sendable {
        /// A record is unreadable and is left out.
        case unreadable(UnreadableRecord)
        /// A record was read with a warning.
        case doubtful(Issue, RecordPlace)
        /// The target format could not represent part of a record. Record 0 is the table header.
        case lost([Loss], record: Int)
        /// A record was written in a version of the format other than the default.
        case version(String, reason: String, record: Int)
        /// The input itself failed.
        case failed(ReadError)
    }

    /// The progress of a conversion.
    public struct Progress: Sendable {
        /// The current input.
        public var input: LocalPath
        /// The number of its bytes read from disk.
        public var bytesRead: Int
        /// Its size on disk, or `nil` for a pipe.
        public var size: Int?
        /// The number of its records read.
        public var records: Int
    }

    /// The reason why there is no output.
    public enum Failure: Error, Sendable {
        /// An input cannot be read, or cannot be read completely.
        case read(ReadError)
        /// The output cannot be written.
        case write(WriteError)
        /// The request cannot be satisfied, such as a molecule in a reaction format, or several records in a format for
        /// one record.
        case impossible(String)
        /// A record was unreadable and the policy is to stop. It was already reported as an event.
        case stopped
        /// `Conversion.shouldCancel` returned `true`, or the task was cancelled.
        case cancelled
    }

    /// Whether the run must end.
    var isCancelled: Bool { shouldCancel?() == true || Task.isCancelled }

    /// Whether records of a format can be copied verbatim, one by one.
    func copies(_ format: Format) -> Bool {
        copiesText(of: format) && !copiesWholeFiles
    }

    /// Whether a file in the target's format can be copied only as a complete file.
    ///
    /// This applies to tables (the header must match the rows), to drawings, and to formats that Chemopen cannot write.
    /// Such a file is read completely before it is copied.
    var copiesWholeFiles: Bool { target.needsColumns || target.hasCommonPages || !target.isWritable }

    /// Whether the output can be identical to the input because no option requires different text.
    func copiesText(of format: Format) -> Bool {
        format.id == target.id && !rewrites && !changesRecords
    }

    /// Whether the molecules of a file are combined into one record.
    func joinsMolecules(of format: Format) -> Bool {
        let supported = target.supportedFeatures
        return !supported.contains(.severalRecords) && supported.contains(.molecules)
            && format.signature?.kind == .drawing
    }

    /// Whether molecules with 3D coordinates are laid out for the target.
    func flattens(from format: Format) -> Bool {
        target.hasCommonPages && !keepsProjection && !format.hasCommonPages
    }

    /// Whether a file is rewritten page by page if all of its records are selected.
    func rewritesWholeFile(of format: Format) -> Bool {
        format.hasCommonPages && target.rewrite != nil && !changesRecords
    }

    /// Whether an option modifies the records.
    private var changesRecords: Bool {
        expandsAbbreviations || laysOut || computes != nil || writing.version != .asNeeded || writing.carriageReturns
            || writing.style != nil || reading.valenceRule != .ladder2009
    }

    /// Whether the file can be converted in independent blocks and their outputs concatenated.
    func canRunInBlocks(_ format: Format) -> Bool {
        threads > 1 && selection.mayRunInBlocks && format.lastRecordEnd != nil
            && target.lastRecordEnd != nil
    }
}
