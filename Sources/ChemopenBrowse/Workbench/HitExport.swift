import Chemopen

/// Exported records: a temporary file that no longer has a name, or only the account of what would be lost.
public struct ExportedRecords: Sendable {
    /// The suggested file name.
    public let name: String
    /// The MIME type of the content.
    public let mimeType: String
    /// The size of the content in bytes.
    public let size: Int
    /// A JSON object with the numbers of records and the losses.
    public let account: [UInt8]
    private let file: RandomAccessFile?

    fileprivate init(_ name: String, _ mimeType: String, _ account: [UInt8], _ file: RandomAccessFile?) {
        (self.name, self.mimeType, self.account, self.file) = (name, mimeType, account, file)
        size = file?.currentIdentity()?.size ?? 0
    }

    /// Returns a part of the content, or `nil` if it cannot be read.
    public func bytes(_ range: Range<Int>) -> [UInt8]? {
        file.flatMap { try? $0.bytes(range) }
    }
}

extension BrowseService {
    /// Exports the hits of a search, or some of a file's records by number. The content is the same as that of
    /// `chemopen convert --records`.
    ///
    /// - Parameter request: the members of a `SEARCH` request with one file as `entities`, and `format`. `numbers`, such
    ///   as `1-3,7`, replaces the search. With `"check":true` only the losses are determined.
    public func export(_ request: [UInt8]) -> Result<ExportedRecords, EntityError> {
        do throws(EntityError) {
            return .success(try HitExport(service: self).run(request))
        } catch {
            return .failure(error)
        }
    }

}

/// The export of some records of a file by a conversion.
private struct HitExport {
    let service: BrowseService

    func run(_ bytes: [UInt8]) throws(EntityError) -> ExportedRecords {
        guard let json = JSONValue(bytes), var members = json.object else {
            throw EntityError(message: "a request must be one JSON object")
        }
        let id = json["format"]?.string ?? ""
        guard let format = FormatRegistry.standard[id], format.isWritable else {
            throw EntityError(message: "there is no format \"\(id)\" to write")
        }
        for name in ["format", "numbers", "check"] { members[name] = nil }
        members["request"] = .string("SEARCH")
        if members["searchtext"] == nil { members["searchtext"] = .string("") }
        let (file, numbers) = try chosenRecords(members, json["numbers"]?.string)
        guard !file.path.isDash else {
            throw EntityError(message: "standard input can be read only once; save it to a file to export records")
        }
        var conversion = Conversion(to: format)
        conversion.source = file.view.content?.format
        conversion.reading = service.options
        conversion.selection.numbers = numbers
        let isCheck = json["check"]?.bool == true
        let path = service.session.temporaryFolder.appending("chemopen-\(Secret().text)")
        defer { removeEntry(path) }
        let summary: Conversion.Summary
        do throws(Conversion.Failure) {
            summary = try conversion.run([file.path], to: isCheck ? .discard : .file(path))
        } catch {
            throw EntityError(message: Self.reason(error))
        }
        let name = "\(LocalPath(file.name).name.shown.split(separator: ".").first.map(String.init) ?? "records")"
        let fileName = "\(name)-\(summary.written).\(format.extensions.first ?? "out")"
        var content: RandomAccessFile?
        if !isCheck {
            guard let opened = try? RandomAccessFile(path) else {
                throw EntityError(message: "there are no records to export")
            }
            content = opened
        }
        return ExportedRecords(fileName, format.mimeTypes.first ?? "", Self.account(of: summary, fileName), content)
    }

    /// Returns the file of a request, and the numbers of the chosen records; `nil` for all.
    private func chosenRecords(
        _ members: [String: JSONValue], _ list: String?
    ) throws(EntityError) -> (BrowsedFile, RecordNumbers?) {
        do throws(BrowseRequest.Fault) {
            let request = try BrowseRequest(.object(members))
            let selected = try service.selections(of: request).list
            guard selected.count == 1, let selection = selected.first else {
                throw BrowseRequest.Fault(message: "records can be exported from one file at a time")
            }
            if let list {
                guard let numbers = RecordNumbers(list) else {
                    throw BrowseRequest.Fault(message: "\"numbers\" must be record numbers such as 1-3,7")
                }
                return (selection.file, numbers)
            }
            let isSearch = !request.text.trimmingBlanks.isEmpty || !request.condition.trimmingBlanks.isEmpty
            guard isSearch || selection.numbers != nil else { return (selection.file, nil) }
            var numbers = selection.numbers.map { $0.map { Int($0) } } ?? []
            if isSearch {
                _ = selection.file.wait(forRecords: .max)
                guard let run = try service.searchRun(request, [selection.file]) else {
                    throw BrowseRequest.Fault(message: "too many searches at once; try again")
                }
                service.settle()
                var found = run.wait(forHits: .max)
                if run.isCancelled { throw BrowseRequest.Fault(message: "another search has replaced this one") }
                found.keepOnly([selection], of: [selection.file])
                numbers = found.hits.map { Int($0.number) }
            }
            guard !numbers.isEmpty else { throw BrowseRequest.Fault(message: "there are no records to export") }
            guard let parsed = RecordNumbers(Self.ranges(of: numbers)) else {
                throw BrowseRequest.Fault(message: "there are no records to export")
            }
            return (selection.file, parsed)
        } catch {
            throw EntityError(message: error.message)
        }
    }

    /// Returns ascending numbers from 0 in the syntax of `--records`, which counts from 1.
    private static func ranges(of numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound == number {
                ranges[ranges.count - 1] = last.lowerBound...number + 1
            } else {
                ranges.append(number + 1...number + 1)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    private static func reason(_ failure: Conversion.Failure) -> String {
        switch failure {
        case .read(let error): "\(error)"
        case .write(let error): error.description
        case .impossible(let reason): reason
        case .stopped: "a record cannot be read"
        case .cancelled: "the export was cancelled"
        }
    }

    private static func account(of summary: Conversion.Summary, _ name: String) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("file", name)
            json.field("records", summary.written)
            json.field("unreadable", summary.unreadable)
            json.objects("losses", of: summary.reports.flatMap(\.report.losses)) { json, loss in
                json.field("feature", loss.feature.name)
                json.field("detail", loss.detail)
                json.field("count", loss.count)
            }
        }
        return json.bytes
    }
}
