import ChemopenBytes
import ChemopenDepict
import ChemopenDesktop
import ChemopenFormats
import ChemopenModel

/// A thumbnail of a file for a file manager.
///
///     let png = try Thumbnail(of: LocalPath("a.cdx"), side: 128).png()
public struct Thumbnail: Sendable {
    /// The picture in the requested size.
    public let picture: Picture
    private let texts: [(keyword: String, text: String)]

    /// The maximum size of a record to be drawn.
    private static let largestRecord = 16 * 1024 * 1024
    /// The maximum number of records to read in search of a structure.
    private static let mostRecords = 40
    private static let shownOfDrawing = 4

    /// Reads the part of a file that is shown: the first structure, or the first page of a drawing.
    ///
    /// - Parameters:
    ///   - side: The length of the thumbnail's longer side in pixels.
    ///   - format: The format of the file, or `nil` to detect it.
    ///   - reading: The options for reading the records.
    /// - Throws: `ReadError` if the file cannot be read or its format is unknown.
    public init(
        of path: LocalPath, side: Int, as format: Format? = nil, _ reading: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        let source: ByteSource
        do throws(FileError) {
            // Only regular files are accepted, because others may never end.
            source = try ByteSource(path: path, named: path, accepting: .regularFile)
        } catch {
            throw ReadError(error)
        }
        var options = reading
        options.largestRecord = min(reading.largestRecord, Self.largestRecord)
        var stream: RecordStream
        if let format {
            stream = try RecordStream.open(source, as: format, options)
        } else {
            stream = try RecordStream.open(source, options)
        }
        let side = Double(max(16, min(2048, side)))
        if stream.format.readPages != nil, let page = Self.page(of: path, as: stream.format, options, side) {
            picture = page
            texts = Self.texts(of: path, stream.format, size: stream.size)
            return
        }
        let isDrawing = stream.format.signature?.kind == .drawing
        let pictures = try Self.pictures(of: &stream, isDrawing ? Self.shownOfDrawing : 1)
        picture = Self.sheet(of: pictures, side: side)
        texts = Self.texts(of: path, stream.format, size: stream.size)
    }

    private static func pictures(of stream: inout RecordStream, _ wanted: Int) throws(ReadError) -> [Picture] {
        var pictures: [Picture] = []
        var first: ReadError?
        for _ in 0..<mostRecords where pictures.count < wanted {
            do throws(ReadError) {
                guard let record = try stream.next() else { break }
                if record.holdsStructure, let picture = Picture(of: record, style: style) { pictures.append(picture) }
            } catch {
                if first == nil { first = error }
                if case .file = error.kind { break }
            }
        }
        if pictures.isEmpty, let first { throw first }
        return pictures
    }

    /// Draws the first nonempty page of a drawing. Returns `nil` if there is no such page.
    private static func page(
        of path: LocalPath, as format: Format, _ options: ReadOptions, _ side: Double
    ) -> Picture? {
        guard let pages = try? Page.all(of: Source(found: path), as: format, options) else { return nil }
        for page in pages.prefix(mostRecords) {
            guard let picture = Picture(of: page, style: Picture.Style(.light)) else { continue }
            return sheet(of: [picture], side: side)
        }
        return nil
    }

    /// The minimum width of a line. Thinner lines would be gray.
    private static let leastLine = 0.8

    /// Returns the picture with thin lines widened to a minimum width.
    private static func thickened(_ picture: Picture, _ width: Double) -> Picture {
        var picture = picture
        for (index, mark) in picture.marks.enumerated() {
            guard case .stroke(var stroke) = mark, stroke.width < width else { continue }
            stroke.width = width
            picture.marks[index] = .stroke(stroke)
        }
        return picture
    }

    /// A style with lines and letters that are legible at a small size.
    private static var style: Picture.Style {
        var style = Picture.Style(.light)
        style.lineWidth = 1
        style.fontSize = 11
        style.margin = 1.4
        style.boldWidth = 2.6
        style.widestRow = 320
        style.padding = 3
        style.showsRemarks = false
        return style
    }

    private static func sheet(of pictures: [Picture], side: Double) -> Picture {
        let whole: Picture =
            switch pictures.count {
            case 0: Picture(of: Molecule(), style: style)
            case 1: pictures[0]
            default: Picture(tiling: pictures, columns: 2, gap: 6)
            }
        let ratio = min(2, max(0.5, whole.width / max(1, whole.height)))
        let width = ratio >= 1 ? side : (side * ratio).rounded()
        let height = ratio >= 1 ? (side / ratio).rounded() : side
        let factor = min(side / 48, width / max(whole.width, 1), height / max(whole.height, 1))
        let seen = thickened(whole, leastLine / max(factor, 0.001))
        var picture = seen.filling(width: width, height: height, limit: side / 48)
        picture.palette = style.palette
        picture.palette.ground = Picture.Color(255, 255, 255)
        return picture
    }

    /// Returns the texts that the thumbnail specification requires. File managers use them to check whether the file
    /// has changed.
    private static func texts(of path: LocalPath, _ format: Format, size: Int?) -> [(keyword: String, text: String)] {
        var texts = [("Thumb::URI", path.absolute(from: currentFolder()).uri)]
        if let status = EntryStatus(path, followingLinks: true) {
            texts.append(("Thumb::MTime", "\(status.modified)"))
        }
        if let size { texts.append(("Thumb::Size", "\(size)")) }
        texts += [("Thumb::Mimetype", format.mimeType), ("Software", "chemopen")]
        return texts
    }

    /// Renders the thumbnail.
    ///
    /// - Returns: The PNG file with the texts that identify it.
    /// - Throws: `DrawingProgram.Failure` if the program for rendering is missing or fails.
    public func png() throws(DrawingProgram.Failure) -> [UInt8] {
        let milliseconds = RecordCost.thumbnailPixelsMilliseconds
        return PNGText.adding(texts, to: try DrawingProgram().png(of: picture, pixelsPerPoint: 1, within: milliseconds))
    }
}

extension Record {
    /// Whether the record contains a structure to draw.
    public var holdsStructure: Bool {
        switch subject {
        case .none: false
        case .molecule(let molecule): !molecule.atoms.isEmpty
        case .reaction(let reaction): reaction.components.contains { !$0.molecule.atoms.isEmpty }
        }
    }
}
