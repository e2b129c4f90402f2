/// The options of Open Babel's `obabel`, and what says the same here.
enum ObabelHabits {
    /// Whole command lines stand where there is no option for it.
    static let all: [(options: [String], obabel: String, here: String)] = [
        ([], "obabel a.mol -O b.sdf", "chemopen convert a.mol b.sdf; -O b.sdf is understood, too"),
        ([], "-isdf, -osmi", "the same; formats follow from content and extension without them"),
        (["-:"], "-:\"CCO\"", "echo CCO | chemopen convert --from smi - b.sdf"),
        ([], "-ocan", "-osmi --canonical"),
        ([], "-f 5 -l 9", "--records 5-9; -f is --force"),
        (["-l"], "-l 9", "--records 1-9"),
        (["-m"], "-m", "--split FOLDER"),
        (["--filter"], "--filter \"logP<5\"", "--where 'logP < 5'; chemopen help where"),
        (["--append", "--addtotitle", "--title", "--property"], "--title, --append, --property", "not here"),
        (["-s"], "-s \"C(=O)O\"", "--smarts 'C(=O)O'; records alone: chemopen grep 'C(=O)O' a.sdf"),
        (["-v"], "-v \"C(=O)O\"", "chemopen grep -v 'C(=O)O' a.sdf"),
        (["-d", "--delete"], "-d", "not here: hydrogens stay as they are drawn"),
        (["-h", "-p", "--add"], "-h, -p 7.4", "not here; -h is --help"),
        (["--gen2D", "--gen2d"], "--gen2D", "--layout; pictures need no option"),
        (["-c", "--gen3D", "--gen3d", "--center"], "-c, --gen3D", "not here"),
        (["-e"], "-e", "not needed; --on-error stop for the opposite"),
        (["-x3"], "-x3", "--v3000; without it V2000 wherever it holds the molecule"),
        (["-x", "-a"], "-xt, -aa and so on", "not here: convert --help has the options of formats"),
        (["-r"], "-r", "not here: fragments are kept"),
        (["--unique", "--sort"], "--unique, --sort", "not here"),
        (["-L"], "-L formats", "chemopen formats"),
        ([], "obabel a.mol -O a.svg", "chemopen depict a.mol -O a.svg"),
    ]

    /// The options and commands that stand in for formats that `obabel` writes.
    private static let formats: [(names: [String], here: String)] = [
        (["can"], "smi and --canonical"),
        (["inchi", "inchikey"], "--compute inchi,inchikey, a field or a column"),
        (["svg", "png"], "chemopen depict"),
    ]

    /// The answer to the name or the extension of a format that is not written.
    static func answer(toFormat name: String) -> String? {
        return formats.first { $0.names.contains(name) }.map { "; instead: \($0.here)" }
    }

    /// The answer to an option that is not known and that `obabel` has; nothing for others.
    static func answer(to option: String) -> String? {
        all.first { $0.options.contains(option) }.map { "; obabel's \(option): \($0.here)" }
    }
}
