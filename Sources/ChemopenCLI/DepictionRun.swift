import Chemopen

/// Draws the records of files, one by one in a terminal or together on a sheet.
struct DepictionRun {
    private let request: DepictionRequest
    private let terminal: Terminal
    private var status = ExitStatus.done
    private var pictures: [Picture] = []
    private var captions: [String] = []
    private var drawn = 0
    private var pagesBefore = 0
    private var isCutShort = false
    /// Whether an input could not be read completely. No picture is written in this case.
    private var hasLostContent = false
    private var tally = ChoiceTally(of: RecordSelection())

    /// The maximum numbers of records drawn if none are selected.
    private static let mostOnSheet = 500
    private static let mostInTerminal = 10
    private static let pixelsPerPoint = 4.0

    init(_ request: DepictionRequest, on terminal: Terminal) {
        self.request = request
        self.terminal = terminal
    }

    mutating func run() -> ExitStatus {
        tally = ChoiceTally(of: request.selection)
        for input in request.inputs {
            do throws(ReadError) {
                if request.showsPages {
                    try drawPages(of: input)
                } else {
                    if request.target == .text, request.selection.takesAll { showPagesFirst(of: input) }
                    try draw(input)
                }
            } catch {
                if case .file(let file) = error.kind, file.isLostContent { hasLostContent = true }
                terminal.tell(error)
                status.raise(to: error.status(afterRecords: 0))
            }
        }
        let choosesNothing = terminal.tell(tally)
        if drawn == 0 {
            if status == .done {
                terminal.tell(.error, "there is no \(request.showsPages ? "page" : "record") to draw")
            }
            status.raise(to: .incomplete)
            return status
        }
        if choosesNothing { status.raise(to: .incomplete) }
        if isCutShort {
            let things = request.showsPages ? "pages" : "records"
            terminal.tell(.note, "only the first \(drawn) \(things) are drawn (use --records to choose others)")
        }
        if request.target == .text { return status }
        if hasLostContent {
            terminal.tell(.note, "no picture was written because the input could not be read completely")
        } else {
            writePicture()
        }
        return status
    }

    private var limit: Int {
        if request.target == .text { return request.selection.takesAll ? Self.mostInTerminal : .max }
        return request.selection.takesAll ? Self.mostOnSheet : 10_000
    }

    private mutating func draw(_ input: Source) throws(ReadError) {
        var stream = try openRecords(input, as: request.format, request.reading)
        var diagnostics = Diagnostics(on: terminal)
        var selector = RecordSelector(request.selection, from: input.name)
        var taken = 0
        while !selector.isFinished(stream) {
            do throws(ReadError) {
                guard let record = try stream.next() else { break }
                let number = stream.place.record
                guard selector.takes(record, of: stream) else { continue }
                taken += 1
                guard case .none = record.subject else {
                    if drawn >= limit {
                        isCutShort = true
                        break
                    }
                    drawn += 1
                    show(record, number, input.name)
                    continue
                }
            } catch {
                if let numbers = request.selection.numbers, !numbers.contains(stream.place.record) { continue }
                diagnostics.tell(UnreadableRecord(error, in: stream))
                if case .file = error.kind {
                    hasLostContent = true
                    status = .unreadable
                }
                status.raise(to: error.status(afterRecords: drawn))
            }
        }
        diagnostics.finish()
        selector.finish(stream)
        tally.add(selector.choice, taken: taken, sawAll: !isCutShort)
    }

    // MARK: Pages

    private mutating func drawPages(of input: Source) throws(ReadError) {
        guard let pages = try Page.all(of: input, as: request.format, request.reading) else {
            terminal.tell(.error, "\(input.name.shown): has no pages (omit --page to draw its records)")
            status.raise(to: .incomplete)
            return
        }
        let drawnBefore = drawn
        for (place, page) in pages.enumerated() where request.selection.numbers?.contains(place + 1) ?? true {
            if drawn >= limit {
                isCutShort = true
                return
            }
            let name = pages.count > 1 ? "\(input.name.shown): page \(place + 1)" : input.name.shown
            if !page.undrawn.isEmpty {
                let list = page.undrawn.map { "\($0.count) × \($0.name)" }.joined(separator: ", ")
                terminal.tell(.note, "\(name): not drawn: \(list)")
            }
            guard let picture = Picture(of: page, style: request.style) else {
                if page.undrawn.isEmpty { terminal.tell(.note, "\(name): the page is empty") }
                continue
            }
            drawn += 1
            show(picture, of: page, called: pages.count > 1 || request.inputs.count > 1 ? name : "")
        }
        if drawn == drawnBefore, request.selection.takesAll, pages.contains(where: { !$0.undrawn.isEmpty }) {
            terminal.tell(
                .note, "\(input.name.shown): no object on the page can be drawn; its records are drawn instead")
            try draw(input)
        }
    }

    /// Shows the pages of a drawing before its records. Problems are reported with the records.
    private mutating func showPagesFirst(of input: Source) {
        guard !input.comesOnce, let pages = try? Page.all(of: input, as: request.format, request.reading) else {
            return
        }
        let isNamed = request.inputs.count > 1 || pages.count > 1
        for (place, page) in pages.prefix(Self.mostInTerminal).enumerated() {
            guard let picture = Picture(of: page, style: request.style) else { continue }
            pagesBefore += 1
            let number = pages.count > 1 ? ": page \(place + 1)" : ""
            show(picture, of: page, called: isNamed ? input.name.shown + number : "")
        }
    }

    private mutating func show(_ picture: Picture, of page: Page, called name: String) {
        if request.target != .text {
            pictures.append(picture)
            captions.append(name)
            return
        }
        if drawn + pagesBefore > 1 { terminal.print() }
        if !name.isEmpty { terminal.print(name) }
        if let graphics = request.graphics, showPixels(picture, graphics) { return }
        let columns = terminalWidth(1) ?? 80
        for line in TerminalPicture(of: page, columns: columns)?.lines ?? [] { terminal.print(unwrapped: Styled(line)) }
    }

    // MARK: Records

    private func caption(_ record: Record, _ number: Int, _ path: LocalPath) -> String {
        if let name = request.caption {
            return record.fields[name].map { $0.value.string } ?? ""
        }
        let name: String =
            switch record.subject {
            case .molecule(let molecule): molecule.name.string
            case .reaction(let reaction): reaction.name.string
            case .none: ""
            }
        if !name.isEmpty { return name }
        return request.inputs.count > 1 ? fileStem(path).shown : "\(number)"
    }

    private mutating func show(_ record: Record, _ number: Int, _ path: LocalPath) {
        let caption = caption(record, number, path)
        if request.target != .text {
            guard let picture = Picture(of: record, style: request.style) else { return }
            pictures.append(picture)
            captions.append(caption)
            return
        }
        if drawn + pagesBefore > 1 { terminal.print() }
        terminal.print(request.inputs.count > 1 ? "\(path.shown) \(number)  \(caption)" : "\(number)  \(caption)")
        if let graphics = request.graphics, let picture = Picture(of: record, style: request.style),
            showPixels(picture, graphics)
        {
            return
        }
        let columns = terminalWidth(1) ?? 80
        let picture = TerminalPicture(
            of: record, columns: columns, expandsAbbreviations: request.style.expandsAbbreviations,
            laysOut: request.style.laysOut)
        for line in picture?.lines ?? [] { terminal.print(unwrapped: Styled(line)) }
        if let remark = picture?.remark, !remark.isEmpty { terminal.print(remark) }
    }

    /// Shows a picture with the terminal's graphics protocol. Returns `false` if that fails.
    private func showPixels(_ picture: Picture, _ graphics: TerminalGraphics) -> Bool {
        var picture = picture
        if picture.palette.ground == nil { picture.palette.ground = Picture.Color(255, 255, 255) }
        let scale = picture.pixelsPerPoint(atMost: 2.5)
        guard let bytes = try? graphics.bytes(showing: picture, pixelsPerPoint: scale) else { return false }
        terminal.write(bytes)
        return true
    }

    // MARK: Files

    private func sheet() -> Picture {
        var picture: Picture
        if pictures.count == 1, request.caption == nil {
            picture = pictures[0]
        } else {
            let columns = request.columns ?? min(6, max(1, Int(Double(pictures.count).squareRoot().rounded(.up))))
            picture = Picture(sheetOf: pictures, captions: captions, columns: columns, style: request.style)
        }
        let ground = picture.palette.ground
        picture.palette = request.style.palette
        if picture.palette.ground == nil, request.showsPages { picture.palette.ground = ground }
        return picture
    }

    private mutating func writePicture() {
        var picture = sheet()
        let natural = request.target == .png ? picture.pixelsPerPoint(atMost: Self.pixelsPerPoint) : 1
        var scale = natural
        if let (width, height) = request.size {
            if request.isExact {
                picture = picture.filling(width: width, height: height)
                scale = 1
            } else {
                scale = min(natural, width / max(1, picture.width), height / max(1, picture.height))
            }
        }
        do throws(DrawingProgram.Failure) {
            let bytes: [UInt8]
            if request.target == .png {
                bytes = try DrawingProgram().png(of: picture, pixelsPerPoint: scale)
                if scale < Self.pixelsPerPoint, request.size == nil {
                    let pixels = "\(fixed(scale, decimals: 2)) pixels per point instead of \(Int(Self.pixelsPerPoint))"
                    terminal.tell(.note, "the picture is large, so it has \(pixels) (use --size for more)")
                }
            } else {
                let isOwnSize = request.size == nil
                bytes = picture.svg(
                    width: isOwnSize ? nil : picture.width * scale, height: isOwnSize ? nil : picture.height * scale)
            }
            try write(bytes)
            if terminal.isSeen, let output = request.output {
                let things = request.showsPages ? drawn == 1 ? "1 page" : "\(drawn) pages" : recordCount(drawn)
                terminal.tell(.note, "\(things) drawn in \(output.shown)")
            }
        } catch {
            terminal.tell(.error, error.description)
            status.raise(to: .unwritable)
        }
    }

    private mutating func write(_ bytes: [UInt8]) throws(DrawingProgram.Failure) {
        guard let output = request.output, !output.isDash else { return terminal.write(bytes) }
        do throws(FileError) {
            try writeFile(bytes, to: output, replacing: request.replaces)
        } catch {
            let hint = error.reason == .alreadyExists ? " (use --force to overwrite)" : ""
            terminal.tell(.error, "\(error)\(hint)")
            status.raise(to: .unwritable)
        }
    }
}
