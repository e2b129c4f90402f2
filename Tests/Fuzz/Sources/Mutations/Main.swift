import Chemopen
import Glibc

/// `ChemopenMutations FORMAT FIRST COUNT COMPARE NOTE FILE...`: mutates files, reads the result, and writes it with
/// every writer. NOTE is a file with the number of the current mutation, which identifies a mutation that crashes the
/// program.
///
/// `ChemopenMutations FORMAT FIRST show COMPARE NOTE FILE...` prints the result of one mutation.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments
        guard words.count > 6, let format = FormatRegistry.standard[words[1]],
            let first = UInt64(words[2]),
            let comparison = Promises.Comparison(rawValue: words[4])
        else { end("usage: ChemopenMutations FORMAT FIRST COUNT|show COMPARE NOTE FILE...", 2) }
        let seeds = words[6...].sorted().map(contents)
        if words[3] == "show" { end(mutant(first, of: seeds), 0) }
        guard let count = UInt64(words[3]) else { end("invalid number of changes: \(words[3])", 2) }
        let note = unsafe open(words[5], O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        let promises = Promises(format: format, comparison: comparison)
        var written = 0
        var told: [String: Int] = [:]
        for number in first..<first &+ count {
            keep(number, in: note)
            let input = mutant(number, of: seeds)
            written += promises.tryWriters(input, writers(for: number), mostRecords: 3) { broken, writer in
                let kind = "\(writer.id): \(kind(broken.message))"
                told[kind, default: 0] += 1
                if told[kind] == 1 || environmentAsksForAll {
                    print("change \(number) of \(format.id), \(writer.id): \(broken.message)")
                    if environmentAsksForTexts { for text in broken.texts { show(text) } }
                }
            }
        }
        let total = told.values.reduce(0, +)
        print("\(format.id): \(count) changes, \(written) records written, \(total) violations")
        for (kind, count) in told.sorted(by: { $0.key < $1.key }) { print("  \(count) \(kind)") }
        exit(told.isEmpty ? 0 : 1)
    }

    private static func mutant(_ number: UInt64, of seeds: [[UInt8]]) -> [UInt8] {
        var chance = Chance(number &* 31)
        return Mutation.of(chance.choice(seeds), number)
    }

    /// Returns the writers of all formats that are detected by content, and of SMILES. Each mutation uses one version
    /// of a format.
    private static func writers(for number: UInt64) -> [(format: Format, version: WriteOptions.Version)] {
        let versions: [WriteOptions.Version] = [.asNeeded, .v2000, .v3000]
        return (Format.all + [.smiles]).filter { $0.isWritable }.map { ($0, versions[Int(number % 3)]) }
    }

    /// Returns a message without the parts that differ between cases.
    private static func kind(_ message: String) -> String {
        String(message.prefix { $0 != ":" })
    }

    private static let environmentAsksForAll = unsafe getenv("CHEMOPEN_MUTATE_ALL") != nil
    private static let environmentAsksForTexts = unsafe getenv("CHEMOPEN_MUTATE_TEXTS") != nil

    private static func show(_ text: [UInt8]) {
        print("-----\n" + String(decoding: text, as: UTF8.self))
    }

    private static func keep(_ number: UInt64, in note: CInt) {
        let text = Array("\(number)\n".utf8)
        _ = unsafe text.withUnsafeBytes { unsafe pwrite(note, $0.baseAddress, $0.count, 0) }
    }

    private static func contents(of path: String) -> [UInt8] {
        guard var source = try? ByteSource(path: path) else { end("\(path) cannot be read", 2) }
        while (try? source.fill()) == true {}
        return Array(source.buffer[source.window])
    }

    private static func end(_ text: String, _ status: CInt) -> Never {
        end(Array((text + "\n").utf8), status)
    }

    private static func end(_ bytes: [UInt8], _ status: CInt) -> Never {
        unsafe bytes.withUnsafeBytes { _ = unsafe write(status == 0 ? 1 : 2, $0.baseAddress, $0.count) }
        exit(status)
    }
}
