import CCairo
import ChemopenDepict
import Glibc

// The one file that calls cairo, FreeType and the system. Pointers live no longer than the canvas that owns them.

/// A sheet of pixels.
@safe final class Canvas {
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// More pixels than this are not made, whatever is asked for.
    private static let mostPixels = 100e6
    private static let longestSide = 32_000.0

    init?(width: Double, height: Double, scale: Double, ground: Picture.Color?) {
        var scale = scale
        let side = max(width, height) * scale
        if side > Self.longestSide { scale *= Self.longestSide / side }
        let pixels = width * height * scale * scale
        if pixels > Self.mostPixels { scale *= (Self.mostPixels / pixels).squareRoot() }
        let columns = Int32(max(1, min(32_000, (width * scale).rounded())))
        let rows = Int32(max(1, min(32_000, (height * scale).rounded())))
        let format = ground == nil ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24
        guard let surface = unsafe cairo_image_surface_create(format, columns, rows) else { return nil }
        unsafe self.surface = surface
        guard let context = unsafe cairo_create(surface) else { return nil }
        unsafe self.context = context
        guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else { return nil }
        if let ground {
            setColor(ground)
            unsafe cairo_paint(context)
        }
        unsafe cairo_scale(context, scale, scale)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    }

    deinit {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
    }

    func paint(_ line: PaintNotation.Line) {
        switch line {
        case .sheet: break
        case .stroke(let points, let width, let dashes, let color):
            setColor(color)
            trace(points)
            unsafe cairo_set_line_width(context, width)
            unsafe cairo_set_dash(context, dashes, Int32(clamping: dashes.count), 0)
            unsafe cairo_stroke(context)
        case .fill(let points, let color):
            setColor(color)
            trace(points)
            unsafe cairo_close_path(context)
            unsafe cairo_fill(context)
        case .letters(let text, let place, let size, let width, let color):
            setColor(color)
            write(text, at: place, size: size, width: width)
        }
    }

    private func setColor(_ color: Picture.Color) {
        unsafe cairo_set_source_rgb(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    }

    private func trace(_ points: [Picture.Point]) {
        unsafe cairo_new_path(context)
        for point in points { unsafe cairo_line_to(context, point.x, point.y) }
    }

    // MARK: Letters

    private var hasFont = false

    /// Letters that come out wider or narrower than in Helvetica are brought to its width.
    private func write(_ text: String, at place: Picture.Point, size: Double, width: Double) {
        if !hasFont { chooseFont() }
        hasFont = true
        unsafe cairo_set_font_size(context, size)
        var extents = cairo_text_extents_t()
        unsafe cairo_text_extents(context, text, &extents)
        let factor = extents.x_advance > 0 && width > 0 ? width / extents.x_advance : 1
        unsafe cairo_save(context)
        unsafe cairo_translate(context, place.x, place.y)
        if abs(factor - 1) > 0.02 { unsafe cairo_scale(context, min(2, max(0.5, factor)), 1) }
        unsafe cairo_move_to(context, 0, 0)
        unsafe cairo_show_text(context, text)
        unsafe cairo_restore(context)
    }

    /// Fonts with the widths of Helvetica, then others, where Linux systems keep them. To open one by its path takes a
    /// fraction of the time in which fontconfig finds the one that suits best.
    private static let fonts = [
        "liberation/LiberationSans-Regular.ttf", "liberation2/LiberationSans-Regular.ttf",
        "liberation-sans/LiberationSans-Regular.ttf", "msttcorefonts/Arial.ttf", "croscore/Arimo-Regular.ttf",
        "freefont/FreeSans.ttf", "dejavu/DejaVuSans.ttf", "noto/NotoSans-Regular.ttf",
    ]
    private static let folders = ["/usr/share/fonts/truetype/", "/usr/share/fonts/", "/usr/share/fonts/TTF/"]

    private func chooseFont() {
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        var library: FT_Library?
        if unsafe FT_Init_FreeType(&library) == 0 {
            for font in Self.fonts {
                for folder in Self.folders {
                    var face: FT_Face?
                    guard unsafe FT_New_Face(library, folder + font, 0, &face) == 0 else { continue }
                    // The face lives as long as the process, which draws one picture.
                    let cairoFace = unsafe cairo_ft_font_face_create_for_ft_face(face, 0)
                    unsafe cairo_set_font_face(context, cairoFace)
                    unsafe cairo_font_face_destroy(cairoFace)
                    return
                }
            }
        }
        unsafe cairo_select_font_face(context, "Helvetica", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    }

    // MARK: PNG

    /// Writes the sheet to standard output.
    func writePNG() -> Bool {
        unsafe cairo_surface_flush(surface)
        let write: cairo_write_func_t = { _, bytes, count in
            guard let bytes = unsafe bytes else { return CAIRO_STATUS_WRITE_ERROR }
            var done = 0
            while done < Int(count) {
                let written = unsafe Glibc.write(1, bytes + done, Int(count) - done)
                if written > 0 { done += written } else if errno != EINTR { return CAIRO_STATUS_WRITE_ERROR }
            }
            return CAIRO_STATUS_SUCCESS
        }
        return unsafe cairo_surface_write_to_png_stream(surface, write, nil) == CAIRO_STATUS_SUCCESS
    }
}

// MARK: The process

func readStandardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        let taken = unsafe read(0, &block, block.count)
        if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { return bytes }
    }
}

func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe write(2, bytes, bytes.count)
}

func endProcess(_ status: Int32) -> Never { exit(status) }
