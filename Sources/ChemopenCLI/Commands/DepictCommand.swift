import Chemopen

extension Option {
    static let pictureOutput = Option(
        "--output", "-O", path: "OUT",
        help: "write to OUT, as SVG or PNG by extension; - is standard output")
    static let pictureFormat = Option(
        "--to", "-o", value: "FORMAT", choices: ["svg", "png", "txt"],
        help: "write svg, png or txt; by default the extension of OUT decides")
    static let size = Option("--size", value: "WxH", help: "exact size in pixels: 400x300, or 400 for a square")
    static let fit = Option(
        "--fit", value: "WxH", help: "maximum size in pixels; smaller structures keep their print size")
    static let columns = Option("--columns", value: "N", help: "number of pictures per row of a sheet")
    static let caption = Option(
        "--caption", value: "FIELD", help: "caption each picture with FIELD instead of the title")
    static let colored = Option("--color", help: "color the elements")
    static let dark = Option("--dark", help: "draw for a dark background")
    static let ground = Option(
        "--background", value: "COLOR", help: "background: white, none or #rrggbb (default for PNG: white)")
    static let wholePage = Option("--page", help: "draw complete pages of ChemDraw files; --records chooses pages")
    static let asTheyStand = Option(
        "--no-layout", help: "do not compute 2D coordinates")
    static let drawExpanded = Option("--expand", help: "draw the atoms of abbreviations")
    static let graphics = Option(
        "--graphics", value: "HOW", choices: ["auto", "text", "kitty", "iterm", "sixel"],
        help: "pictures in a terminal: auto (default), text, kitty, iterm or sixel")
}

/// `chemopen depict`: draws structures.
enum DepictCommand: Command {
    static let name = "depict"
    static let group = CommandGroup.look
    static let isPaged = true
    static let summary = "draw structures as SVG or PNG, or in the terminal"
    static let usage = "chemopen depict [options] FILE... [-O OUT]"
    static let example = "chemopen depict --records 1-24 --columns 4 kinases.sdf.gz -O sheet.png"
    static let moreExamples = [
        "chemopen depict caffeine.mol",
        "chemopen depict --page drawing.cdx -O drawing.svg",
    ]
    static let options: [Option] = [
        .pictureOutput, .pictureFormat, .records, .condition, .smarts, .substructure, .exact, .racemates, .size, .fit,
        .columns,
        .caption, .colored, .dark,
        .ground,
        .wholePage, .drawExpanded, .asTheyStand, .graphics, .force,
    ]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Several records become a sheet. Lengths and line widths follow the ACS style. Without OUT, the",
        "structures are drawn in the terminal, for a ChemDraw file its page first. chemopen-draw writes the",
        "PNG and chemopen-layout computes 2D coordinates for 3D structures or missing coordinates; the",
        "picture notes this in small print. Both programs must be next to chemopen.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        var run = DepictionRun(try DepictionRequest(arguments, on: terminal), on: terminal)
        return run.run()
    }
}

/// The parsed command line of `depict`.
struct DepictionRequest {
    enum Target {
        case svg, png, text
    }

    var inputs: [Source]
    var output: LocalPath?
    var target: Target
    var format: Format?
    var reading: ReadOptions
    var selection: RecordSelection
    var size: (width: Double, height: Double)?
    var isExact = false
    var columns: Int?
    var caption: Text?
    var style: Picture.Style
    var graphics: TerminalGraphics?
    var showsPages = false
    var replaces: Bool

    init(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) {
        var operands = try arguments.files()
        output = arguments.path(of: .pictureOutput)
        if output == nil, operands.count > 1, let last = operands.last, Self.target(ofName: last) != nil {
            output = operands.removeLast()
        }
        inputs = operands.map { arguments.source($0) }
        target = try Self.target(arguments, output)
        if target != .text, output == nil { output = "-" }
        if target == .png, output?.isDash == true, terminal.isInteractive {
            throw UsageError("cannot write a PNG to the terminal (use -O to specify a file)")
        }
        format = try arguments.format(of: .from)
        reading = try arguments.readOptions()
        selection = try arguments.selection()
        size = try Self.size(arguments, .size)
        isExact = size != nil
        if size == nil { size = try Self.size(arguments, .fit) }
        columns = try arguments.number(of: .columns, in: 1...100)
        caption = arguments.field(of: .caption)
        showsPages = arguments.has(.wholePage)
        if showsPages {
            guard selection.conditions.isEmpty, selection.structures.isEmpty else {
                throw UsageError("--page cannot be combined with filters other than --records")
            }
            for option in [Option.caption, .colored, .drawExpanded] where arguments.has(option) {
                throw UsageError("--page cannot be combined with \(option.name), which applies to records")
            }
        }
        style = Picture.Style(arguments.has(.dark) ? .dark : .light, hasColors: arguments.has(.colored))
        style.expandsAbbreviations = arguments.has(.drawExpanded)
        style.laysOut = !arguments.has(.asTheyStand)
        style.palette.ground = try Self.ground(arguments, target)
        graphics = target == .text ? try Self.graphics(arguments, on: terminal) : nil
        // A pager would not show pictures.
        if graphics != nil { terminal.isPaged = false }
        replaces = arguments.has(.force)
    }

    private static func target(ofName name: LocalPath) -> Target? {
        switch fileExtension(name) {
        case "svg": .svg
        case "png": .png
        case "txt": .text
        default: nil
        }
    }

    private static func target(_ arguments: Arguments, _ output: LocalPath?) throws(UsageError) -> Target {
        if let name = arguments.value(of: .pictureFormat) {
            guard let target = target(ofName: LocalPath("." + name.lowercased())) else {
                throw UsageError("depict writes svg, png and txt, not \"\(name)\"")
            }
            return target
        }
        guard let output else { return .text }
        if output.isDash { return .svg }
        guard let target = target(ofName: output) else {
            throw UsageError("\(output.shown) does not end with .svg or .png (use --to to specify the format)")
        }
        return target
    }

    private static func size(
        _ arguments: Arguments, _ option: Option
    ) throws(UsageError) -> (width: Double, height: Double)? {
        guard let text = arguments.value(of: option) else { return nil }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count <= 2, let width = sides.first ?? nil, let height = sides.last ?? nil,
            8...20_000 ~= width, 8...20_000 ~= height
        else {
            throw UsageError(
                "\(option.name) requires a width and a height from 8 to 20000 such as 400x300, not \"\(text)\"")
        }
        return (Double(width), Double(height))
    }

    private static func ground(_ arguments: Arguments, _ target: Target) throws(UsageError) -> Picture.Color? {
        guard let name = arguments.value(of: .ground) else {
            guard target == .png else { return nil }
            return arguments.has(.dark) ? Picture.Color(0x1B, 0x1B, 0x1D) : Picture.Color(255, 255, 255)
        }
        switch name {
        case "none": return nil
        case "white": return Picture.Color(255, 255, 255)
        case "black": return Picture.Color(0, 0, 0)
        default:
            guard let color = Picture.Color(hex: name) else {
                throw UsageError("--background requires white, black, none or a color such as #f0f0f0, not \"\(name)\"")
            }
            return color
        }
    }

    private static func graphics(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> TerminalGraphics?
    {
        switch arguments.value(of: .graphics) ?? "auto" {
        case "auto": return terminal.isInteractive ? TerminalGraphics.ofTerminal() : nil
        case "text": return nil
        case "kitty": return .kitty
        case "iterm": return .iterm
        case "sixel": return .sixel
        case let name: throw UsageError("--graphics requires auto, text, kitty, iterm or sixel, not \"\(name)\"")
        }
    }
}
