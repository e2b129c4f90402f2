/// The icon of a file type: a sheet of paper that shows the kind of content.
public struct IconPicture: Sendable, Hashable {
    /// The kind of content in files of a type.
    public enum Subject: Sendable, Hashable {
        /// A drawing on the sheet.
        case molecule, reaction, collection, drawing
    }

    /// The drawing on the sheet.
    public var subject: Subject
    /// The color of the band at the bottom, which distinguishes types of the same kind: `#2a6f97`.
    public var color: String
    /// Whether the file is compressed. If so, the icon shows a zipper.
    public var isPacked: Bool

    /// Creates an icon.
    public init(_ subject: Subject, color: String, isPacked: Bool = false) {
        self.subject = subject
        self.color = color
        self.isPacked = isPacked
    }

    /// The icon as SVG, 64 units wide.
    public var svg: String { Self.document(shapes, units: Self.units) }

    /// Renders the icon as a PNG for desktops that do not support SVG.
    func png(size: Int) -> [UInt8] { IconPixels(shapes, units: Self.units, size: size).png }

    /// The symbolic icon as SVG, 16 units wide. The desktop chooses its color.
    var symbolic: String {
        let shapes =
            switch subject {
            case .molecule:
                [Self.hollowRing(x: 8, y: 8, size: 6.5, inner: 4.8), Self.hollowRing(x: 8, y: 8, size: 3, inner: 0)]
            case .reaction:
                [
                    Self.hollowRing(x: 3.5, y: 8, size: 3.2, inner: 1.8),
                    Self.hollowRing(x: 12.5, y: 8, size: 3.2, inner: 1.8),
                    Self.filled("M7 7.500h1.200v-1.500l1.800 2-1.800 2v-1.500h-1.200z"),
                ]
            case .collection:
                [3.0, 8, 13].flatMap { y in
                    [
                        Self.hollowRing(x: 4, y: y, size: 2.4, inner: 1.1),
                        Self.filled("M8 \(Self.number(y - 0.6))h7v1.200h-7z"),
                    ]
                }
            case .drawing:
                [
                    Self.hollowRing(x: 6, y: 9, size: 5, inner: 3.5),
                    Self.filled("M15 1.500l-1.500-1-4.500 7.500-.300 2.300 1.800-1.300z"),
                ]
            }
        return Self.document(shapes, units: 16)
    }

    private static let units = 64.0

    private var shapes: [IconShape] {
        var shapes = [
            IconShape(
                path: "M12 3h29l13 13v43a2 2 0 0 1-2 2H12a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z", fill: "#fdfdfb",
                pen: "#55606b", width: 2),
            IconShape(path: "M41 3v11a2 2 0 0 0 2 2h11", fill: "#e4e8ec", pen: "#55606b", width: 2),
            IconShape(path: "M11 51h42v8a1 1 0 0 1-1 1H12a1 1 0 0 1-1-1z", fill: color),
        ]
        shapes += drawing
        if isPacked {
            let teeth = stride(from: 6, to: 48, by: 5).map { "M12 \($0)h3v3h-3z" }.joined()
            shapes.append(IconShape(path: teeth, fill: "#8a949e"))
        }
        return shapes
    }

    /// The program's own icon as SVG: an open ring.
    public static var program: String { document(programShapes, units: units) }

    static func programPNG(size: Int) -> [UInt8] { IconPixels(programShapes, units: units, size: size).png }

    /// The program's symbolic icon.
    static var symbolicProgram: String {
        document(
            [
                filled(
                    "M10.500 3.300 8 1.900 2.800 4.900v6.200L8 14.100l3-1.700.8 1.300-3.800 2.200L1.200 12V4L8 .100l3.300 1.900z"
                ),
                filled("M8 7.200h4V4.800L15.500 8 12 11.200V8.800H8z"),
            ], units: 16)
    }

    private static let programShapes = [
        IconShape(
            path: "M16 4h32a12 12 0 0 1 12 12v32a12 12 0 0 1-12 12H16a12 12 0 0 1-12-12V16a12 12 0 0 1 12-12z",
            fill: "#2a6f97"),
        IconShape(path: "M43 22 32 15 17 24v17l15 8 11-6", pen: "#ffffff", width: 4),
        IconShape(path: "M22 27v11l10 5", pen: "#ffffff", width: 3),
        IconShape(path: "M38 32h15m-6-6 6 6-6 6", pen: "#ffd166", width: 4),
    ]

    private var drawing: [IconShape] {
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

    private static func line(_ path: String) -> IconShape { IconShape(path: path, pen: "#2f3a44", width: 2) }

    private static func filled(_ path: String) -> IconShape { IconShape(path: path, fill: "#2e3436") }

    /// A hexagon with a corner at the top, drawn with the pen of the other lines.
    private static func ring(x: Double, y: Double, size: Double) -> IconShape { line(hexagon(x, y, size)) }

    /// A filled ring without a stroke, because desktops recolor fills only.
    private static func hollowRing(x: Double, y: Double, size: Double, inner: Double) -> IconShape {
        filled(hexagon(x, y, size) + (inner > 0 ? hexagon(x, y, inner) : ""))
    }

    private static func hexagon(_ x: Double, _ y: Double, _ size: Double) -> String {
        let half = (size * 50).rounded() / 100
        let side = (size * 86.6).rounded() / 100
        let corners = [(0, -size), (side, -half), (side, half), (0, size), (-side, half), (-side, -half)]
        let path = corners.enumerated().map { index, corner in
            "\(index == 0 ? "M" : "L")\(number(x + corner.0)) \(number(y + corner.1))"
        }
        return path.joined() + "z"
    }

    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return rest == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func document(_ shapes: [IconShape], units: Double) -> String {
        let side = Int(units)
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(side)\" height=\"\(side)\" "
            + "viewBox=\"0 0 \(side) \(side)\">\n" + shapes.map { "  \($0.svg)\n" }.joined() + "</svg>\n"
    }
}
