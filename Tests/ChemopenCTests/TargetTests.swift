import Chemopen
import TestFolders
import Testing

@testable import ChemopenC
@testable import ChemopenCLI

@Suite("Output format")
struct TargetTests {
    /// All file names that select an output format, with its id.
    private static let names: [(name: String, id: String)] = FormatRegistry.standard.all.flatMap { format in
        let suffixes = format.isWritable ? format.extensions : []
        return suffixes.flatMap { ["a.\($0)", "B.\($0.uppercased())", "a.\($0).gz"] }.map { ($0, format.id) }
    }

    @Test("the file name selects the same format in C, in Swift and on the command line")
    func everyExtension() throws {
        let terminal = Terminal()
        for (name, id) in Self.names {
            let path = LocalPath(name)
            #expect(FormatRegistry.standard.format(ofName: path)?.id == id, "\(name)")
            #expect(try Format.target(nil as Format?, path).get().id == id, "\(name)")
            let arguments = try Arguments(["a.smi", path], accepting: ConvertCommand.allOptions)
            #expect(try ConversionRequest(arguments, on: terminal).conversion.target.id == id, "\(name)")
        }
    }
}
