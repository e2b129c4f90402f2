import Chemopen
import ChemopenConfinement

extension Command {
    /// Restricts the process to the files that its arguments name, before it reads them. If an argument is an address, the
    /// process is not restricted, because a helper program must download the file and store it.
    static func confine(_ words: [LocalPath], _ arguments: Arguments, on terminal: Terminal) {
        guard isConfined, !words.contains(where: Address.begins) else { return }
        var confinement = Confinement()
        let named = words.flatMap { word in
            // The value in --option=FILE, too.
            [word]
                + word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1).dropFirst().map {
                    LocalPath(bytes: Array($0))
                }
        }
        for path in named + arguments.localFiles() { confinement.permit(path.bytes, .read) }
        for path in outputFolders(arguments) { confinement.permit(path.bytes, .write) }
        if let folder = resolvedPath("/proc/self/exe")?.folder {
            for program in [DrawingProgram.name, LayoutProgram.name, InChI.program] {
                confinement.permit(folder.appending(LocalPath(program)).bytes, .run)
            }
        }
        // The pager can be any program.
        if terminal.mayPage {
            for folder in ["/bin", "/usr/bin", "/usr/local/bin"] { confinement.permit(Array(folder.utf8), .run) }
        }
        confinement.apply()
    }
}
