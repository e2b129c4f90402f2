import Chemopen

/// Records the changes of readers of a server: in git, if the file is in a repository, and in the log of the server.
final class ChangeRecorder: Sendable {
    /// The domain of the email addresses of commits.
    private let domain: String
    private let report: @Sendable (String) -> Void
    private let isBusy = Guarded(false)
    /// The files as this recorder committed them last.
    private let committed = Guarded<[LocalPath: FileIdentity]>([:])

    private static let mostAttempts = 3

    init(domain: String, _ report: @escaping @Sendable (String) -> Void) {
        (self.domain, self.report) = (domain, report)
    }

    /// Runs changes one after another, so that the order of commits is that of the changes.
    func inTurn<Answer>(_ body: () -> Answer) -> Answer {
        isBusy.wait { isBusy -> Void? in
            if isBusy { return nil }
            isBusy = true
            return ()
        }
        defer { isBusy.change { $0 = false } }
        return body()
    }

    /// Returns the reason why changes in a directory are not recorded in git, or `nil` if they are.
    static func problem(in folder: LocalPath) -> String? {
        guard let repository = try? GitRepository(around: folder) else { return "git is not installed" }
        guard (try? repository.line(["rev-parse", "--show-toplevel"])) != nil else {
            return "it is not in a git repository that git trusts"
        }
        let head = try? repository.line(["rev-parse", "--verify", "HEAD^{commit}"])
        return head == nil ? "its git repository has no commit yet" : nil
    }

    /// Commits changes that other programs have made to a file, so that they are not attributed to the next reader.
    func commitOtherChanges(of path: LocalPath, named name: String) {
        guard let identity = FileIdentity(path), committed.change({ $0[path] }) != identity else { return }
        let message = "\(name): changes from outside the server"
        if let id = try? commit(path, message, by: nil) { report("\(message); commit \(id.prefix(12))") }
    }

    /// Records changes that were saved.
    ///
    /// - Returns: the reason why there is no commit, or `nil`.
    func record(
        _ changes: ChangeSet, of path: LocalPath, named name: String, by author: String, acceptedBy other: String?
    ) -> String? {
        let subject = Self.subject(changes, of: name)
        let acceptance = other.map { "\n\nAccepted-by: \($0)" } ?? ""
        let lines = changes.changes.map(\.description).joined(separator: "\n")
        let end = other.map { ", accepted by \($0)" } ?? ""
        let told = "change by \(author)\(end): \(name): \(lines.split(separator: "\n").joined(separator: "; "))"
        do throws(Conversion.Failure) {
            let id = try commit(path, "\(subject)\n\n\(lines)\(acceptance)", by: author)
            report("\(told); " + (id.map { "commit \($0.prefix(12))" } ?? "no commit: git has this state already"))
            return nil
        } catch {
            report("\(told); no commit: \(error.reason)")
            return error.reason
        }
    }

    /// Records a file that was added to a collection.
    func recordNewFile(_ path: LocalPath, named name: String) {
        let outcome = inTurn {
            Result { () throws(Conversion.Failure) in try commit(path, "\(name): new file", by: nil) }
        }
        switch outcome {
        case .success(let id): report("added \(name)" + (id.map { "; commit \($0.prefix(12))" } ?? ""))
        case .failure(let failure): report("added \(name); no commit: \(failure.reason)")
        }
    }

    /// Reports a proposal or a refused file.
    func note(_ text: String) { report(text) }

    private func commit(
        _ path: LocalPath, _ message: String, by author: String?
    ) throws(Conversion.Failure) -> String? {
        let own = CommitIdentity(name: "chemopen serve", address: "chemopen@\(domain)")
        let identity = author.map { CommitIdentity(name: $0, address: Self.mailbox($0) + "@\(domain)") } ?? own
        var failure: Conversion.Failure?
        for _ in 0..<Self.mostAttempts {
            do throws(Conversion.Failure) {
                let id = try FileHistory(path).commitIfChanged(message, by: identity, through: own)
                committed.change { $0[path] = FileIdentity(path) }
                return id
            } catch {
                // Another program can commit at the same time.
                failure = error
            }
        }
        throw failure ?? .cancelled
    }

    private static func mailbox(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "." })
    }

    private static let longestSubject = 72

    private static func subject(_ changes: ChangeSet, of name: String) -> String {
        let count = Set(changes.changes.map(\.name)).count
        let what = changes.changes.first.map { "\($0.name) \($0.kind.rawValue)" } ?? "no change"
        let text = "\(name): \(what)" + (count > 1 ? " and \(counted(count - 1, "more record"))" : "")
        return text.count <= longestSubject ? text : String(text.prefix(longestSubject - 1)) + "…"
    }
}
