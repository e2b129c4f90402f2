import ChemopenBytes

extension Surroundings {
    /// Brings the window whose title holds a text to the front, by a program that is installed for that; `false` where
    /// there is none, or none finds the window. Most Wayland desktops let nobody else's program do so.
    @discardableResult package func raiseWindow(titled text: String) -> Bool {
        let ways = [
            ("DISPLAY", "wmctrl", ["-a", text]),
            ("DISPLAY", "xdotool", ["search", "--onlyvisible", "--name", text, "windowactivate"]),
            ("SWAYSOCK", "swaymsg", ["[title=\"\(text)\"]", "focus"]),
            ("KDE_FULL_SESSION", "kdotool", ["search", "--name", text, "windowactivate"]),
        ]
        return ways.contains { variable, name, words in
            guard value(variable) != nil, let program = program(name) else { return false }
            return runProgram(program, words.map { LocalPath($0) }) != nil
        }
    }
}
