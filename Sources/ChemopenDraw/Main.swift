import ChemopenConfinement
import ChemopenDepict

/// `chemopen-draw SCALE MILLISECONDS BYTES [FORMAT]`: renders a picture from standard input as `png` (the default) or
/// `sixel`. `BYTES` is the size of the input. If the picture is incomplete, nothing is written.
///
/// `SCALE` is the number of pixels for each point, and `MILLISECONDS` the limit for processor time. The program is
/// run by `chemopen`. Because it is a separate executable, other commands start without its libraries.
@main
enum Main {
    static func main() {
        guard 4...5 ~= CommandLine.arguments.count, let scale = Double(CommandLine.arguments[1]), scale > 0,
            scale <= 100,
            let milliseconds = Int(CommandLine.arguments[2]), let count = Int(CommandLine.arguments[3]),
            limitProcessorTime(milliseconds: milliseconds)
        else {
            complain("chemopen-draw is run by chemopen; see \"chemopen depict --help\"")
            endProcess(2)
        }
        // Letters require font files, so the program is not restricted to computations.
        Confinement().apply()
        guard let input = readStandardInput(count) else {
            complain("chemopen-draw: error: the picture breaks off")
            endProcess(1)
        }
        var canvas: Canvas?
        for bytes in input.split(separator: UInt8(ascii: "\n")) {
            guard let line = PaintNotation.line(bytes) else { continue }
            if case .sheet(let width, let height, let ground) = line {
                canvas = Canvas(width: width, height: height, scale: scale, ground: ground)
            }
            canvas?.paint(line)
        }
        let isSixel = CommandLine.arguments.last == "sixel"
        guard let canvas, isSixel ? canvas.writeSixels() : canvas.writePNG() else {
            complain("chemopen-draw: error: no picture on standard input, or not enough memory")
            endProcess(1)
        }
        endProcess(0)
    }
}
