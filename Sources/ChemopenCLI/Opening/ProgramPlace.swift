import Chemopen

/// Where a desktop finds this program.
///
/// A program that runs out of the folder in which it was built is copied to where programs of the user lie, since that
/// folder comes and goes, and nothing that is installed points into it.
struct ProgramPlace {
    /// The file by which the program is started.
    let path: LocalPath
    /// The word by which entries call it: its name, or else its path; nothing where that is no text.
    let name: String?
    /// The programs that have to be copied beside the path first.
    let copied: [LocalPath]

    private static let siblings: [LocalPath] = [
        "chemopen", "chemopen-view", "chemopen-draw", "chemopen-fetch", "chemopen-clip",
        "chemopen-layout",
    ]

    /// Nothing where the running program cannot be found.
    init?(for target: InstallationTarget, in session: Surroundings) {
        guard let own = OpenRequest.ownProgram else { return nil }
        let folder = target.programFolder(session)
        if let found = session.program("chemopen"), resolvedPath(found) == own {
            (path, name, copied) = (found, "chemopen", [])
        } else if let folder, Self.isInBuildFolder(own) {
            path = folder.appending("chemopen")
            name = path.text
            let isThere = resolvedPath(path) == own
            copied = isThere ? [] : Self.siblings.map { own.folder.appending($0) }.filter(isExecutableFile)
        } else {
            (path, name, copied) = (own, own.text, [])
        }
    }

    private static func isInBuildFolder(_ program: LocalPath) -> Bool {
        program.bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".build".utf8) }
    }
}
