import ChemopenBytes

extension Surroundings {
    /// Brings the window whose title holds a text to the front, by a program that is installed for that. Desktops without
    /// X11 leave this to the programs that own the windows.
    package func raiseWindow(titled text: String) {
        guard value("DISPLAY") != nil else { return }
        let ways = [
            ("wmctrl", ["-a", text]), ("xdotool", ["search", "--onlyvisible", "--name", text, "windowactivate"]),
        ]
        for (name, words) in ways {
            guard let program = program(name) else { continue }
            _ = runProgram(program, words.map { LocalPath($0) })
            return
        }
    }
}
