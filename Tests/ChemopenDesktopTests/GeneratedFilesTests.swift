import Chemopen
import Foundation
import Testing

@Suite("Generated desktop files")
struct GeneratedFilesTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("handlers")

    @Test("the handlers directory contains exactly the output of chemopen install --files")
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

    @Test("a desktop detects the files of a format by bytes near their start", arguments: Format.all.map(\.id))
    func signatures(_ id: String) throws {
        let format = try #require(Format.all.first { $0.id == id })
        // Some formats have no characteristic bytes and no type.
        guard let signature = format.signature else { return }
        #expect(!signature.matches.isEmpty)
        // Desktops read 4096 bytes, and some programs fail for a longer range.
        for match in signature.matches + signature.matches.flatMap(\.inner) { #expect(match.offsets.upperBound < 4096) }
    }

    @Test("a shared extension requires matching content, with high priority if a desktop knows the other format")
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

@Suite("Icons")
struct IconTests {
    private let files = DesktopPackage.ofAllFormats().files.filter { $0.path.hasPrefix("icons/") }

    @Test("each type has a scalable icon, an icon of 48 pixels, and a symbolic icon")
    func kinds() {
        for type in Format.all.flatMap(\.typeDescriptions).map(\.type) {
            let name = type.replacing("/", with: "-")
            let paths = [
                "scalable/mimetypes/\(name).svg", "48x48/mimetypes/\(name).png",
                "symbolic/mimetypes/\(name)-symbolic.svg",
            ]
            for path in paths { #expect(files.contains { $0.path == "icons/hicolor/" + path }, "\(path)") }
        }
    }

    @Test("the icons of 48 pixels are PNG files with a transparent corner and a visible center")
    func pixels() throws {
        for file in files where file.path.hasSuffix(".png") {
            let bytes = file.bytes
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]))
            #expect(bytes[16..<29].elementsEqual([0, 0, 0, 48, 0, 0, 0, 48, 8, 6, 0, 0, 0]))
            // The rows follow 48 bytes of headers: a filter byte, and four bytes for each pixel.
            let rows = Array(bytes[48...])
            #expect(rows.count == 48 * (1 + 48 * 4) + 4 + 4 + 12)
            #expect(rows[4] == 0, "\(file.path): the corner is painted")
            #expect(rows[24 * 193 + 1 + 24 * 4 + 3] == 255, "\(file.path): the middle is clear")
        }
    }

    @Test("symbolic icons use fills and no strokes, which desktops would not recolor")
    func symbolic() {
        for file in files where file.path.contains("/symbolic/") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(!text.contains("stroke") && text.contains("fill=\"#2e3436\""), "\(file.path)")
        }
    }
}
