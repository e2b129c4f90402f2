import Chemopen
import Glibc
import XYZFormat

/// Prints a line for each molecule of a file, and returns the format of the file.
func list(_ path: String, among formats: FormatRegistry) throws -> Format {
    var records = try readUnknown(path: path, ReadOptions(among: formats))
    while true {
        do throws(ReadError) {
            guard let record = try records.next() else { break }
            guard let molecule = record.molecule else { continue }
            print("\(molecule.name): \(molecule.formula), \(molecule.atoms.count) atoms, \(molecule.bonds.count) bonds")
        } catch {
            print(error)  // skips this record; the next one follows
        }
    }
    return records.format
}

/// Converts a file and prints the losses.
func convert(_ path: String, to output: String, as target: Format, among formats: FormatRegistry) throws {
    var conversion = Conversion(to: target, among: formats)
    conversion.overwritesExistingFiles = true
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

// Converts a file of any format, including XYZ, to another format: convert-xyz IN OUT
let formats = FormatRegistry.standard.adding(.xyz)
let arguments = CommandLine.arguments
guard arguments.count == 3,
    let target = formats.format(withExtension: fileExtension(arguments[2])), target.isWritable
else {
    print("usage: convert-xyz IN OUT, where OUT ends in the extension of a format that is written")
    exit(2)
}

do {
    let source = try list(arguments[1], among: formats)
    print("\(source.name) to \(target.name)")
    try convert(arguments[1], to: arguments[2], as: target, among: formats)
} catch {
    print(error)
    exit(1)
}
