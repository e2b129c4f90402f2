import Chemopen

extension Option {
    static let keep = Option("--keep", help: "keep all records in memory and tell the bytes of one")
    static let rounds = Option("--rounds", "-n", value: "N", help: "measure so many times and tell the best (5)")
}

/// `chemopen bench`: how fast a file is read, written and converted.
enum BenchCommand: Command {
    static let name = "bench"
    static let summary = "measure how fast a file is read and written here"
    static let usage = "chemopen bench [options] FILE..."
    static let example = "chemopen bench --to rdf kinases.sdf"
    static let options: [Option] = [.to, .keep, .rounds, .threads]
    static let reading = Reading.records
    static let remarks = ["MB/s are millions of bytes of the input, unpacked, for a second of processor time."]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let target = try arguments.format(of: .to)
        let source = try arguments.format(of: .from)
        let rounds = try arguments.number(of: .rounds, in: 1...1000) ?? 5
        let threads = try arguments.threadCount()
        var status = ExitStatus.done
        for path in try arguments.files() {
            if path.isDash { throw UsageError("bench reads a file several times, and standard input comes once") }
            do throws(ReadError) {
                if fileKind(path) == .fifo { throw ReadError(FileError(path, .isNamedPipe)) }
                let bench = Bench(path, source, ReadOptions(among: arguments.formats), rounds, on: terminal)
                if arguments.has(.keep) { try bench.keep() } else { try bench.measure(target, threads) }
            } catch {
                terminal.tell(error)
                status.raise(to: error.status(afterRecords: 0))
            }
        }
        return status
    }

    private struct Bench {
        let path: LocalPath
        /// The format to read, whatever the content shows.
        let source: Format?
        let reading: ReadOptions
        let rounds: Int
        let terminal: Terminal

        init(
            _ path: LocalPath, _ source: Format?, _ reading: ReadOptions, _ rounds: Int, on terminal: Terminal
        ) {
            self.source = source
            self.reading = reading
            self.path = path
            self.rounds = rounds
            self.terminal = terminal
        }

        func measure(_ target: Format?, _ threads: Int) throws(ReadError) {
            let format = try openRecords(Source(path), as: source, reading).format
            let size = try unpackedSize()
            var records = 0
            try tell("read", size) { () throws(ReadError) in records = try read() }
            if threads > 1 {
                try tell("read -j\(threads)", size) { () throws(ReadError) in
                    _ = try RecordCount(path: path, as: source, threads: threads, reading)
                }
            }
            if format.makeWriter != nil {
                try tell("copy", size) { () throws(ReadError) in try convert(to: format) }
                try tell("rewrite", size) { () throws(ReadError) in try convert(to: format, rewrites: true) }
            }
            if let target, target.id != format.id {
                try tell("to \(target.id)", size) { () throws(ReadError) in try convert(to: target) }
            }
            terminal.print(
                "\(path.shown): \(recordCount(records)), \(size) bytes, peak memory \(byteCount(Double(peakResidentBytes())))"
            )
        }

        /// Reads all records into memory at once.
        func keep() throws(ReadError) {
            let before = peakResidentBytes()
            var stream = try openRecords(Source(path), as: source, reading)
            var kept: [Record] = []
            while true {
                do throws(ReadError) {
                    guard let record = try stream.next() else { break }
                    kept.append(record)
                } catch {
                    if case .file = error.kind { throw error }
                }
            }
            let bytes = peakResidentBytes() - before
            terminal.print(
                "\(path.shown): \(recordCount(kept.count)) kept in \(byteCount(Double(bytes))), \(bytes / max(1, kept.count)) bytes each"
            )
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

        private func convert(to format: Format, rewrites: Bool = false) throws(ReadError) {
            var conversion = Conversion(to: format)
            conversion.source = source
            conversion.rewrites = rewrites
            do throws(Conversion.Failure) {
                _ = try conversion.run([path], to: .nothing)
            } catch {
                if case .read(let error) = error { throw error }
            }
        }

        /// Prints the best of several rounds.
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
            let columns = [
                what.padded(to: 10), fixed(rate, decimals: 0).rightAligned(in: 6) + " MB/s",
                fixed(Double(processor) / 1e6, decimals: 1).rightAligned(in: 9) + " ms processor",
                fixed(Double(wall) / 1e6, decimals: 1).rightAligned(in: 9) + " ms in all",
            ]
            terminal.print(columns.joined(separator: "  "))
        }
    }
}
