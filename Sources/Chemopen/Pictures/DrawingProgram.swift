import ChemopenBytes
import ChemopenDepict
import ChemopenDesktop
import ChemopenModel

/// The helper program that renders pictures as pixels. It must be installed next to the running program or, if this is a
/// library, next to the library or in a directory of `PATH`.
///
///     let png = try DrawingProgram().png(of: picture, pixelsPerPoint: 4)
public struct DrawingProgram: Sendable {
    private let path: LocalPath

    /// The name of the program.
    public static let name = "chemopen-draw"

    /// The reason why a PNG cannot be created.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The error message.
        public let description: String
    }

    /// Locates the program.
    ///
    /// - Throws: `Failure` if it is not installed.
    public init() throws(Failure) {
        guard let path = helperProgram(Self.name) else {
            let place = resolvedPath("/proc/self/exe").map { ", at \($0.folder.appending(LocalPath(Self.name)).shown)" }
            throw Failure(description: "PNG requires the program \(Self.name) next to this one\(place ?? "")")
        }
        self.path = path
    }

    private static let largestFile = 1 << 28

    /// Renders a picture.
    ///
    /// - Parameter milliseconds: The limit for the program's processor time.
    /// - Returns: The PNG file.
    /// - Throws: `Failure` if the program fails or exceeds the time limit.
    public func png(
        of picture: Picture, pixelsPerPoint scale: Double, within milliseconds: Int = RecordCost.pixelsMilliseconds
    ) throws(Failure) -> [UInt8] {
        try bytes(of: picture, scale, milliseconds, "png")
    }

    /// Renders a picture as sixels, which some terminals show.
    ///
    /// - Throws: `Failure` if the program fails or exceeds the time limit.
    package func sixels(of picture: Picture, pixelsPerPoint scale: Double) throws(Failure) -> [UInt8] {
        try bytes(of: picture, scale, RecordCost.pixelsMilliseconds, "sixel")
    }

    private func bytes(
        of picture: Picture, _ scale: Double, _ milliseconds: Int, _ format: String
    ) throws(Failure) -> [UInt8] {
        let (bytes, status): ([UInt8], Int32)
        do throws(FileError) {
            let text = PaintNotation.bytes(of: picture)
            let words = [Self.name, "\(scale)", "\(milliseconds)", "\(text.count)", format].map { Array($0.utf8) }
            let program = try StartedProgram(path, words, environment: [])
            bytes = try program.answer(to: text, limit: Self.largestFile)
            status = program.process.wait()
        } catch {
            throw Failure(description: "\(Self.name) failed: \(error.explanation)")
        }
        // SIGPROF ended the program.
        if status == 128 + 27 {
            throw Failure(description: "the picture takes more than \(milliseconds) ms of processor time to draw")
        }
        guard status == 0, !bytes.isEmpty else {
            throw Failure(description: "\(Self.name) failed: \(FileError(path, .other(errno: 5)).explanation)")
        }
        return bytes
    }
}

extension Picture {
    private static let mostPixels = 12e6
    private static let longestLines = 4e6

    /// Determines a resolution at which the picture can be rendered quickly.
    ///
    /// - Returns: The number of pixels per point: the requested number, or less if the picture is large or has many
    ///   long lines.
    public func pixelsPerPoint(atMost wanted: Double) -> Double {
        var length = 0.0
        for case .stroke(let stroke) in marks {
            for (start, end) in zip(stroke.points, stroke.points.dropFirst()) {
                let (x, y) = (end.x - start.x, end.y - start.y)
                length += (x * x + y * y).squareRoot()
            }
        }
        let area = max(1, width * height)
        return min(wanted, (Self.mostPixels / area).squareRoot(), Self.longestLines / max(1, length))
    }
}
