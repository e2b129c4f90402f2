import Glibc

/// Returns the number of columns and rows of a terminal, or `nil` if the descriptor is not a terminal or the size is
/// unknown.
package func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
}

/// Returns the number of columns of a terminal, or `nil` if the descriptor is not a terminal or the size is unknown.
package func terminalWidth(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// Ignores the interrupt key, so that a program that uses the terminal, such as a pager, can handle it.
package func ignoreInterrupts() {
    _ = signal(SIGINT, SIG_IGN)
    _ = signal(SIGQUIT, SIG_IGN)
}

/// Keys read from the terminal one by one, without echo.
///
/// The terminal is restored by `restore()`. Signals of the keyboard arrive as keys.
package struct TerminalKeys: ~Copyable {
    private let descriptor: Int32
    private let before: termios

    private init(_ descriptor: Int32, _ before: termios) {
        self.descriptor = descriptor
        self.before = before
    }

    /// Opens the terminal of the process. Returns `nil` if it has none, or if the process runs in the background, because
    /// the system would then stop it.
    package static func open() -> TerminalKeys? {
        guard let number = try? openOwnTerminal() else { return nil }
        var before = termios()
        guard tcgetpgrp(number) == getpgrp(), unsafe tcgetattr(number, &before) == 0 else {
            close(number)
            return nil
        }
        var raw = before
        unsafe cfmakeraw(&raw)
        // Line ends in output are still converted, as in other programs.
        raw.c_oflag = before.c_oflag
        guard unsafe tcsetattr(number, TCSAFLUSH, &raw) == 0 else {
            close(number)
            return nil
        }
        return TerminalKeys(number, before)
    }

    /// Restores the terminal.
    package consuming func restore() {
        var before = before
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &before)
        close(descriptor)
    }

    /// Waits for keys. Returns their bytes, an empty array if none arrive in time, and `nil` if the terminal is closed.
    package func bytes(within milliseconds: Int32) -> [UInt8]? {
        var request = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
        let ready = unsafe poll(&request, 1, milliseconds)
        if ready < 0 { return errno == EINTR ? [] : nil }
        if ready == 0 { return [] }
        var bytes: [UInt8] = []
        guard (try? readBytes(descriptor, upTo: 256, into: &bytes)) == true else { return nil }
        return bytes
    }

    /// Writes to the terminal. Returns whether it succeeded.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        (try? writeAll(bytes, to: descriptor)) != nil
    }

    /// The size of the terminal.
    package var size: (columns: Int, rows: Int)? { terminalSize(descriptor) }
}
