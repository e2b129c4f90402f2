import Chemopen
import TestFolders
import Testing

@testable import ChemopenC
@testable import ChemopenCLI

@Suite("The format of an output")
struct TargetTests {
    /// All names under which a format is written.
    private static let names: [(name: String, id: String)] = FormatRegistry.standard.all.flatMap { format in
        let suffixes = format.makeWriter == nil ? [] : format.extensions
        return suffixes.flatMap { ["a.\($0)", "B.\($0.uppercased())", "a.\($0).gz"] }.map { ($0, format.id) }
    }

    @Test("is that of its name, the same in C, Swift and on the command line")
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
