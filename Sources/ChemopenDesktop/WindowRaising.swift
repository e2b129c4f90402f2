import ChemopenBytes

extension Surroundings {
    /// Brings the window whose title holds a text to the front, by a program that is installed for that. Most
    /// Wayland desktops let nobody else's program do so.
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
