import Chemopen

/// `chemopen thumbnail`: creates the small picture that file managers show.
enum ThumbnailCommand: Command {
    static let name = "thumbnail"
    static let group = CommandGroup.programs
    static let summary = "create a thumbnail of a file, for file managers"
    static let usage = "chemopen thumbnail [options] IN OUT [SIZE]"
    static let example = "chemopen thumbnail a.cdx a.png 256"
    static let options: [Option] = []
    static let reading = Reading.hydrogens
    static let takesPipe = false
    static let isConfined = true
    static let remarks = [
        "OUT is a PNG with SIZE pixels on its longer side (default: 128) and the metadata of the",
        "freedesktop thumbnail specification; an existing file is overwritten. IN may be a file: URI.",
    ]

    static func outputFolders(_ arguments: Arguments) -> [LocalPath] {
        arguments.localFiles().dropFirst().prefix(1).map(\.folder)
    }

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let operands = arguments.localFiles()
        guard 2...3 ~= operands.count else {
            throw UsageError("thumbnail requires an input, an output and optionally a size")
        }
        var side = 128
        if operands.count == 3 {
            guard let number = Int(operands[2].shown), 16...2048 ~= number else {
                throw UsageError("the size must be an integer from 16 to 2048, not \"\(operands[2].shown)\"")
            }
            side = number
        }
        let format = try arguments.format(of: .from)
        let reading = try arguments.readOptions()
        // Limit the time, because file managers automatically create thumbnails of any file.
        let limit = RecordCost.thumbnailMilliseconds
        let complaint =
            "chemopen: error: \(operands[0].shown): drawing requires more than \(limit) ms of processor time\n"
        afterProcessorTime(milliseconds: limit) {
            try? writeAll(Array(complaint.utf8), to: 2)
            endProcess(ExitStatus.unreadable.rawValue)
        }
        do {
            let png = try Thumbnail(of: operands[0], side: side, as: format, reading).png()
            // Overwrite an existing file in place: programs such as tumbler create the file and read it through their
            // open descriptor.
            if try overwriteFile(operands[1], with: png) { return .done }
            try writeFile(png, to: operands[1], replacing: true)
            return .done
        } catch let error as ReadError {
            terminal.tell(error)
            return error.status(afterRecords: 0)
        } catch {
            terminal.tell(.error, "\(error)")
            return .unwritable
        }
    }
}
