import Chemopen

/// The help page for users of Open Babel's `obabel`.
enum ObabelHelp {
    static let topic = "obabel"

    static func print(on terminal: Terminal) {
        for line in lines { terminal.print(line) }
    }

    /// The lines of the page.
    static var lines: [String] {
        ["Equivalents of obabel's options", ""] + twoColumns(ObabelHabits.all.map { ($0.obabel, $0.here) })
            + ["", "Example: chemopen convert --where 'mass < 500' --split parts --to mol kinases.sdf.gz"]
    }
}
