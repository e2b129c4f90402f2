/// The picture on the icon of a type: a sheet of paper, and on it the content of such a file.
public struct IconPicture: Sendable, Hashable {
    /// The content of files of a type.
    public enum Subject: Sendable, Hashable {
        /// The drawing on the sheet.
        case molecule, reaction, collection, drawing
    }

    /// The drawing on the sheet.
    public var subject: Subject
    /// The colour of the band at the foot, which tells types of one kind apart: `#2a6f97`.
    public var color: String
    /// The file is packed: a zip runs down the sheet.
    public var isPacked: Bool

    /// An icon with a picture and a band of a colour.
    public init(_ subject: Subject, color: String, isPacked: Bool = false) {
        self.subject = subject
        self.color = color
        self.isPacked = isPacked
    }

    /// The icon of a type as SVG, 64 units wide.
    public var svg: String {
        var shapes = [
            "<path d=\"M12 3h29l13 13v43a2 2 0 0 1-2 2H12a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z\" "
                + "fill=\"#fdfdfb\" stroke=\"#55606b\" stroke-width=\"2\"/>",
            "<path d=\"M41 3v11a2 2 0 0 0 2 2h11\" fill=\"#e4e8ec\" stroke=\"#55606b\" stroke-width=\"2\"/>",
            "<path d=\"M11 51h42v8a1 1 0 0 1-1 1H12a1 1 0 0 1-1-1z\" fill=\"\(color)\"/>",
        ]
        shapes += drawing
        if isPacked {
            shapes.append("<path d=\"M13.5 5v44\" stroke=\"#8a949e\" stroke-width=\"3\" stroke-dasharray=\"3 2\"/>")
        }
        return Self.document(shapes)
    }

    /// The program's own icon: a ring that opens.
    public static var program: String {
        document([
            "<rect x=\"4\" y=\"4\" width=\"56\" height=\"56\" rx=\"12\" fill=\"#2a6f97\"/>",
            "<path d=\"M43 22 32 15 17 24v17l15 8 11-6\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"4\" "
                + "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            "<path d=\"M22 27v11l10 5\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linecap=\"round\"/>",
            "<path d=\"M38 32h15m-6-6 6 6-6 6\" fill=\"none\" stroke=\"#ffd166\" stroke-width=\"4\" "
                + "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
        ])
    }

    private var drawing: [String] {
        switch subject {
        case .molecule:
            [Self.ring(x: 32, y: 32, size: 12), Self.line("M38 32a6 6 0 1 1-12 0 6 6 0 1 1 12 0z")]
        case .reaction:
            [
                Self.ring(x: 20, y: 33, size: 6.5), Self.ring(x: 44, y: 33, size: 6.5),
                Self.line("M28.500 33h7m-2.500-2.500 2.500 2.500-2.500 2.500"),
            ]
        case .collection:
            [
                Self.line("M16 22h32v24H16zM16 30h32M16 38h32M30 22v24"), Self.ring(x: 23, y: 26, size: 2.8),
                Self.ring(x: 23, y: 34, size: 2.8), Self.ring(x: 23, y: 42, size: 2.8),
            ]
        case .drawing:
            [Self.ring(x: 27, y: 34, size: 9), Self.line("M35 40l10-16 3.500 2.200-10 16-4 1.800z")]
        }
    }

    private static func line(_ path: String) -> String {
        "<path d=\"\(path)\" fill=\"none\" stroke=\"#2f3a44\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
    }

    /// A ring of six, a corner above, in the pen of the other lines.
    private static func ring(x: Double, y: Double, size: Double) -> String {
        let half = (size * 50).rounded() / 100
        let side = (size * 86.6).rounded() / 100
        let corners = [(0, -size), (side, -half), (side, half), (0, size), (-side, half), (-side, -half)]
        let path = corners.enumerated().map { index, corner in
            "\(index == 0 ? "M" : "L")\(number(x + corner.0)) \(number(y + corner.1))"
        }
        return line(path.joined() + "z")
    }

    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return rest == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func document(_ shapes: [String]) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\" viewBox=\"0 0 64 64\">\n"
            + shapes.map { "  \($0)\n" }.joined() + "</svg>\n"
    }
}
