/// The formats that programs of Debian read, by desktop id: `Tests/Desktop/programs` opens every type in every program and
/// looks at the pictures, and a test holds its table against this one.
///
/// It corrects claims that are not true, and adds programs that read files and do not register for them.
public enum KnownHandlers {
    private static let molfile = "chemical/x-mdl-molfile"
    private static let sdfile = "chemical/x-mdl-sdfile"
    private static let cdx = "chemical/x-cdx"
    private static let cdxml = "chemical/x-cdxml"

    /// Refuses V3000; RXN and ChemDraw files go through another program, which makes all atoms one.
    private static let avogadro = KnownProgram(
        [
            Reading(molfile, versions: ["V2000"]),
            Reading(sdfile, versions: ["V2000"], showsFirstOnly: true),
        ], isSpatial: true)

    /// Goes by the extension; records become states.
    private static let pymol = KnownProgram(
        [Reading(molfile, readsGzip: true), Reading(sdfile, readsGzip: true)], isSpatial: true)

    /// Goes by content, and adds hydrogens to V3000 and to drawings. It shows the molecules of a drawn reaction alone.
    private static let jmol = KnownProgram(
        [
            Reading(molfile, readsGzip: true),
            Reading(sdfile, readsGzip: true),
            Reading(cdx, showsReactions: false),
            Reading(cdxml, showsReactions: false),
        ], needsPlainNames: true, isSpatial: true)

    /// Takes every file for a protein unless it is told otherwise.
    private static let rasmol = KnownProgram(
        [
            Reading(molfile, versions: ["V2000"], readsGzip: true),
            Reading(sdfile, versions: ["V2000"], showsFirstOnly: true, readsGzip: true),
        ], exec: "rasmol-gtk -mdl %f", isSpatial: true)

    /// Comes up empty with CDX, shows the first molecule of a drawing, and draws those of a reaction on top of one another.
    private static let xdrawchem = KnownProgram([
        Reading(molfile, readsGzip: true),
        Reading(cdxml, showsFirstOnly: true, showsReactions: false),
        Reading(sdfile, showsFirstOnly: true, readsGzip: true),
    ])

    /// Crashes on all types, opens none from its command line, or shows an empty window.
    private static let nothing = KnownProgram([])

    /// The facts about programs, by the ids of their entries.
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
