import Chemopen
import Glibc

// Reads a file in a task, edits each record and writes it to an SD file: edit IN OUT
let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: edit IN OUT.sdf")
    exit(2)
}

do {
    var writer = try Format.sdfile.makeWriter(ByteSink(path: arguments[2], replacing: true), WriteOptions())
    try writer.begin(SheetHeader())
    let records = Chemopen.records(in: arguments[1]) { error in print("left out: \(error)") }
    var number = 0
    for try await var record in records {
        number += 1
        record.fields["NUMBER"] = Field(.integer(number))
        record.fields["SOURCE"] = nil
        record.fields["NOTE"]?.value = "checked"
        if record.molecule?.atoms.isEmpty == false {
            // Adds a deuterium atom to the first atom in place of an implicit hydrogen.
            let hydrogens = record.molecule?.hydrogens(onAtom: 0) ?? 0
            var deuterium = Atom(.hydrogen, at: Position(-1, -1))
            deuterium.isotope = 2
            if hydrogens > 0 { record.molecule?.addAtom(deuterium, bondedTo: 0) }
            if let molecule = record.molecule { print(molecule.name, molecule.formula, "from", hydrogens) }
        }
        _ = try writer.write(record)
    }
    var impossible = Molecule()
    impossible.addAtom(Atom(.carbon))
    impossible.bonds.append(Bond(0, 7))
    do {
        _ = try writer.write(Record(impossible))
    } catch {
        print("refused: \(error)")
    }
    try writer.finish()
} catch {
    print(error)
    exit(1)
}
