import Chemopen
import Glibc

// Reads a file of any known format and writes its records as another: consumer IN OUT
let arguments = CommandLine.arguments
guard arguments.count == 3,
    let target = Format.all.first(where: { $0.extensions.contains(fileExtension(arguments[2])) }),
    let makeWriter = target.makeWriter
else {
    print("usage: consumer IN OUT, where OUT ends in the extension of a format that is written")
    exit(2)
}

var records = try readUnknown(path: arguments[1])
var writer = try makeWriter(ByteSink(path: arguments[2], replacing: true), WriteOptions())
try writer.begin(records.header)
print("\(records.format.name) to \(target.name)")

while true {
    do {
        guard let record = try records.next() else { break }
        if let molecule = record.molecule {
            print(molecule.name, molecule.formula, molecule.atoms.count, "atoms")
        }
        for field in record.fields {
            print("  \(field.name): \(field.value)")
        }
        for loss in try writer.write(record).losses {
            print("  left out: \(loss.feature.name) \(loss.detail)")
        }
    } catch let error as ReadError {
        print(error)  // costs this record; the next one follows
    }
}
try writer.finish()
