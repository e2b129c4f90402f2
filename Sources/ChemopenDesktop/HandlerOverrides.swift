/// The formats that Debian's programs read, by desktop ID.
///
/// This table corrects wrong claims and adds programs that read files without registering for them.
/// `Tests/Desktop/programs` opens each type in each program and inspects the pictures. A test compares its results with
/// this table.
public enum HandlerOverrides {
    private static let molfile = "chemical/x-mdl-molfile"
    private static let sdfile = "chemical/x-mdl-sdfile"
    private static let cdx = "chemical/x-cdx"
    private static let cdxml = "chemical/x-cdxml"

    /// Rejects V3000. Opens RXN and ChemDraw files through another program, which merges all atoms into one.
    private static let avogadro = KnownProgram(
        [
            Reading(molfile, versions: ["V2000"]),
            Reading(sdfile, versions: ["V2000"], showsFirstOnly: true),
        ], isSpatial: true)

    /// Detects the format by the file extension. Loads records as states.
    private static let pymol = KnownProgram(
        [Reading(molfile, readsGzip: true), Reading(sdfile, readsGzip: true)], isSpatial: true)

    /// Detects the format by the content. Adds hydrogens to V3000 files and drawings. Shows only the molecules of a
    /// drawn reaction.
    private static let jmol = KnownProgram(
        [
            Reading(molfile, readsGzip: true),
            Reading(sdfile, readsGzip: true),
            Reading(cdx, showsReactions: false),
            Reading(cdxml, showsReactions: false),
        ], needsPlainNames: true, isSpatial: true)

    /// Assumes that a file is a protein unless an option specifies its format.
    private static let rasmol = KnownProgram(
        [
            Reading(molfile, versions: ["V2000"], readsGzip: true),
            Reading(sdfile, versions: ["V2000"], showsFirstOnly: true, readsGzip: true),
        ], exec: "rasmol-gtk -mdl %f", isSpatial: true)

    /// Shows an empty window for CDX, only the first molecule of a drawing, and overlapping molecules for a reaction.
    private static let xdrawchem = KnownProgram([
        Reading(molfile, readsGzip: true),
        Reading(cdxml, showsFirstOnly: true, showsReactions: false),
        Reading(sdfile, showsFirstOnly: true, readsGzip: true),
    ])

    /// Programs that crash on all types, open no file from their command line, or show an empty window.
    private static let nothing = KnownProgram([])

    /// The known facts by the ID of the program's desktop entry.
    public static let all: [String: KnownProgram] = [
        "avogadro2.desktop": avogadro,
        "org.openchemistry.Avogadro2.desktop": avogadro,
        "pymol.desktop": pymol,
        "org.pymol.PyMOL.desktop": pymol,
        "jmol.desktop": jmol,
        "rasmol-gtk.desktop": rasmol,
        "rasmol-classic.desktop": nothing,
        "xdrawchem.desktop": xdrawchem,
        "gchempaint-0.14.desktop": nothing,
        "gchempaint.desktop": nothing,
        "gchem3d-0.14.desktop": nothing,
        "gchem3d.desktop": nothing,
        "bkchem.desktop": nothing,
        "chemtool.desktop": nothing,
        "org.kde.kalzium_cml.desktop": nothing,
        "easychem.desktop": nothing,
        "gabedit.desktop": nothing,
        "gdis.desktop": nothing,
        "ghemical.desktop": nothing,
        "xmakemol.desktop": nothing,
    ]
}
