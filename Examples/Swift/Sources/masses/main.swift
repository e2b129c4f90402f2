// Prints the three largest molecules of a file: masses FILE
import Chemopen

guard CommandLine.arguments.count == 2 else { fatalError("usage: masses FILE") }

var found: [(name: Text, atoms: Int)] = []
// The closure receives the error of each damaged record; reading continues after it.
let records = Chemopen.records(in: LocalPath(CommandLine.arguments[1])) { error in print(error) }
for try await record in records {
    if let molecule = record.molecule { found.append((molecule.name, molecule.atoms.count)) }
}
for (name, atoms) in found.sorted(by: { $0.atoms > $1.atoms }).prefix(3) { print("\(name): \(atoms) atoms") }
