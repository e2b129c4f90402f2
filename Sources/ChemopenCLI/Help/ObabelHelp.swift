import Chemopen

/// The page for those who know Open Babel's `obabel`, and the answers to its options that are none here.
enum ObabelHelp {
    static let topic = "obabel"

    /// Options of `obabel`, whole command lines where there is no option for it, and what says the same here.
    private static let habits: [(options: [String], obabel: String, here: String)] = [
        ([], "obabel a.mol -O b.sdf", "chemopen convert a.mol b.sdf; -O b.sdf is understood, too"),
        ([], "-isdf, -osmi", "the same; formats follow from content and extension without them"),
        ([], "-f 5 -l 9", "--records 5-9; -f is --force"),
        (["-l"], "-l 9", "--records 1-9"),
        (["-m"], "-m", "--split FOLDER"),
        (["--filter"], "--filter \"logP<5\"", "--where 'logP < 5'; chemopen help where"),
        (["--append", "--addtotitle", "--title", "--property"], "--title, --append, --property", "not here"),
        (["-s"], "-s \"C(=O)O\"", "--smarts 'C(=O)O'; records alone: chemopen grep 'C(=O)O' a.sdf"),
        (["-v"], "-v \"C(=O)O\"", "chemopen grep -v 'C(=O)O' a.sdf"),
        (["-d", "--delete"], "-d", "not here: hydrogens stay as they are drawn"),
        (["-h", "-p", "--add"], "-h, -p 7.4", "not here; -h is --help"),
        (["-c", "--gen2D", "--gen2d", "--gen3D", "--gen3d", "--center"], "-c, --gen2D, --gen3D", "not here"),
        (["-e"], "-e", "not needed; --on-error stop for the opposite"),
        (["-x", "-x3"], "-x3", "--v3000; without it V2000 wherever it holds the molecule"),
        (["-r"], "-r", "not here: fragments are kept"),
        (["--unique", "--sort"], "--unique, --sort", "not here"),
        (["-L"], "-L formats", "chemopen formats"),
        ([], "obabel a.mol -O a.svg", "chemopen depict a.mol -O a.svg"),
    ]

    static func print(on terminal: Terminal) {
        for line in lines { terminal.print(line) }
    }

    /// The page.
    static var lines: [String] {
        ["What obabel's options are called here", ""] + Help.columns(habits.map { ($0.obabel, $0.here) })
            + ["", "Example: chemopen convert --where 'mass < 500' --split parts --to mol kinases.sdf.gz"]
    }

    /// The answer to an option that is not known and that `obabel` has; nothing for others.
    static func answer(to option: String) -> String? {
        habits.first { $0.options.contains(option) }.map { "; obabel's \(option): \($0.here)" }
    }
}
