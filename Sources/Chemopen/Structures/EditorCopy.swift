import ChemopenChemistry
import ChemopenDesktop

/// The copy of a record's structure that an editor receives.
///
/// The copy contains the data that most editors preserve. Everything else stays in the record.
struct EditorCopy: Sendable {
    let format: Format
    let bytes: [UInt8]
    /// The features that the copy does not contain.
    let losses: [Loss]

    /// The maximum numbers of atoms and bonds in a V2000 file.
    private static let mostParts = 999

    /// - Parameters:
    ///   - handler: The editor, or `nil` for a command, which receives a molfile.
    ///   - name: The name of the record in messages.
    init(of record: Record, for handler: Handler?, _ registry: HandlerRegistry, called name: String)
        throws(Conversion.Failure)
    {
        if let refusal = record.refusalToEdit { throw .impossible("\(name): \(refusal)") }
        var bare = Record()
        bare.subject = record.subject
        var copy = OpenPlan.Copy(format: .molfile)
        if let handler {
            do throws(OpenError) {
                copy = try Handoff([bare], named: "structure").copy(for: handler, registry)
            } catch {
                throw .impossible("\(name): \(error.description)")
            }
        }
        guard copy.format.isWritable, !copy.format.hasCommonPages else {
            throw .impossible("\(name): \(copy.format.described) cannot be merged back (use open instead of edit)")
        }
        var options = WriteOptions()
        options.version = copy.version
        let molecule = record.molecule
        if [Format.molfile.id, Format.sdfile.id].contains(copy.format.id), let molecule,
            molecule.atoms.count <= Self.mostParts, molecule.bonds.count <= Self.mostParts
        {
            // More programs read V2000, and its limits are those of most editors.
            options.version = .v2000
        }
        var losses: [Loss] = []
        do throws(OpenError) {
            bytes = try Handoff.bytes(of: [bare], SheetHeader(), as: copy.format, options, &losses)
        } catch {
            throw .impossible("\(name): \(error.description)")
        }
        format = copy.format
        self.losses = losses
    }

    /// Parses the structure in a saved copy. The editor can save it in another format.
    static func structure(in bytes: [UInt8], as format: Format) throws(ReadError) -> Molecule {
        if let record = try? firstRecord(in: bytes, as: format), let molecule = record.molecule { return molecule }
        var records = try readUnknown(bytes: bytes, named: LocalPath("the saved copy"))
        guard let molecule = try records.next()?.molecule else {
            throw ReadError(file: "the saved copy", expected: "contains no molecule")
        }
        return molecule
    }

    private static func firstRecord(in bytes: [UInt8], as format: Format) throws -> Record? {
        var records = try RecordStream.open(try ByteSource(bytes, name: LocalPath("the saved copy")), as: format)
        return try records.next()
    }
}

extension Record {
    /// The reason why the structure cannot be edited in another program, or `nil` if it can.
    var refusalToEdit: String? {
        guard let molecule else {
            return reaction == nil
                ? "has no structure (use --structure to add one)"
                : "is a reaction, which cannot be merged back (use --structure to replace it)"
        }
        if molecule.atoms.isEmpty { return "has no structure (use --structure to add one)" }
        let contents = molecule.extras.contents
        if !contents.rgroups.isEmpty {
            return "has R-group members, which most editors do not preserve (use --structure to replace it)"
        }
        if !contents.templates.isEmpty {
            return "has biopolymer templates, which most editors do not preserve (use --structure to replace it)"
        }
        let isMember = contents.atomNotes.contains { tagged in
            switch tagged.note {
            case .attachmentPoint, .attachmentOrder: true
            default: false
            }
        }
        if isMember {
            return "has attachment points, which most editors do not preserve (use --structure to replace it)"
        }
        let hasEndpoints = contents.bondNotes.contains { if case .endpoints = $0.note { true } else { false } }
        if hasEndpoints {
            return "has bonds to several atoms, which most editors do not preserve (use --structure to replace it)"
        }
        return nil
    }
}

extension Handoff {
    /// Returns the copy that a program requires.
    func copy(for handler: Handler, _ registry: HandlerRegistry) throws(OpenError) -> OpenPlan.Copy {
        var preferences = OpenPlan.Preferences()
        preferences.handler = handler
        guard let choice = plan(registry, preferences).choices.first(where: { $0.handler != nil }) else {
            throw OpenError(.noProgram, "\(handler.name) cannot open \(survey.format.described)")
        }
        if case .convert(let wanted, _) = choice.action { return wanted }
        return OpenPlan.Copy(format: survey.format)
    }
}
