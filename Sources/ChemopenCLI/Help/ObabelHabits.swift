/// The options of Open Babel's `obabel`, and the equivalent ones of chemopen.
enum ObabelHabits {
    /// If there is no equivalent option, the text is a complete command.
    static let all: [(options: [String], obabel: String, here: String)] = [
        ([], "obabel a.mol -O b.sdf", "chemopen convert a.mol b.sdf; -O b.sdf works too"),
        ([], "-isdf, -osmi", "the same; by default content and extension decide"),
        (["-:"], "-:\"CCO\"", "echo CCO | chemopen convert --from smi - b.sdf"),
        ([], "-ocan", "-osmi --canonical"),
        ([], "-f 5 -l 9", "--records 5-9; -f is --force"),
        (["-l"], "-l 9", "--records 1-9"),
        (["-m"], "-m", "--split DIR"),
        (["--filter"], "--filter \"logP<5\"", "--where 'logP < 5'; chemopen help where"),
        (["--append", "--addtotitle", "--title", "--property"], "--title, --append, --property", "not available"),
        (["-s"], "-s \"C(=O)O\"", "--smarts 'C(=O)O'; records alone: chemopen grep 'C(=O)O' a.sdf"),
        (["-v"], "-v \"C(=O)O\"", "chemopen grep -v 'C(=O)O' a.sdf"),
        (["-d", "--delete"], "-d", "not available: drawn hydrogens stay"),
        (["-h", "-p", "--add"], "-h, -p 7.4", "not available; -h is --help"),
        (["--gen2D", "--gen2d"], "--gen2D", "--layout; not needed for pictures"),
        (["-c", "--gen3D", "--gen3d", "--center"], "-c, --gen3D", "not available"),
        (["-e"], "-e", "the default; use --on-error stop for the opposite"),
        (["-x3"], "-x3", "--v3000; the default is V2000 if it can store the molecule"),
        (["-x", "-a"], "-xt, -aa and so on", "not available; see convert --help for the options of formats"),
        (["-r"], "-r", "not available: all fragments stay"),
        (["--unique", "--sort"], "--unique, --sort", "not available"),
        (["-L"], "-L formats", "chemopen formats"),
        ([], "obabel a.mol -O a.svg", "chemopen depict a.mol -O a.svg"),
    ]

    /// Replacements for formats that only `obabel` writes.
    private static let formats: [(names: [String], here: String)] = [
        (["can"], "smi and --canonical"),
        (["inchi", "inchikey"], "--compute inchi,inchikey"),
        (["svg", "png"], "chemopen depict"),
    ]

    /// Returns a hint for the name or extension of a format that only `obabel` writes.
    static func answer(toFormat name: String) -> String? {
        return formats.first { $0.names.contains(name) }.map { "; instead: \($0.here)" }
    }

    /// Returns a hint for an unknown option that `obabel` has; nil for others.
    static func answer(to option: String) -> String? {
        all.first { $0.options.contains(option) }.map { "; obabel's \(option): \($0.here)" }
    }
}
