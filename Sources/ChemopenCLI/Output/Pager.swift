import Chemopen
import ChemopenDesktop

/// A program that shows long output page by page, such as less.
struct Pager {
    private let process: ChildProcess
    /// The descriptor that receives the output.
    let descriptor: Int32

    /// The command line of the pager: `CHEMOPEN_PAGER`, `PAGER` or less. `nil` if output should not be paged.
    static func command(
        own: String?, general: String?, terminal: String?, find: (String) -> Bool
    ) -> String? {
        if terminal == "dumb" { return nil }
        guard let chosen = own ?? general else { return find("less") ? "less" : nil }
        let command = chosen.trimmingBlanks
        return command.isEmpty || command == "cat" ? nil : command
    }

    /// The command line for this process.
    static var ofEnvironment: String? {
        command(
            own: environment("CHEMOPEN_PAGER"), general: environment("PAGER"), terminal: environment("TERM"),
            find: { SessionEnvironment.current.program($0) != nil })
    }

    /// Starts a pager on the terminal. Returns `nil` if that fails.
    init?(_ command: String) {
        guard let ends = try? makePipe() else { return nil }
        defer { closeDescriptor(ends.reading) }
        // With these options, less exits if the output fits on the screen, shows colors, and leaves the output visible.
        let less = environment("LESS") == nil ? [Array("LESS=FRX".utf8)] : []
        let words = ["sh", "-c", command].map { Array($0.utf8) }
        guard
            let child = try? spawn(
                "/bin/sh", words, environment: currentEnvironment + less, in: currentFolder(),
                streams: .filtering(from: ends.reading, to: 1))
        else {
            closeDescriptor(ends.writing)
            return nil
        }
        process = child
        descriptor = ends.writing
        // The interrupt key is for the pager. If the pager ends, writing fails and this process ends too.
        ignoreInterrupts()
    }

    /// Closes the output and waits until the user leaves the pager.
    func finish() {
        closeDescriptor(descriptor)
        _ = process.wait()
    }
}
