import ChemopenBytes

extension SessionEnvironment {
    /// Raises the window with a text in its title, with the help of an installed program. Most Wayland compositors do
    /// not permit this to programs of other vendors.
    package func raiseWindow(titled text: String) {
        let ways = [
            ("DISPLAY", "wmctrl", ["-a", text]),
            ("DISPLAY", "xdotool", ["search", "--onlyvisible", "--name", text, "windowactivate"]),
            ("SWAYSOCK", "swaymsg", ["[title=\"\(text)\"]", "focus"]),
            ("KDE_FULL_SESSION", "kdotool", ["search", "--name", text, "windowactivate"]),
        ]
        for (variable, name, words) in ways {
            guard value(variable) != nil, let program = program(name) else { continue }
            if runProgram(program, words.map { LocalPath($0) }) != nil { return }
        }
    }
}
