/// A tool for the records of files: sort, choose, split, or change their fields.
///
///     let tool = RecordTool(.sort([RecordOrder("MASS", isNumeric: true)]))
///     let summary = try tool.run([Source("a.sdf")], to: "sorted.sdf")
///     print(summary.written)
///
/// The output has the format of the inputs. Records are copied byte for byte; tools that change fields leave the rest
/// of the record unchanged. If an input cannot be read completely, there is no output.
public struct RecordTool: Sendable {
    /// The task of a tool.
    public enum Task: Sendable {
        /// Copy the first records, or all but the last ones.
        case head(Int, isRest: Bool)
        /// Copy the last records, or all records from this number.
        case tail(Int, isStart: Bool)
        /// Copy a random sample in the order of the file. Each record has the same probability.
        case sample(Int, seed: UInt64)
        /// Sort the records. Records with equal keys stay in their order.
        case sort([RecordOrder])
        /// Copy one record of each kind.
        case distinct(RecordIdentity, Repeats)
        /// Keep, drop or rename fields.
        case select(FieldChoice)
        /// Add the fields of the record with the same key in a table.
        case join(FieldTable)
    }

    /// The records that `distinct` copies.
    public enum Repeats: Sendable, Hashable {
        /// The first record of each kind. If a field is specified, the number of these records is added to it.
        case first(count: Text?)
        /// The first record of each kind that has several records.
        case repeated(count: Text?)
        /// Records that are the only ones of their kind.
        case single
        /// The first records of each kind, at most this number.
        case atMost(Int)
    }

    /// The task.
    public var task: Task
    /// The format to read, or `nil` to detect it.
    public var source: Format?
    /// The options for reading.
    public var reading = ReadOptions()
    /// The records to use from each input. Other records are omitted.
    public var selection = RecordSelection()
    /// Whether existing files can be overwritten.
    public var overwritesExistingFiles = false
    /// Called before each record. If it returns `true`, the run ends with `.cancelled` and writes no output.
    public var shouldCancel: (@Sendable () -> Bool)?

    /// Creates a tool.
    public init(_ task: Task) {
        self.task = task
    }

    /// The result of a run.
    public struct Summary: Sendable {
        /// The number of selected records that were read.
        public internal(set) var read = 0
        /// The number of records written.
        public internal(set) var written = 0
        /// The number of unreadable records. They are omitted.
        public internal(set) var unreadable = 0
        /// The number of records without the key of a sort, or without an identity. Sorted records without a key are at
        /// the end. A record without an identity is not equal to any other record.
        public internal(set) var withoutKey = 0
        /// The number of records whose first numeric key is not a number.
        public internal(set) var notNumbers = 0
        /// Whether all keys of a text sort are numbers, so that `isNumeric` is probably meant.
        public internal(set) var looksNumeric = false
        /// The number of files written.
        public internal(set) var files = 0
        /// The report about a join.
        public internal(set) var join: JoinAccount?
        /// The names in a choice of fields that no record has.
        public internal(set) var missingFields: [Text] = []
        /// The number of records that were not renamed or joined because they already have a field with the new name.
        public internal(set) var occupied = 0
        /// The number of records that were copied unchanged because their text does not permit changing a field.
        public internal(set) var unchanged = 0
        /// Statistics about the selection of records.
        public internal(set) var choice = SelectionStatistics()
        /// The data that could not be written in the format.
        public internal(set) var report = LossReport()
        /// The attributes of overwritten files that could not be preserved.
        public internal(set) var unkept: [String] = []
    }

    /// Runs the tool.
    ///
    /// - Parameter tell: Receives an event for each unreadable record and each warning.
    /// - Parameter progress: Receives frequent progress reports.
    /// - Returns: The counts.
    /// - Throws: `Conversion.Failure` if there is no output.
    public func run(
        _ inputs: [Source], to path: LocalPath, tell: @escaping (Conversion.Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Conversion.Progress) -> Void = { _ in }
    ) throws(Conversion.Failure) -> Summary {
        let run = ToolRun(self, tell: tell, progress: progress)
        try run.write(inputs, to: path)
        return run.summary
    }

    /// Writes the records to several files in a directory, instead of performing the task.
    ///
    /// - Parameter division: The number of records in each file, or the field that determines the file.
    /// - Returns: The counts.
    /// - Throws: `Conversion.Failure` if a file cannot be written. The files of the run are then removed.
    public static func split(
        _ inputs: [Source], into folder: LocalPath, by division: RecordDivision, _ options: RecordTool,
        tell: @escaping (Conversion.Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Conversion.Progress) -> Void = { _ in }
    ) throws(Conversion.Failure) -> Summary {
        let run = ToolRun(options, tell: tell, progress: progress)
        try run.split(inputs, into: folder, by: division)
        return run.summary
    }
}

/// A rule that assigns records to files.
public enum RecordDivision: Sendable, Hashable {
    /// Files with this number of records; the last one may have fewer.
    case size(Int)
    /// A file for each value of a field or computed value.
    case value(RecordFact)
}
