import ChemopenBytes
import ChemopenDesktop
import Synchronization

/// Options for reading a file from a URL.
public struct FetchOptions: Sendable {
    /// Whether to use the cached copy only, without network access.
    public var isOffline = false
    /// Whether to encrypt the cached file with a key from the session's keyring.
    public var encrypts = false
    /// Receives the progress, and a note if an old copy is used.
    public var onEvent: (@Sendable (FetchEvent) -> Void)?

    /// Creates the default options: check with the server for changes and cache files without encryption.
    public init() {}
}

/// An event during a fetch.
public enum FetchEvent: Sendable, Hashable {
    /// The number of bytes received, and the total size if known.
    case progress(bytes: Int, size: Int?)
    /// A note for the user, such as `offline, as of 2026-11-23 20:55`.
    case note(String)
    /// The fetch has succeeded or failed.
    case done
}

/// A file at a URL. The program `chemopen-fetch` fetches it at the first access.
final class FetchedFile: Sendable {
    let address: Address
    private let options: FetchOptions
    private let state = Mutex<State>(.asked(nil))

    private enum State: Sendable {
        case asked(FileError?)
        case there(Handed)
    }

    /// The result of a successful fetch.
    private final class Handed: Sendable {
        let file: OpenFile
        let path: LocalPath?
        let type: String?

        init(_ file: consuming OpenFile, at path: LocalPath?, _ type: String?) {
            self.file = file
            self.path = path
            self.type = type
        }
    }

    init(_ address: Address, _ options: FetchOptions) {
        self.address = address
        self.options = options
    }

    var name: LocalPath { LocalPath(address.shown) }

    var declaredType: String? {
        state.withLock { if case .there(let handed) = $0 { handed.type } else { nil } }
    }

    /// The path through which the open file can be read.
    func openPath(_ shouldCancel: (() -> Bool)?) throws(FileError) -> LocalPath { try handed(shouldCancel).file.path }

    /// The path of the unencrypted copy, or `nil` if only an encrypted copy exists.
    func storedPath(_ shouldCancel: (() -> Bool)?) throws(FileError) -> LocalPath? { try handed(shouldCancel).path }

    private func handed(_ shouldCancel: (() -> Bool)?) throws(FileError) -> Handed {
        let result: Result<Handed, FileError> = state.withLock { state in
            switch state {
            case .there(let handed): return .success(handed)
            case .asked(let error?): return .failure(error)
            case .asked(nil): break
            }
            let result = Result { () throws(FileError) in try fetch(shouldCancel) }
            switch result {
            case .success(let handed): state = .there(handed)
            // After a cancellation the caller may try again.
            case .failure(let error): state = .asked(error == .cancelled(name) ? nil : error)
            }
            return result
        }
        return try result.get()
    }

    private static let program = "chemopen-fetch"

    private func failure(_ why: String) -> FileError { FileError(name, .notFetched(why)) }

    private func fetch(_ shouldCancel: (() -> Bool)?) throws(FileError) -> Handed {
        let program: StartedProgram
        do throws(FetchProgram.Missing) {
            program = try FetchProgram.start()
        } catch {
            throw failure(error.description)
        }
        // The program exits when its input is closed, which also happens if this process exits.
        defer {
            closeDescriptor(program.input)
            _ = program.process.wait()
            closeDescriptor(program.output)
            options.onEvent?(.done)
        }
        let wishes = (options.isOffline ? "offline\n" : "") + (options.encrypts ? "encrypt\n" : "")
        try? writeAll(Array("address \(address.text)\n\(wishes)go\n".utf8), to: program.input)
        return try take(program.output, shouldCancel)
    }

    /// Reads the program's output until it contains the file's path or an error.
    private func take(_ number: Int32, _ shouldCancel: (() -> Bool)?) throws(FileError) -> Handed {
        var lines = ProgramLines(number, longest: 1 << 20)
        var type: String?
        while true {
            let line: [UInt8]?
            do throws(FileError) {
                line = try lines.next(shouldCancel)
            } catch {
                if error.reason == .tooLarge { throw failure("the program \(Self.program) returned too much output") }
                throw FileError(name, error.reason)
            }
            guard let line else { throw failure("the program \(Self.program) ended without a response") }
            let space = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
            let rest = Array(line[space...].dropFirst())
            switch String(decoding: line[..<space], as: UTF8.self) {
            case "progress":
                let numbers = String(decoding: rest, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
                guard numbers.count == 2 else { continue }
                options.onEvent?(.progress(bytes: numbers[0], size: numbers[1] > 0 ? numbers[1] : nil))
            case "note": options.onEvent?(.note("\(name.shown): " + String(decoding: rest, as: UTF8.self)))
            case "type": type = String(decoding: rest, as: UTF8.self)
            case "file": return Handed(try open(LocalPath(bytes: rest)), at: LocalPath(bytes: rest), type)
            case "memory": return Handed(try open(LocalPath(bytes: rest)), at: nil, type)
            case "error": throw failure(String(decoding: rest, as: UTF8.self))
            default: continue
            }
        }
    }

    private func open(_ path: LocalPath) throws(FileError) -> OpenFile {
        do throws(FileError) {
            return try OpenFile(path)
        } catch {
            throw failure("the fetched file cannot be opened: \(error)")
        }
    }
}

/// The program `chemopen-fetch`, the only one that uses the network.
package enum FetchProgram {
    /// The reason why the program cannot be started, and what to do.
    package struct Missing: Error {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Starts the program. It reads what to do from its input.
    package static func start() throws(Missing) -> StartedProgram {
        let name = "chemopen-fetch"
        guard let path = helperProgram(name) else {
            throw Missing(
                "access to the network requires the program \(name), which was not found; "
                    + "install the package chemopen, or add the directory of \(name) to PATH")
        }
        do throws(FileError) {
            return try StartedProgram(path, [Array(name.utf8)], environment: currentEnvironment)
        } catch {
            throw Missing("the program \(name) cannot be started: \(error.explanation)")
        }
    }
}
