import CCairo
import ChemopenDepict
import ChemopenModel
import Glibc

// The only file that calls cairo, FreeType and the system. No pointer outlives the canvas that owns it.

/// An image that is drawn with cairo.
@safe final class Canvas {
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// The largest number of pixels. Larger images are scaled down.
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
            unsafe cairo_set_line_width(context, width)
            unsafe cairo_set_dash(context, dashes, Int32(clamping: dashes.count), 0)
            for piece in Self.pieces(of: points, areDashed: !dashes.isEmpty) {
                trace(points[piece])
                unsafe cairo_stroke(context)
            }
        case .fill(let points, let color):
            setColor(color)
            trace(points)
            unsafe cairo_close_path(context)
            unsafe cairo_fill(context)
        case .letters(let letters, let color):
            setColor(color)
            write(letters)
        case .image(let image): paint(image)
        }
    }

    private func setColor(_ color: Picture.Color) {
        unsafe cairo_set_source_rgb(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    }

    /// The maximum number of points in a line that is drawn in one piece. Cairo searches for self-intersections, which
    /// needs time proportional to the square of the length.
    private static let mostPoints = 200

    /// Returns the pieces in which a line is drawn. Adjacent pieces both have round ends at their common point. Dashed
    /// lines are not split, to preserve the pattern.
    private static func pieces(of points: [Picture.Point], areDashed: Bool) -> [Range<Int>] {
        if areDashed || points.count <= mostPoints { return [points.indices] }
        return stride(from: 0, to: points.count - 1, by: mostPoints).map { $0..<min(points.count, $0 + mostPoints + 1) }
    }

    private func trace(_ points: some Sequence<Picture.Point>) {
        unsafe cairo_new_path(context)
        for point in points { unsafe cairo_line_to(context, point.x, point.y) }
    }

    // MARK: Letters

    private var font: Font?

    /// Draws letters, stretched or compressed to the width that was measured with the standard font.
    private func write(_ letters: Picture.Letters) {
        if font == nil { setOptions() }
        if font != letters.face { choose(letters.face) }
        font = letters.face
        unsafe cairo_set_font_size(context, letters.size)
        var extents = cairo_text_extents_t()
        unsafe cairo_text_extents(context, letters.text, &extents)
        let factor = extents.x_advance > 0 && letters.width > 0 ? letters.width / extents.x_advance : 1
        unsafe cairo_save(context)
        unsafe cairo_translate(context, letters.start.x, letters.start.y)
        if letters.turn != 0 { unsafe cairo_rotate(context, letters.turn * .pi / 180) }
        if abs(factor - 1) > 0.02 { unsafe cairo_scale(context, min(2, max(0.5, factor)), 1) }
        unsafe cairo_move_to(context, 0, 0)
        unsafe cairo_show_text(context, letters.text)
        unsafe cairo_restore(context)
    }

    /// Returns the usual paths of fonts with the widths of Helvetica, Times and Courier, and of alternatives.
    ///
    /// Opening a font by its path is much faster than a search by fontconfig.
    private static func fonts(_ face: Font) -> [String] {
        let style = (face.isBold ? "Bold" : "") + (face.isItalic ? "Italic" : "")
        let ending = style.isEmpty ? "Regular" : style
        let (liberation, croscore, free) =
            switch face.family {
            case .sans: ("LiberationSans", "Arimo", "FreeSans")
            case .serif: ("LiberationSerif", "Tinos", "FreeSerif")
            case .typewriter: ("LiberationMono", "Cousine", "FreeMono")
            }
        return [
            "liberation/\(liberation)-\(ending).ttf", "liberation2/\(liberation)-\(ending).ttf",
            "liberation-sans/\(liberation)-\(ending).ttf", "liberation-serif/\(liberation)-\(ending).ttf",
            "liberation-mono/\(liberation)-\(ending).ttf", "croscore/\(croscore)-\(ending).ttf",
        ] + (style.isEmpty && face.family == .sans ? ["msttcorefonts/Arial.ttf"] : [])
            + (style.isEmpty ? ["freefont/\(free).ttf"] : [])
            + (style.isEmpty && face.family == .sans ? ["dejavu/DejaVuSans.ttf", "noto/NotoSans-Regular.ttf"] : [])
    }
    private static let folders = ["/usr/share/fonts/truetype/", "/usr/share/fonts/", "/usr/share/fonts/TTF/"]

    private func setOptions() {
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
    }

    /// The open fonts. They are never closed, because the process ends after one picture.
    private var faces: [Font: OpaquePointer] = unsafe [:]

    private func choose(_ face: Font) {
        if let open = unsafe faces[face] { return unsafe cairo_set_font_face(context, open) }
        var library: FT_Library?
        if unsafe FT_Init_FreeType(&library) == 0 {
            for font in Self.fonts(face) {
                for folder in Self.folders {
                    var found: FT_Face?
                    guard unsafe FT_New_Face(library, folder + font, 0, &found) == 0 else { continue }
                    let cairoFace = unsafe cairo_ft_font_face_create_for_ft_face(found, 0)
                    unsafe cairo_set_font_face(context, cairoFace)
                    unsafe faces[face] = cairoFace
                    return
                }
            }
        }
        let family =
            switch face.family {
            case .sans: "Helvetica"
            case .serif: "Times"
            case .typewriter: "Courier"
            }
        unsafe cairo_select_font_face(
            context, family, face.isItalic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
            face.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    }

    // MARK: Images

    /// The largest number of pixels of an embedded image that is decoded, according to its header.
    private static let mostPixelsOfPicture = 25e6

    /// Paints a PNG or a BMP image. Other or broken images are shown as a frame with diagonals.
    private func paint(_ image: Page.Image) {
        guard image.width > 0, image.height > 0 else { return }
        let pixels: OpaquePointer?
        switch image.kind {
        case .png: unsafe pixels = surface(ofPNG: image.bytes)
        case .bmp: unsafe pixels = BitmapFile(image.bytes).flatMap { unsafe surface(of: $0) }
        case .jpeg, .gif: unsafe pixels = nil
        }
        let (x, y) = (image.corner.x, image.corner.y)
        guard let pixels = unsafe pixels else {
            setColor(Picture.Color(0x80, 0x80, 0x80))
            unsafe cairo_set_line_width(context, 0.6)
            unsafe cairo_set_dash(context, [], 0, 0)
            unsafe cairo_rectangle(context, x, y, image.width, image.height)
            for (from, to) in [(0.0, 1.0), (1.0, 0.0)] {
                unsafe cairo_move_to(context, x, y + from * image.height)
                unsafe cairo_line_to(context, x + image.width, y + to * image.height)
            }
            unsafe cairo_stroke(context)
            return
        }
        let (columns, rows) = unsafe (
            Double(cairo_image_surface_get_width(pixels)), Double(cairo_image_surface_get_height(pixels))
        )
        unsafe cairo_save(context)
        unsafe cairo_translate(context, x, y)
        unsafe cairo_scale(context, image.width / max(1, columns), image.height / max(1, rows))
        unsafe cairo_set_source_surface(context, pixels, 0, 0)
        unsafe cairo_paint(context)
        unsafe cairo_restore(context)
        unsafe cairo_surface_destroy(pixels)
    }

    private final class Reading {
        let bytes: [UInt8]
        var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private func surface(ofPNG bytes: [UInt8]) -> OpaquePointer? {
        func long(_ place: Int) -> Double { bytes[place..<place + 4].reduce(0) { $0 * 256 + Double($1) } }
        let header = 24
        guard bytes.count > header, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]),
            long(16) * long(20) <= Self.mostPixelsOfPicture
        else { return nil }
        let reading = Reading(bytes)
        let read: cairo_read_func_t = { closure, data, count in
            guard let closure = unsafe closure, let data = unsafe data else { return CAIRO_STATUS_READ_ERROR }
            let reading = unsafe Unmanaged<Reading>.fromOpaque(closure).takeUnretainedValue()
            guard Int(count) <= reading.bytes.count - reading.at else { return CAIRO_STATUS_READ_ERROR }
            for place in 0..<Int(count) { unsafe data[place] = reading.bytes[reading.at + place] }
            reading.at += Int(count)
            return CAIRO_STATUS_SUCCESS
        }
        let made = unsafe cairo_image_surface_create_from_png_stream(
            read, Unmanaged.passUnretained(reading).toOpaque())
        guard let made = unsafe made else { return nil }
        if unsafe cairo_surface_status(made) == CAIRO_STATUS_SUCCESS { return unsafe made }
        unsafe cairo_surface_destroy(made)
        return nil
    }

    private func surface(of bitmap: BitmapFile) -> OpaquePointer? {
        let made = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_RGB24, Int32(clamping: bitmap.width), Int32(clamping: bitmap.height))
        guard let made = unsafe made, let data = unsafe cairo_image_surface_get_data(made) else { return nil }
        let stride = Int(unsafe cairo_image_surface_get_stride(made))
        for row in 0..<bitmap.height {
            for column in 0..<bitmap.width {
                let (red, green, blue) = bitmap.color(column, row)
                let place = row * stride + column * 4
                unsafe data[place] = blue
                unsafe data[place + 1] = green
                unsafe data[place + 2] = red
            }
        }
        unsafe cairo_surface_mark_dirty(made)
        return unsafe made
    }

    // MARK: PNG

    /// Writes the image to standard output.
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

    // MARK: Sixels

    /// Writes the image as sixels to standard output.
    func writeSixels() -> Bool {
        unsafe cairo_surface_flush(surface)
        guard let data = unsafe cairo_image_surface_get_data(surface) else { return false }
        let width = Int(unsafe cairo_image_surface_get_width(surface))
        let height = Int(unsafe cairo_image_surface_get_height(surface))
        let stride = Int(unsafe cairo_image_surface_get_stride(surface))
        var image = SixelImage(width: width, height: height)
        for row in 0..<height {
            for column in 0..<width {
                let place = row * stride + column * 4
                unsafe image.set(column, row, red: data[place + 2], green: data[place + 1], blue: data[place])
            }
        }
        let bytes = image.bytes
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes[done...].withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
            if written > 0 { done += written } else if errno != EINTR { return false }
        }
        return true
    }
}

// MARK: The process

/// Limits the processor time. When the limit is reached, the system ends the process.
func limitProcessorTime(milliseconds: Int) -> Bool {
    let time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    var timer = itimerval(it_interval: timeval(), it_value: time)
    return unsafe milliseconds > 0 && setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil) == 0
}

/// Reads a number of bytes; returns `nil` if there are fewer.
func readStandardInput(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count < count {
        let taken = unsafe read(0, &block, min(block.count, count - bytes.count))
        if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { return nil }
    }
    return bytes
}

func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe write(2, bytes, bytes.count)
}

func endProcess(_ status: Int32) -> Never { exit(status) }
