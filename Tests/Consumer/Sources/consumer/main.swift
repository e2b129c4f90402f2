import Chemopen
import Glibc

// Reads a file of any known format and converts its records to another format: consumer IN OUT
let arguments = CommandLine.arguments
guard arguments.count == 3,
    let target = Format.all.first(where: { $0.extensions.contains(fileExtension(arguments[2])) }),
    target.isWritable
else {
    print("usage: consumer IN OUT, where OUT ends in the extension of a format that is written")
    exit(2)
}

var writer = try target.makeWriter(ByteSink(path: arguments[2], replacing: true), WriteOptions())
try writer.begin(SheetHeader())
print("\(try readUnknown(path: arguments[1]).format.name) to \(target.name)")

let records = Chemopen.records(in: arguments[1]) { error in print(error) }  // skips the broken record
for try await record in records {
    if let molecule = record.molecule {
        print(molecule.name, molecule.formula, molecule.atoms.count, "atoms")
    }
    for field in record.fields {
        print("  \(field.name): \(field.value)")
    }
    for loss in try writer.write(record).losses {
        print("  left out: \(loss.feature.name) \(loss.detail)")
    }
}
try writer.finish()
