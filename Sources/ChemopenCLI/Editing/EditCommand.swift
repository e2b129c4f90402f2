import Chemopen

extension Option {
    static let record = Option(
        "--record", value: "KEY", help: "the record with this title or number, or this value of the field --key")
    static let setField = Option(
        "--set", value: "FIELD=VALUE", isRepeatable: true, help: "set a field, or add it")
    static let unsetField = Option("--unset", value: "FIELD", isRepeatable: true, help: "remove a field")
    static let setTitle = Option("--title", value: "TEXT", help: "set the title of the molecule or reaction")
    static let deleteRecords = Option("--delete", help: "delete the records")
    static let moveRecords = Option("--move", value: "N", help: "move the records, or insert them, to position N")
    static let editor = Option(
        "--with", value: "EDITOR",
        help: "edit the structure in the program EDITOR, and merge what you save")
    static let structure = Option(
        "--structure", path: "FILE", help: "replace the structure with that of FILE, which can be - or a SMILES")
    static let resumeEdit = Option("--resume", help: "merge saved copies that earlier runs did not merge")
    static let insertFile = Option(
        "--insert", path: "FILE2", help: "insert the records of FILE2, at the end or at --move N")
    static let insertLayout = Option(
        "--layout", help: "compute 2D coordinates for inserted records without coordinates")
}

/// `chemopen edit`: changes records of a file in place.
enum EditCommand: Command {
    static let name = "edit"
    static let group = CommandGroup.edit
    static let summary = "change, delete, insert and move records in a file without touching the others"
    static let usage = "chemopen edit [options] FILE"
    static let example = "chemopen edit --record CHEMBL25 --set MASS=180.16 --unset NOTE kinases.sdf"
    static let moreExamples = [
        "chemopen edit --where 'MASS > 900' --delete kinases.sdf",
        "chemopen edit --insert new.sdf --move 1 kinases.sdf -O more.sdf",
        "chemopen edit --record CHEMBL25 --with avogadro2 kinases.sdf",
    ]
    static let options: [Option] =
        [.record, .key] + Option.selecting + [
            .editor, .structure, .resumeEdit, .setField, .unsetField, .setTitle, .deleteRecords, .insertFile,
            .insertLayout, .moveRecords, .output, .force, .json,
        ]
    static let reading = Reading.records
    static let takesPipe = false
    static let remarks = [
        "Choose records with --record, by number or by condition; in a file of one record you need not",
        "choose. All other bytes stay unchanged, including line ends and separators. The file is written",
        "atomically, in place or to OUT. The command prints the changes. Without an edit, --with is implied:",
        "the editor is $CHEMOPEN_EDITOR or the default program.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        if arguments.has(.resumeEdit) { return try EditorRun.resume(arguments, on: terminal) }
        guard arguments.operands.count == 1 else { throw UsageError("edit requires one file, as in: \(example)") }
        let path = arguments.operands[0]
        if let run = try EditorRun(arguments, on: terminal) { return try run.run(path) }
        let request = try EditRequest(arguments)
        let output = arguments.path(of: .output)
        try arguments.refusePacked(output, on: terminal)
        do throws(Conversion.Failure) {
            // Lock the file against other edits.
            var file = try RecordCollection(path, as: request.format, request.reading, isLocked: output == nil)
            guard let changes = try request.edit(&file, terminal) else { return .incomplete }
            if file.isEdited || output != nil {
                let target = output ?? path
                try file.save(to: target, replacing: output == nil || arguments.has(.force))
            }
            var teller = ChangeReporter(printsJSON: arguments.has(.json), terminal)
            for change in changes.changes { teller.tell(change) }
            for remark in changes.remarks { terminal.tell(.warning, of: path.shown, remark) }
            if changes.isEmpty { terminal.tell(.note, of: path.shown, "no change is necessary") }
            return .done
        } catch {
            return terminal.tell(error)
        }
    }
}

/// The requested edits and the affected records.
struct EditRequest {
    let format: Format?
    let reading: ReadOptions
    private let choice: RecordRequest
    private var edits: [RecordEdit] = []
    private let deletes: Bool
    private let place: Int?
    private let inserted: LocalPath?
    private let laysOut: Bool
    /// Whether a field to set has several equals signs, each of which can end its name.
    private var isAmbiguous = false
    private let structure: Record?

    init(_ arguments: Arguments) throws(UsageError) {
        format = try arguments.format(of: .from)
        reading = ReadOptions(among: arguments.formats)
        choice = try RecordRequest(arguments)
        deletes = arguments.has(.deleteRecords)
        place = try arguments.number(of: .moveRecords, in: 1...Int(Int32.max))
        inserted = arguments.path(of: .insertFile)
        laysOut = arguments.has(.insertLayout)
        if laysOut, inserted == nil { throw UsageError("--layout requires --insert") }
        for text in arguments.values(of: .setField) {
            let parts = text.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("--set requires a field and a value, as in --set MASS=180.16, not \"\(text.shown)\"")
            }
            edits.append(.set(Text(bytes: parts[0]), Text(bytes: parts[1])))
            if parts[1].contains(UInt8(ascii: "=")) { isAmbiguous = true }
        }
        for name in arguments.values(of: .unsetField) { edits.append(.unset(Text(bytes: name.bytes))) }
        if let text = arguments.path(of: .structure) {
            structure = try Self.structure(text, arguments)
        } else {
            structure = nil
        }
        if let title = arguments.field(of: .setTitle) { edits.append(.setTitle(title)) }
        if inserted != nil, deletes || !edits.isEmpty || structure != nil || !choice.isEmpty {
            throw UsageError("--insert can only be combined with --move")
        }
        if deletes, place != nil || !edits.isEmpty || structure != nil {
            throw UsageError("--delete cannot be combined with other edits")
        }
        if inserted == nil, !deletes, place == nil, edits.isEmpty, structure == nil {
            throw UsageError("no edit specified (use --set, --unset, --title, --delete, --insert or --move)")
        }
    }

    /// Returns the structure of a file, standard input or a SMILES.
    private static func structure(_ text: LocalPath, _ arguments: Arguments) throws(UsageError) -> Record {
        var record = Record()
        if text.isDash || fileKind(text) != .missing || Address.isMeant(by: text) {
            let (source, options) = (arguments.source(text), try arguments.readOptions())
            do throws(ReadError) {
                var records = try readUnknown(source, options)
                if let first = try records.next() { record.subject = first.subject }
            } catch {
                throw UsageError("--structure: \(error)")
            }
            if case .none = record.subject { throw UsageError("--structure: \(text.shown) contains no structure") }
        } else {
            do throws(SMILESError) {
                var molecule = try Molecule(smiles: text.shown)
                _ = molecule.layOut()
                record.subject = .molecule(molecule)
            } catch {
                throw UsageError("--structure: \"\(text.shown)\" is neither a file nor a SMILES: \(error)")
            }
        }
        return record
    }

    /// Performs the edits. If no record matches, reports that and returns `nil`.
    func edit(_ file: inout RecordCollection, _ terminal: Terminal) throws(Conversion.Failure) -> ChangeSet? {
        if let inserted {
            let other = try RecordCollection(inserted, reading)
            let done = try file.insert(contentsOf: other, at: place, layingOut: laysOut)
            for loss in done.report.losses {
                terminal.tell(.note, of: inserted.shown, "\(loss.isRewritten ? "changed" : "left out"): \(loss)")
            }
            return done.changes
        }
        guard let numbers = try choice.numbers(in: file, terminal) else { return nil }
        if deletes { return try file.delete(records: numbers) }
        let names = isAmbiguous ? try file.fieldNames(ofRecords: numbers) : []
        var edits = edits.map { Self.withLongestName($0, among: names) }
        if let structure {
            let adapted = try file.adapted(structure)
            for loss in adapted.losses {
                terminal.tell(.note, of: file.path.shown, "left out or changed: \(loss.feature.name)")
            }
            edits.append(.take(.structure, from: adapted.record))
        }
        var changes = edits.isEmpty ? ChangeSet() : try file.edit(records: numbers, edits)
        if let place { changes.add(try file.move(records: numbers, to: place)) }
        return changes
    }
}

extension EditRequest {
    /// Returns an edit that sets the field with the longest known name, because names can contain an equals sign.
    private static func withLongestName(_ edit: RecordEdit, among names: Set<Text>) -> RecordEdit {
        guard case .set(let name, let value) = edit, !names.isEmpty else { return edit }
        let text = name.bytes + [UInt8(ascii: "=")] + value.bytes
        let places = text.indices.reversed().filter { text[$0] == UInt8(ascii: "=") }
        guard let place = places.first(where: { names.contains(Text(bytes: text[..<$0])) }) else { return edit }
        return .set(Text(bytes: text[..<place]), Text(bytes: text[(place + 1)...]))
    }
}

/// The records that the command line specifies.
struct RecordRequest {
    private let key: Text?
    private let value: Text?
    private let selection: RecordSelection

    init(_ arguments: Arguments) throws(UsageError) {
        key = arguments.field(of: .key)
        value = arguments.field(of: .record)
        selection = try arguments.selection()
        if value != nil, !selection.takesAll {
            throw UsageError(
                "--record selects a single record and cannot be combined with --records, --where or similar options")
        }
        if key != nil, value == nil { throw UsageError("--key requires --record, the value of the field") }
    }

    /// Whether no record is specified.
    var isEmpty: Bool { value == nil && selection.takesAll }

    /// Returns the numbers of the records. If there are none, reports that and returns `nil`.
    func numbers(in file: RecordCollection, _ terminal: Terminal) throws(Conversion.Failure) -> [Int]? {
        if let value {
            let numbers = try file.numbers(called: value, key: key)
            if numbers.count > 1 {
                let list = numbers.prefix(5).map(String.init).joined(separator: ", ")
                throw .impossible(
                    "\(numbers.count) records match \"\(value.shown)\": \(list)\(numbers.count > 5 ? "…" : "") "
                        + "(use --records to choose)")
            }
            if numbers.isEmpty {
                terminal.tell(
                    .error, of: file.path.shown, "no record has the title or number \"\(value.shown)\"")
                return nil
            }
            return numbers
        }
        if selection.takesAll {
            guard file.count == 1 else {
                throw .impossible(
                    "\(file.path.shown) contains \(recordCount(file.count)) (use --record, --records or --where to choose)"
                )
            }
            return [1]
        }
        let chosen = try file.numbers(of: selection)
        let isMissed = terminal.tell(
            chosen.choice, of: selection, taken: chosen.numbers.count, isWhole: true, sawAll: true)
        return isMissed || chosen.numbers.isEmpty ? nil : chosen.numbers
    }
}
