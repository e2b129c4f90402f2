import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Foundation
import Testing

/// A file in the directory `TestData`, located relative to this source file.
struct Fixture: Sendable, CustomTestStringConvertible {
    let path: String

    private static let root = URL(filePath: #filePath).appending(path: "../../../../TestData").standardized.path

    init(_ name: String) {
        path = Self.root + "/" + name
    }

    var testDescription: String { String(path.dropFirst(Self.root.count + 1)) }

    var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: URL(filePath: path))) }
    }

    /// Returns the directories in `TestData`.
    static func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: URL(filePath: root), includingPropertiesForKeys: nil, options: .skipsHiddenFiles
        ).filter(\.hasDirectoryPath).map(\.lastPathComponent)
    }

    /// Returns the uncompressed files of a directory, sorted by name.
    static func all(in folder: String) -> [Fixture] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
        return names.sorted().filter { !$0.hasSuffix(".gz") && !$0.hasSuffix(".md") }.map { Fixture(folder + "/" + $0) }
    }
}

/// The complete output of a reader for a text.
struct Reading: Equatable {
    var records: [Record] = []
    var errors: [ReadError] = []
    var issues: [ChemopenFormats.Issue] = []
    var places: [RecordPlace] = []
    var copies: [[UInt8]] = []
    var header = SheetHeader()

    /// Reads text to its end, optionally in blocks.
    static func all<Reader: RecordReader & ~Copyable>(
        _ text: [UInt8], by reader: Reader.Type, inBlocksOf size: Int? = nil, _ options: ReadOptions = ReadOptions()
    ) throws -> Reading {
        try all(from: size.map { try ByteSource(inBlocksOf: $0, text) } ?? ByteSource(text), by: reader, options)
    }

    static func all<Reader: RecordReader & ~Copyable>(
        from source: consuming ByteSource, by reader: Reader.Type, _ options: ReadOptions = ReadOptions()
    ) throws -> Reading {
        var reader = try Reader(source, options)
        var reading = Reading()
        var record = Record()
        while true {
            do throws(ReadError) {
                let isRecord = try reader.read(into: &record)
                reading.issues += reader.issues
                if !isRecord { break }
                reading.records.append(record)
            } catch {
                reading.issues += reader.issues
                reading.errors.append(error)
            }
            reading.places.append(reader.place)
            reading.copies.append([])
            reader.copyRecordBytes(to: &reading.copies[reading.copies.count - 1])
        }
        reading.header = reader.header
        return reading
    }

    static func all<Reader: RecordReader & ~Copyable>(
        _ text: String, by reader: Reader.Type, inBlocksOf size: Int? = nil, _ options: ReadOptions = ReadOptions()
    ) throws -> Reading {
        try all(Array(text.utf8), by: reader, inBlocksOf: size, options)
    }
}

/// A writer's output for records.
struct Writing {
    var text: [UInt8] = []
    var reports: [WriteReport] = []

    var string: String { String(decoding: text, as: UTF8.self) }
    var losses: [Loss] { reports.flatMap(\.losses) }

    static func all<Writer: RecordWriter & ~Copyable>(
        _ records: [Record], by writer: Writer.Type, _ options: WriteOptions = WriteOptions(),
        header: SheetHeader = SheetHeader()
    ) throws -> Writing {
        var writer = try Writer(ByteSink(), options)
        var writing = Writing()
        try writer.begin(header)
        for record in records { writing.reports.append(try writer.write(record)) }
        try writer.finish()
        writing.text = writer.takeBytes()
        return writing
    }
}

extension Record {
    /// The record without its origin, which a writer adds if it is missing.
    var withoutOrigins: Record {
        var record = self
        switch subject {
        case .none: break
        case .molecule(var molecule):
            molecule.origin = ""
            record.subject = .molecule(molecule)
        case .reaction(var reaction):
            reaction.origin = ""
            for index in reaction.steps.indices {
                for place in reaction.steps[index].reactants.indices {
                    reaction.steps[index].reactants[place].molecule.origin = ""
                }
                for place in reaction.steps[index].agents.indices {
                    reaction.steps[index].agents[place].molecule.origin = ""
                }
                for place in reaction.steps[index].products.indices {
                    reaction.steps[index].products[place].molecule.origin = ""
                }
            }
            record.subject = .reaction(reaction)
        }
        return record
    }
}

extension String {
    /// Returns the text with another line end.
    func lines(endingIn end: String) -> [UInt8] {
        Array(split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end).utf8)
    }
}
