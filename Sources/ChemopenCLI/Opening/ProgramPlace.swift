import Chemopen

/// The location of this program for desktop entries.
///
/// A program that runs from its build directory is copied to the user's program directory, because the build directory
/// is not permanent.
struct ProgramPlace {
    /// The path used to start the program.
    let path: LocalPath
    /// The program in the form used by desktop entries: its name or its path; `nil` if that is not UTF-8.
    let name: String?
    /// The programs to copy to the directory of the path.
    let copied: [LocalPath]

    private static let siblings: [LocalPath] = [
        "chemopen", "chemopen-view", "chemopen-draw", "chemopen-fetch", "chemopen-clip",
        "chemopen-layout",
    ]

    /// Determines the location. Fails if the running program cannot be found.
    init?(for target: InstallationTarget, in session: SessionEnvironment) {
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
