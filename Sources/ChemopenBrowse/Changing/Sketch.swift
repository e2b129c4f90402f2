import Chemopen

/// Structures for an editor: the current structure of a record or of a text, with edits that are not saved.
struct Sketch {
    private typealias Fault = BrowseRequest.Fault

    let service: BrowseService

    private static let longestText = 1 << 20

    /// Answers a `SKETCH` request.
    func answer(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) {
        var molecule = try base(of: request)
        if let reason = molecule.apply(try StructureEdit.list(request.edits ?? [])) { throw Fault(message: reason) }
        var forms: [(id: String, text: [UInt8])] = []
        var losses: [Loss] = []
        for id in request.forms { forms.append((id, try text(of: molecule, in: id, &losses))) }
        var shown = molecule
        let isPlaced = CoordinateKind(of: molecule) == .unplaced
        let isMade = isPlaced || request.cleans ? LayoutProgram.shared.cleanUp(&shown) : true
        json.field("structure", shown)
        if isPlaced { json.field("placed", isMade) }
        if !isMade, request.cleans { json.field("note", "no layout could be computed") }
        let composition = molecule.composition()
        json.field("formula", composition.formula.description + composition.chargeText)
        if !forms.isEmpty {
            json.key("forms")
            json.object { json in
                for form in forms {
                    json.key(text: Text(form.id))
                    json.string(Text(bytes: form.text))
                }
            }
        }
        if !losses.isEmpty { json.field("losses", losses.map { "\($0)" }) }
        json.field("complete", true)
    }

    private func base(of request: BrowseRequest) throws(BrowseRequest.Fault) -> Molecule {
        guard let id = request.entities.first else {
            return request.text.isEmpty ? Molecule() : try molecule(in: request.text)
        }
        guard request.entities.count == 1, request.text.isEmpty else {
            throw Fault(message: "SKETCH requires at most one entity or a text")
        }
        guard id.isRecord else { throw Fault(message: "SKETCH requires a record, not a file") }
        guard let entity = service.find(id, isPatient: !service.isShared) else {
            throw Fault(message: "the record has been changed or deleted in the meantime; load it again")
        }
        switch entity.subject {
        case .molecule(let molecule): return molecule
        case .none: return Molecule()
        case .reaction: throw Fault(message: "a reaction cannot be sketched; request one of its parts")
        }
    }

    /// Reads a structure from a SMILES or from the content of a file.
    private func molecule(in text: String) throws(BrowseRequest.Fault) -> Molecule {
        guard text.utf8.count <= Self.longestText else { throw Fault(message: "the text is too long") }
        let line = text.trimmingBlanks
        if !line.utf8.contains(UInt8(ascii: "\n")) {
            do throws(SMILESError) {
                return try Molecule(smiles: line)
            } catch {
                throw Fault(message: "not a valid SMILES: \(error)")
            }
        }
        guard let source = try? ByteSource(Array(text.utf8), name: "text") else {
            throw Fault(message: "the text cannot be read")
        }
        do throws(ReadError) {
            var records = try RecordStream.open(source)
            while let record = try records.next() {
                if let molecule = record.molecule { return molecule }
            }
        } catch {
            throw Fault(message: "\(error)")
        }
        throw Fault(message: "the text contains no structure")
    }

    private func text(
        of molecule: Molecule, in id: String, _ losses: inout [Loss]
    ) throws(BrowseRequest.Fault) -> [UInt8] {
        guard let format = (Format.all + Format.toldByName).first(where: { $0.id == id }),
            format.supportedFeatures.contains(.molecules), format.isWritable
        else { throw Fault(message: "structures cannot be written as \"\(id)\"") }
        var record = Record()
        record.subject = .molecule(molecule)
        do throws(WriteError) {
            var writer = try format.makeWriter(ByteSink(), WriteOptions())
            return try Self.write(record, to: &writer, &losses)
        } catch {
            throw Fault(message: error.description)
        }
    }

    private static func write(
        _ record: Record, to writer: inout any RecordWriter & ~Copyable, _ losses: inout [Loss]
    ) throws(WriteError) -> [UInt8] {
        try writer.begin(SheetHeader())
        losses += try writer.write(record).losses
        try writer.finish()
        return writer.takeBytes()
    }
}
