import ChemopenBytes
import ChemopenDesktop

/// Downloads a file into the cache: makes conditional requests, follows redirections and resumes interrupted transfers.
/// Only complete files become visible in the cache.
final class Transfer: AnswerTaker {
    private let address: Address
    private let entry: FetchEntry
    private let limits: Limits
    private let isCancelled: () -> Bool
    private let progress: (_ bytes: Int, _ total: Int?) -> Void
    private var part: any PartFile
    /// The metadata of the partial download, if it can be resumed.
    private var notes: FetchNotes?
    private let kept: FetchNotes?

    /// The address of the current request, which changes with redirections.
    private var place: Address
    private var mode = Mode.passesOver
    private var verdict: Verdict?
    private var passedOver = 0

    private enum Mode { case takes, passesOver }
    private enum Verdict {
        case unchanged, otherContent
        case refused(String)
    }

    init(
        _ address: Address, into entry: FetchEntry, _ limits: Limits, isCancelled: @escaping () -> Bool,
        progress: @escaping (_ bytes: Int, _ total: Int?) -> Void
    ) throws(FetchFailure) {
        self.address = address
        self.entry = entry
        self.limits = limits
        self.isCancelled = isCancelled
        self.progress = progress
        place = address
        kept = entry.kept()
        do throws(FileError) {
            part = try entry.openPart()
            notes = part.count > 0 ? entry.partNotes : nil
            if notes?.validator == nil {
                notes = nil
                try part.empty()
            }
        } catch {
            throw FetchFailure("cannot cache the file: \(error)")
        }
    }

    func run() throws(FetchFailure) -> FetchNotes {
        var redirections = 0
        var resumptions = 0
        var starts = 0
        while true {
            let before = part.count
            mode = .passesOver
            verdict = nil
            passedOver = 0
            let isFirst = place == address
            let exchange = Exchange(into: self, mayReachThisMachine: isFirst || place.isOfThisMachine)
            let (credential, trouble) = Credential.find(for: place, isTyped: place.origin == address.origin)
            let outcome = exchange.run(place, fields: conditions, credential, limits)
            switch verdict {
            case .unchanged?: return try unchanged()
            case .otherContent?:
                starts += 1
                guard starts <= limits.resumptions else {
                    throw FetchFailure("the file changed repeatedly during the download")
                }
                try startAnew()
                continue
            case .refused(let why)?:
                entry.removePart()
                throw FetchFailure(why)
            case nil: break
            }
            if isCancelled() { throw FetchFailure("the download was canceled" + remark) }
            switch outcome {
            case .answered(let answer) where answer.status == 304 && kept != nil: return try unchanged()
            case .answered(let answer) where mode == .takes:
                if let total = notes.flatMap({ Int($0.total) }), total != part.count {
                    throw FetchFailure("received \(part.count) of \(total) bytes" + remark)
                }
                return try finish(answer)
            case .answered(let answer):
                if answer.status == 416 {
                    starts += 1
                    guard starts <= limits.resumptions else { throw FetchFailure(Self.words(answer, place, trouble)) }
                    try startAnew()
                } else if let next = answer.next, (300..<400).contains(answer.status) {
                    redirections += 1
                    guard redirections <= limits.redirections else { throw FetchFailure("too many redirects") }
                    place = try follow(next)
                } else {
                    // A proxy that cannot reach the server counts as being offline.
                    let isAway = answer.status == 502 || answer.status == 504
                    throw FetchFailure(Self.words(answer, place, trouble), isOffline: isAway)
                }
            case .unreachable(let why): throw FetchFailure(why, isOffline: true)
            case .broken(let why):
                guard why == Exchange.breaksOff, notes?.validator != nil, part.count > before,
                    resumptions < limits.resumptions
                else { throw FetchFailure(why + remark) }
                resumptions += 1
            case .stopped:
                let number = exchange.refusedNumber.map { ": \(place.host) is \($0), this machine itself" } ?? ""
                throw FetchFailure("the response was rejected" + number)
            case .failed(let why): throw FetchFailure(why)
            }
        }
    }

    /// A hint for the error message if the partial download can be resumed.
    private var remark: String {
        entry.isSealed || part.count == 0 || notes?.validator == nil ? "" : "; run the command again to resume"
    }

    /// The header fields that request the missing part, or only a changed file.
    private var conditions: [String] {
        if part.count > 0, let validator = notes?.validator {
            return ["Range: bytes=\(part.count)-", "If-Range: \(validator)"]
        }
        guard let kept else { return [] }
        return (kept.tag.isEmpty ? [] : ["If-None-Match: \(kept.tag)"])
            + (kept.modified.isEmpty ? [] : ["If-Modified-Since: \(kept.modified)"])
    }

    private func follow(_ next: String) throws(FetchFailure) -> Address {
        do throws(Address.Refusal) {
            return try place.redirected(to: next)
        } catch {
            let shown = next.prefix { $0 != "?" && $0 != "#" }
            let safe = shown.contains("@") ? "another address" : String(shown)
            throw FetchFailure("is redirected to \(safe): \(error)")
        }
    }

    private func startAnew() throws(FetchFailure) {
        notes = nil
        entry.partNotes = nil
        do throws(FileError) {
            try part.empty()
        } catch {
            throw FetchFailure("cannot cache the file: \(error)")
        }
    }

    private func unchanged() throws(FetchFailure) -> FetchNotes {
        guard var kept else { throw FetchFailure("the server reports no change, but there is no cached copy") }
        entry.removePart()
        kept.checked = currentTime()
        try? entry.keep(kept)
        return kept
    }

    private func finish(_ answer: Answer) throws(FetchFailure) -> FetchNotes {
        var notes = self.notes ?? FetchNotes(answer, of: address)
        notes.address = address.shown
        notes.fetched = currentTime()
        notes.checked = notes.fetched
        do throws(FileError) {
            try part.finish()
            return try entry.settle(notes)
        } catch {
            throw FetchFailure("cannot cache the file: \(error)")
        }
    }

    /// Returns the error message for a response that is not a file.
    static func words(_ answer: Answer, _ place: Address, _ trouble: String?) -> String {
        switch answer.status {
        case 300:
            let links = (answer.fields["link"] ?? "").split(separator: ",").compactMap { link in
                let path = link.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
                return path.hasPrefix("/") && !path.hasPrefix("//") ? place.origin + plain(String(path)) : nil
            }
            return links.isEmpty
                ? "the server offers several files (300)"
                : "the server has several files; specify one, such as " + links.joined(separator: ", ")
        case 401, 403:
            let why = trouble.map { " (\($0))" } ?? ""
            return "access denied (\(answer.status)); to store a credential, run: chemopen login \(place.origin)" + why
        case 404, 410: return "no such file on the server (\(answer.status))"
        case 429, 503: return "the server is too busy (\(answer.status)); try again later"
        case 500...599: return "the server reported an error (\(answer.status))"
        default: return "the server returned status \(answer.status) instead of a file"
        }
    }

    // MARK: The answer

    func begin(_ answer: Answer) -> Bool {
        switch answer.status {
        case 200: return beginWhole(answer)
        case 206: return goOn(answer)
        default: return true
        }
    }

    private func beginWhole(_ answer: Answer) -> Bool {
        let found = FetchNotes(answer, of: address)
        if let kept, kept.validator != nil, kept.tag == found.tag, kept.modified == found.modified {
            return stop(.unchanged)
        }
        guard answer.saysItsEnd else {
            return stop(
                .refused("the server sent no length, so a truncated download could not be detected"))
        }
        let packed = answer.fields["content-encoding"]?.lowercased() ?? "identity"
        guard ["identity", "gzip", "x-gzip"].contains(packed) else {
            return stop(.refused("the server sent an unsupported encoding: \(plain(packed))"))
        }
        if let size = Int(found.total), size > limits.bytes { return stop(.refused(tooLarge)) }
        do throws(FileError) {
            try part.empty()
        } catch {
            return stop(.refused("cannot cache the file: \(error)"))
        }
        notes = found
        entry.partNotes = found.validator == nil ? nil : found
        mode = .takes
        return true
    }

    private func goOn(_ answer: Answer) -> Bool {
        let range = (answer.fields["content-range"] ?? "").split { " -/".contains($0) }
        guard let notes, range.count == 4, range[0].lowercased() == "bytes", Int(range[1]) == part.count,
            let total = Int(range[3]), Int(range[2]) == total - 1, notes.total.isEmpty || notes.total == range[3],
            answer.fields["etag"].map({ notes.tag.isEmpty || $0 == notes.tag }) ?? true,
            answer.fields["last-modified"].map({ notes.modified.isEmpty || $0 == notes.modified }) ?? true
        else { return stop(.otherContent) }
        if total > limits.bytes { return stop(.refused(tooLarge)) }
        self.notes?.total = "\(total)"
        mode = .takes
        return true
    }

    func take(_ bytes: [UInt8]) -> Bool {
        guard mode == .takes else {
            passedOver += bytes.count
            return passedOver <= 1 << 20
        }
        guard part.count + bytes.count <= limits.bytes else { return stop(.refused(tooLarge)) }
        do throws(FileError) {
            try part.append(bytes)
        } catch {
            return stop(.refused("cannot cache the file: \(error)"))
        }
        progress(part.count, notes.flatMap { Int($0.total) })
        return true
    }

    func tick() -> Bool { !isCancelled() }

    private var tooLarge: String {
        "is larger than \(limits.bytes) bytes (set CHEMOPEN_FETCH_BYTES to allow more)"
    }

    private func stop(_ verdict: Verdict) -> Bool {
        self.verdict = verdict
        return false
    }
}
