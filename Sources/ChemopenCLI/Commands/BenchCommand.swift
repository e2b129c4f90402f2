import Chemopen

extension Option {
    static let measured = Option(
        "--to", "-o", value: "FORMAT", choices: FormatRegistry.standard.writable.map(\.id),
        help: "measure conversion to FORMAT as well")
    static let keep = Option("--keep", help: "keep all records in memory and print the bytes per record")
    static let rounds = Option(
        "--rounds", "-n", value: "N", help: "measure N times and print the best result (default: 5)")
}

/// `chemopen bench`: measures how fast a file is read, written and converted.
enum BenchCommand: Command {
    static let name = "bench"
    static let group = CommandGroup.look
    static let summary = "measure how fast a file is read and written on this machine"
    static let usage = "chemopen bench [options] FILE..."
    static let example = "chemopen bench --to rdf kinases.sdf"
    static let moreExamples = [
        "chemopen bench -n 20 -j 0 kinases.sdf.gz",
        "chemopen bench --keep kinases.sdf",
    ]
    static let options: [Option] = [.measured] + Option.selecting + [.keep, .rounds, .threads, .json]
    static let reading = Reading.records
    static let takesPipe = false
    static let remarks = [
        "MB/s are millions of uncompressed input bytes per second of processor time. If you choose records,",
        "the time for choosing is printed too, and only the chosen records are copied, rewritten, converted",
        "and kept.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let target = try arguments.format(of: .to)
        let source = try arguments.format(of: .from)
        let rounds = try arguments.number(of: .rounds, in: 1...1000) ?? 5
        let threads = try arguments.threadCount()
        let selection = try arguments.selection()
        var status = ExitStatus.done
        var tally = ChoiceTally(of: selection)
        for path in try arguments.files() {
            if path.isDash {
                throw UsageError("bench reads a file several times, so it does not support standard input")
            }
            do throws(ReadError) {
                if fileKind(path) == .fifo { throw ReadError(FileError(path, .isNamedPipe)) }
                let reading = ReadOptions(among: arguments.formats)
                var bench = Bench(path, source, reading, selection, rounds, on: terminal)
                bench.printsJSON = arguments.has(.json)
                let chosen = arguments.has(.keep) ? try bench.keep() : try bench.measure(target, threads)
                if let chosen { tally.add(chosen.choice, taken: chosen.count) }
            } catch {
                terminal.tell(error)
                status.raise(to: error.status(afterRecords: 0))
            }
        }
        if terminal.tell(tally) { status.raise(to: .incomplete) }
        return status
    }

    private struct Bench {
        let path: LocalPath
        /// The format to use instead of the detected one.
        let source: Format?
        let reading: ReadOptions
        let selection: RecordSelection
        let rounds: Int
        let terminal: Terminal
        var printsJSON = false

        init(
            _ path: LocalPath, _ source: Format?, _ reading: ReadOptions, _ selection: RecordSelection, _ rounds: Int,
            on terminal: Terminal
        ) {
            self.selection = selection
            self.source = source
            self.reading = reading
            self.path = path
            self.rounds = rounds
            self.terminal = terminal
        }

        /// The number of selected records, with the filter's statistics.
        typealias Chosen = (count: Int, choice: SelectionStatistics)

        func measure(_ target: Format?, _ threads: Int) throws(ReadError) -> Chosen? {
            let format = try openRecords(Source(path), as: source, reading).format
            let size = try unpackedSize()
            var records = 0
            try tell("read", size) { () throws(ReadError) in records = try read() }
            if threads > 1 {
                try tell("read -j\(threads)", size) { () throws(ReadError) in
                    _ = try RecordCount(path: path, as: source, threads: threads, reading)
                }
            }
            var chosen: Chosen?
            if !selection.takesAll {
                try tell("choose", size) { () throws(ReadError) in chosen = try choose() }
            }
            if format.isWritable {
                try tell("copy", size) { () throws(ReadError) in try convert(to: format) }
                try tell("rewrite", size) { () throws(ReadError) in try convert(to: format, rewrites: true) }
            }
            if let target, target.id != format.id {
                try tell("to \(target.id)", size) { () throws(ReadError) in try convert(to: target) }
            }
            if printsJSON {
                print { json in
                    json.field("kind", "file")
                    json.field("records", records)
                    if let chosen { json.field("chosen", chosen.count) }
                    json.field("bytes", size)
                    json.field("peak_memory", peakResidentBytes())
                }
                return chosen
            }
            let count = (chosen.map { "\($0.count) chosen of " } ?? "") + recordCount(records)
            let memory = byteCount(Double(peakResidentBytes()))
            terminal.print("\(path.shown): \(count), \(size) bytes, peak memory \(memory)")
            return chosen
        }

        /// Reads all selected records into memory.
        func keep() throws(ReadError) -> Chosen {
            let before = peakResidentBytes()
            var stream = try openRecords(Source(path), as: source, reading)
            var kept: [Record] = []
            var selector = RecordSelector(selection, from: path)
            while !selector.isFinished(stream) {
                do throws(ReadError) {
                    guard let record = try stream.next() else { break }
                    if selector.takes(record, of: stream) { kept.append(record) }
                } catch {
                    if case .file = error.kind { throw error }
                }
            }
            selector.finish(stream)
            let bytes = peakResidentBytes() - before
            if printsJSON {
                print { json in
                    json.field("kind", "kept")
                    json.field("records", kept.count)
                    json.field("memory", bytes)
                }
                return (kept.count, selector.choice)
            }
            terminal.print(
                "\(path.shown): \(recordCount(kept.count)) use \(byteCount(Double(bytes))), \(bytes / max(1, kept.count)) bytes each"
            )
            return (kept.count, selector.choice)
        }

        private func print(_ write: (inout JSON) -> Void) {
            var json = JSON()
            json.object { json in
                json.field("file", path)
                write(&json)
            }
            json.endLine()
            terminal.write(json.bytes)
        }

        private func unpackedSize() throws(ReadError) -> Int {
            do throws(FileError) {
                var source = try ByteSource(path: path)
                repeat { source.consume(to: source.window.upperBound) } while try source.fill()
                return source.offset
            } catch {
                throw ReadError(error)
            }
        }

        private func read() throws(ReadError) -> Int {
            var stream = try openRecords(Source(path), as: source, reading)
            return RecordCount(of: &stream).records
        }

        private func choose() throws(ReadError) -> Chosen {
            var stream = try openRecords(Source(path), as: source, reading)
            let found = stream.numbers(of: selection, from: path)
            if let failure = found.failure { throw failure }
            return (found.numbers.count, found.choice)
        }

        private func convert(to format: Format, rewrites: Bool = false) throws(ReadError) {
            var conversion = Conversion(to: format)
            conversion.source = source
            conversion.rewrites = rewrites
            conversion.selection = selection
            do throws(Conversion.Failure) {
                _ = try conversion.run([path], to: .discard)
            } catch {
                if case .read(let error) = error { throw error }
            }
        }

        /// Prints the best result of several rounds.
        private func tell(_ what: String, _ size: Int, _ work: () throws(ReadError) -> Void) throws(ReadError) {
            var processor = UInt64.max
            var wall = UInt64.max
            for _ in 0..<rounds {
                let (startProcessor, startWall) = (processCPUNanoseconds(), monotonicNanoseconds())
                try work()
                processor = min(processor, processCPUNanoseconds() &- startProcessor)
                wall = min(wall, monotonicNanoseconds() &- startWall)
            }
            let rate = Double(size) * 1000 / Double(max(processor, 1))
            if printsJSON {
                return print { json in
                    json.field("kind", "work")
                    json.field("work", what)
                    json.field("bytes", size)
                    json.field("processor_ms", Double(processor / 1000) / 1000)
                    json.field("wall_ms", Double(wall / 1000) / 1000)
                }
            }
            let columns = [
                what.padded(to: 10), fixed(rate, decimals: 0).rightAligned(in: 6) + " MB/s",
                fixed(Double(processor) / 1e6, decimals: 1).rightAligned(in: 9) + " ms processor",
                fixed(Double(wall) / 1e6, decimals: 1).rightAligned(in: 9) + " ms elapsed",
            ]
            terminal.print(columns.joined(separator: "  "))
        }
    }
}
