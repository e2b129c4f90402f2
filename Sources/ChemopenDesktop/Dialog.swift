import ChemopenBytes

/// Dialog windows for questions and messages, shown by an installed program: zenity, kdialog or yad.
public struct Dialog: Sendable {
    private enum Kind: String, CaseIterable {
        case zenity, kdialog, yad
    }

    private let kind: Kind
    private let program: LocalPath

    /// Creates a dialog, or `nil` if the session is not graphical or no supported program is installed.
    public init?(in session: SessionEnvironment) {
        guard session.isGraphical else { return nil }
        let order: [Kind] = session.desktops.contains("kde") ? [.kdialog, .zenity, .yad] : [.zenity, .yad, .kdialog]
        for kind in order {
            guard let program = session.program(kind.rawValue) else { continue }
            self.kind = kind
            self.program = program
            return
        }
        return nil
    }

    /// Lets the user choose one of several items.
    ///
    /// - Returns: the index of the item, or `nil` if the user cancels.
    public func choice(_ question: String, among items: [String]) -> Int? {
        var words: [String]
        switch kind {
        case .zenity, .yad:
            words = [
                "--list", "--title=Chemopen", "--text=\(Self.plain(question))", "--width=520", "--height=360",
                "--column=No.", "--column=Choice", "--print-column=1",
            ]
            for (index, item) in items.enumerated() { words += ["\(index + 1)", "\(index + 1). \(item)"] }
        case .kdialog:
            words = ["--title", "Chemopen", "--menu", Self.plain(question)]
            for (index, item) in items.enumerated() { words += ["\(index + 1)", "\(index + 1). \(item)"] }
        }
        guard let answer = run(words).map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
        let digits = answer.prefix { $0.isNumber }
        return Int(digits).flatMap { items.indices.contains($0 - 1) ? $0 - 1 : nil }
    }

    /// Lets the user choose a file.
    ///
    /// - Returns: the absolute path of the file, or `nil` if the user cancels.
    public func file(_ title: String) -> LocalPath? {
        let words =
            kind == .kdialog
            ? ["--title", title, "--getopenfilename", "."] : ["--file-selection", "--title=\(title)"]
        guard let answer = run(words).map(LocalPath.init(bytes:)), answer.isAbsolute else { return nil }
        return answer
    }

    /// Shows a message.
    ///
    /// - Returns: `false` if the window cannot be shown.
    @discardableResult
    public func show(_ text: String, isError: Bool) -> Bool {
        let words =
            kind == .kdialog
            ? ["--title", "Chemopen", isError ? "--error" : "--msgbox", Self.plain(text)]
            : [isError ? "--error" : "--info", "--no-markup", "--title=Chemopen", "--text=\(Self.plain(text))"]
        return run(words) != nil
    }

    /// Returns text that no toolkit parses as markup.
    static func plain(_ text: String) -> String {
        text.map { $0 == "&" ? "and" : $0 == "<" ? "‹" : $0 == ">" ? "›" : String($0) }.joined()
    }

    private func run(_ words: [String]) -> [UInt8]? {
        runProgram(program, words.map { LocalPath($0) })
    }
}

/// Runs a program and returns its output without the final line ending, or `nil` if the program fails. The program's
/// name is passed as the first argument.
package func runProgram(
    _ program: LocalPath, _ words: [LocalPath], environment: [[UInt8]] = currentEnvironment
) -> [UInt8]? {
    try? startProgram(program, words, environment: environment)
}

/// Runs a program as `runProgram` does, but throws if the program cannot be started.
package func startProgram(
    _ program: LocalPath, _ words: [LocalPath], environment: [[UInt8]] = currentEnvironment
) throws(FileError) -> [UInt8]? {
    let ends = try makePipe()
    let child: ChildProcess
    do throws(FileError) {
        defer { closeDescriptor(ends.writing) }
        child = try spawn(
            program, ([program.name] + words).map(\.bytes), environment: environment, in: "/",
            streams: .printing(to: ends.writing))
    } catch {
        closeDescriptor(ends.reading)
        throw error
    }
    let output = try? readToEnd(ends.reading, of: child, limit: 1024 * 1024)
    closeDescriptor(ends.reading)
    guard child.wait() == 0, var output else { return nil }
    if output.last == UInt8(ascii: "\n") { output.removeLast() }
    return output
}
