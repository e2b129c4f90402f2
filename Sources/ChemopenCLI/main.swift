import Chemopen

let path = CommandLine.arguments.dropFirst().first ?? "-"
do {
    let source = try ByteSource(path: path)
    var reader = try SDfileReader(source, ReadOptions())
    var record = Record()
    var count = 0
    var atoms = 0
    var bad = 0
    var doubts = 0
    while true {
        do {
            if try !reader.read(into: &record) { break }
            count += 1
            atoms += record.molecule?.atoms.count ?? 0
        } catch {
            bad += 1
            print(error)
        }
        doubts += reader.issues.count
    }
    print(count, atoms, bad, doubts)
} catch {
    print(error)
}
