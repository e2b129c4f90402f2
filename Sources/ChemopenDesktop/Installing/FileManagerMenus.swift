import ChemopenBytes

/// Menu entries of file managers for actions other than opening: editing, conversion, copying structures to the
/// clipboard, and a sheet of pictures.
///
/// Each file manager reads a separate directory for these entries, so no files of other programs have to be changed.
struct FileManagerMenus {
    /// The program as written in entries.
    let program: String
    /// The MIME types of the files that have the menus.
    let types: [String]
    /// Whether the menus are for one user. Nautilus supports scripts only per user and extensions only for all users.
    let isForUser: Bool

    private struct Action {
        let id: String
        let name: String
        /// The options of `chemopen open`.
        let words: String
    }

    private static let actions = [
        Action(id: "edit", name: "Edit in…", words: "--edit-in ask"),
        Action(id: "convert", name: "Convert to…", words: "--save-as ask"),
        Action(id: "copy", name: "Copy as…", words: "--copy-as ask"),
        Action(id: "sheet", name: "Thumbnail sheet", words: "--sheet"),
    ]

    var files: [DesktopPackage.File] {
        let actions = Self.actions
        return [dolphin] + actions.map(thunar) + actions.map(pcmanfm)
            + (isForUser ? actions.map(nautilusScript) : [nautilusExtension])
    }

    /// The directories that identify files of earlier installations.
    private static let folders = ["kio/servicemenus/", "Thunar/sendto/", "file-manager/actions/", "nautilus"]

    /// Whether a file in one of the menu directories was written by this program, in any release.
    static func isOwn(_ bytes: [UInt8], _ path: String) -> Bool {
        guard folders.contains(where: { path.holds("/" + $0) }) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.holds(" open --clicked --") || text.holds("class ChemopenMenu(")
    }

    private func command(_ action: Action) -> String {
        "\(ExecLine.quoted(program)) open --clicked \(action.words) %F"
    }

    private var typeList: String { types.map { $0 + ";" }.joined() }

    /// KDE requires service menus in a user's own directory to be executable.
    private var dolphin: DesktopPackage.File {
        let text = """
            [Desktop Entry]
            Type=Service
            Name=Chemopen
            ServiceTypes=KonqPopupMenu/Plugin
            X-KDE-ServiceTypes=KonqPopupMenu/Plugin
            X-KDE-Submenu=Chemopen
            Icon=chemopen
            MimeType=\(typeList)
            Actions=\(Self.actions.map { $0.id + ";" }.joined())

            """
        let menu = Self.actions.map {
            "\n[Desktop Action \($0.id)]\nName=\($0.name)\nIcon=chemopen\nExec=\(command($0))\n"
        }
        return DesktopPackage.File(
            path: "kio/servicemenus/chemopen.desktop", text: text + menu.joined(), isProgram: isForUser)
    }

    /// An entry in Thunar's menu “Send To”.
    private func thunar(_ action: Action) -> DesktopPackage.File {
        let text = """
            [Desktop Entry]
            Version=1.1
            Type=Application
            Name=\(action.name)
            Exec=\(command(action))
            Icon=chemopen
            Terminal=false
            NoDisplay=true
            MimeType=\(typeList)

            """
        return DesktopPackage.File(path: "Thunar/sendto/chemopen-\(action.id).desktop", text: text)
    }

    /// An action as defined by the DES-EMA specification, which PCManFM and Caja support.
    private func pcmanfm(_ action: Action) -> DesktopPackage.File {
        let text = """
            [Desktop Entry]
            Type=Action
            Name=\(action.name)
            Icon=chemopen
            Profiles=chemical;

            [X-Action-Profile chemical]
            Name=\(action.name)
            Exec=\(command(action))
            MimeTypes=\(typeList)
            SelectionCount=>0

            """
        return DesktopPackage.File(path: "file-manager/actions/chemopen-\(action.id).desktop", text: text)
    }

    /// A program in Nautilus' menu “Scripts”.
    private func nautilusScript(_ action: Action) -> DesktopPackage.File {
        let quoted = program.inSingleQuotes
        let text = "#!/bin/sh\nexec \(quoted) open --clicked \(action.words) -- \"$@\"\n"
        return DesktopPackage.File(path: "nautilus/scripts/Chemopen/\(action.name)", text: text, isProgram: true)
    }

    /// A system-wide Nautilus extension. It must be in Python and requires the package `python3-nautilus`.
    private var nautilusExtension: DesktopPackage.File {
        let actions = Self.actions.map { "    (\"\($0.id)\", \"\($0.name)\", \(Self.pythonList($0.words))),\n" }
            .joined()
        let text = """
            \"\"\"Chemopen in the menus of Nautilus, for chemical files.\"\"\"

            import subprocess

            from gi.repository import GObject, Nautilus

            TYPES = {
            \(types.map { "    \"\($0)\",\n" }.joined())}
            ACTIONS = [
            \(actions)]


            class ChemopenMenu(GObject.GObject, Nautilus.MenuProvider):
                def get_file_items(self, *arguments):
                    files = arguments[-1]
                    if not files or any(file.get_mime_type() not in TYPES for file in files):
                        return []
                    items = []
                    for name, label, words in ACTIONS:
                        item = Nautilus.MenuItem(name="Chemopen::" + name, label=label)
                        item.connect("activate", self.start, words, [file.get_uri() for file in files])
                        items.append(item)
                    return items

                def start(self, item, words, files):
                    subprocess.Popen(["\(Self.escaped(program))", "open", "--clicked", *words, "--", *files])

            """
        return DesktopPackage.File(path: "nautilus-python/extensions/chemopen.py", text: text)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingEach("\\", by: "\\\\").replacingEach("\"", by: "\\\"")
    }

    private static func pythonList(_ words: String) -> String {
        "[" + words.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}
