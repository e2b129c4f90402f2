import Chemopen
import Glibc
import XYZFormat

/// Prints a line for each molecule of a file, and which format the file is in.
func list(_ path: String, among formats: [Format]) throws -> Format {
    var records = try RecordStream.open(ByteSource(path: path), among: formats)
    while true {
        do throws(ReadError) {
            guard let record = try records.next() else { break }
            guard let molecule = record.molecule else { continue }
            print("\(molecule.name): \(molecule.formula), \(molecule.atoms.count) atoms, \(molecule.bonds.count) bonds")
        } catch {
            print(error)  // costs this record; the next one follows
        }
    }
    return records.format
}

/// Converts a file and prints what is left out on the way.
func convert(_ path: String, in source: Format, to output: String, as target: Format) throws {
    var conversion = Conversion(to: target)
    conversion.source = source
    conversion.replaces = true
    let summary = try conversion.run([path], to: .file(output)) { event, _ in
        switch event {
        case .lost(let losses, let record):
            for loss in losses {
                let detail = loss.detail.isEmpty ? "" : ": \(loss.detail)"
                print("record \(record) left out: \(loss.count) \(loss.feature.name)\(detail)")
            }
        case .doubtful(let issue, _): print("line \(issue.line): \(issue.message)")
        case .unreadable, .version, .failed: break
        }
    }
    print("\(summary.written) written, \(summary.unreadable) unreadable")
}

// Reads a file of any format, XYZ among them, and writes it as another: convert-xyz IN OUT
let formats = Format.all + [.xyz]
let arguments = CommandLine.arguments
guard arguments.count == 3,
    let target = formats.first(where: { $0.extensions.contains(fileExtension(arguments[2])) && $0.makeWriter != nil })
else {
    print("usage: convert-xyz IN OUT, where OUT ends in the extension of a format that is written")
    exit(2)
}

do {
    let source = try list(arguments[1], among: formats)
    print("\(source.name) to \(target.name)")
    try convert(arguments[1], in: source, to: arguments[2], as: target)
} catch {
    print(error)
    exit(1)
}
