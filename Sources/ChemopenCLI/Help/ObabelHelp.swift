import Chemopen

/// The help page for users of Open Babel's `obabel`.
enum ObabelHelp {
    static let topic = "obabel"

    static func print(on terminal: Terminal) {
        let page = HelpPage(terminal)
        page.heading("Equivalents of obabel's options")
        page.rows(ObabelHabits.all.map { ($0.obabel, $0.here) })
        page.blank()
        page.examples(["Example: chemopen convert --where 'mass < 500' --split parts --to mol kinases.sdf.gz"])
    }
}
