/// The formats that programs of Debian were seen to read when they were tried, by desktop id.
///
/// It corrects claims that are not true, and adds programs that read files and do not register for them.
public enum KnownHandlers {
    private static let molfile = "chemical/x-mdl-molfile"
    private static let sdfile = "chemical/x-mdl-sdfile"
    private static let cdx = "chemical/x-cdx"
    private static let cdxml = "chemical/x-cdxml"

    /// Refuses V3000 with a message box; RXN and ChemDraw files go through another program and come out as one atom.
    private static let avogadro = KnownProgram(
        [
            Reading(molfile, versions: ["V2000"]),
            Reading(sdfile, versions: ["V2000"], showsFirstOnly: true),
        ], isSpatial: true)

    /// Goes by the extension; records become states.
    private static let pymol = KnownProgram(
        [
            Reading(molfile, versions: ["V2000", "V3000"], readsGzip: true),
            Reading(sdfile, versions: ["V2000"], readsGzip: true),
        ], isSpatial: true)

    /// Goes by content. A V3000 file came out with the wrong number of atoms.
    private static let jmol = KnownProgram(
        [
            Reading(molfile, versions: ["V2000"], readsGzip: true),
            Reading(sdfile, versions: ["V2000"], readsGzip: true),
            Reading(cdx),
            Reading(cdxml),
        ], needsPlainNames: true, isSpatial: true)

    /// Takes every file for a protein unless it is told otherwise.
    private static func rasmol(_ program: String) -> KnownProgram {
        KnownProgram(
            [Reading(molfile, versions: ["V2000"]), Reading(sdfile, versions: ["V2000"], showsFirstOnly: true)],
            exec: "\(program) -mdl %f", isSpatial: true)
    }

    private static let xdrawchem = KnownProgram([
        Reading(molfile, versions: ["V2000", "V3000"]),
        Reading(cdxml),
        Reading(cdx),
        Reading(sdfile, showsFirstOnly: true),
    ])

    /// Draws molfiles. It crashes on CDX, and which loader it takes depends on the desktop's types.
    private static let gchempaint = KnownProgram([Reading(molfile, versions: ["V2000"])])

    /// Opens none of the types from its command line, or shows an empty window.
    private static let nothing = KnownProgram([])

    /// The facts about programs, by the ids of their entries.
    public static let all: [String: KnownProgram] = [
        "avogadro2.desktop": avogadro,
        "org.openchemistry.Avogadro2.desktop": avogadro,
        "pymol.desktop": pymol,
        "org.pymol.PyMOL.desktop": pymol,
        "jmol.desktop": jmol,
        "rasmol-gtk.desktop": rasmol("rasmol-gtk"),
        "rasmol-classic.desktop": rasmol("rasmol-classic"),
        "xdrawchem.desktop": xdrawchem,
        "gchempaint-0.14.desktop": gchempaint,
        "gchempaint.desktop": gchempaint,
        "gchem3d-0.14.desktop": nothing,
        "gchem3d.desktop": nothing,
        "bkchem.desktop": nothing,
        "chemtool.desktop": nothing,
    ]
}
