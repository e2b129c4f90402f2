import Chemopen
import Foundation
import Testing

@Suite("The files that desktops are given")
struct GeneratedFilesTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("handlers")

    @Test("the folder handlers holds what chemopen install --files makes of the formats, and nothing else")
    func current() throws {
        let package = DesktopPackage.ofAllFormats()
        let files = package.files + [package.metadata]
        for file in files {
            let kept = try? Data(contentsOf: folder.appendingPathComponent(file.sourceName))
            #expect(
                kept.map(Array.init) == file.bytes,
                "\(file.sourceName) differs; chemopen install --files handlers writes it anew")
        }
        let kept = (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).filter {
            !FileManager.default.fileExists(atPath: folder.path + "/\($0)/.")
        }
        #expect(Set(kept) == Set(files.map(\.sourceName)))
    }

    @Test("a desktop knows the files of a format by bytes near their beginning", arguments: Format.all.map(\.id))
    func signatures(_ id: String) throws {
        let format = try #require(Format.all.first { $0.id == id })
        // Some formats have no bytes to be known by, and are no type of their own.
        guard let signature = format.signature else { return }
        #expect(!signature.matches.isEmpty)
        // Desktops read 4096 bytes, and a longer range stops some programs altogether.
        for match in signature.matches + signature.matches.flatMap(\.inner) { #expect(match.offsets.upperBound < 4096) }
    }

    @Test("names that others use keep their type: only content tells ours, and loudly where a desktop knows the others")
    func contested() throws {
        let shared: Set = ["el", "rdf", "rd", "sdf", "ds", "cdx"]
        for format in Format.all where !shared.isDisjoint(with: format.extensions) {
            let signature = try #require(format.signature)
            #expect(signature.extensionWeight < 50)
            if ["el", "rdf"].contains(where: format.extensions.contains) { #expect(signature.priority >= 80) }
        }
        let claimed = Format.all.flatMap(\.typeDescriptions).flatMap(\.patterns).map(\.text)
        for pattern in ["*.el.gz", "*.rdf.gz", "*.mdl", "*.gz"] { #expect(!claimed.contains(pattern)) }
        #expect(Set(claimed).count == claimed.count)
    }
}
