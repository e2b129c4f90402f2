import ChemopenBytes

/// The entries with which file managers offer more than opening: a copy in another format, the structures on the
/// clipboard, a sheet of pictures.
///
/// Every file manager has a folder of its own for these, so that no file of anybody else is changed.
struct FileManagerMenus {
    /// The program as entries name it.
    let program: String
    /// The MIME types of the files on which the menus appear.
    let types: [String]
    /// The menus are for one user. Nautilus looks for scripts in a user's folder alone, and takes an extension for all.
    let isForUser: Bool

    private struct Action {
        let id: String
        let name: String
        /// The options of `chemopen open`.
        let words: String
    }

    private static let actions = [
        Action(id: "convert", name: "Convert to…", words: "--save-as ask"),
        Action(id: "copy", name: "Copy as…", words: "--copy-as ask"),
        Action(id: "sheet", name: "Thumbnail sheet", words: "--sheet"),
    ]

    var files: [DesktopPackage.File] {
        let actions = Self.actions
        return [dolphin] + actions.map(thunar) + actions.map(pcmanfm)
            + (isForUser ? actions.map(nautilusScript) : [nautilusExtension])
    }

    /// The names of the folders, by which files of former installations are known.
    private static let folders = ["kio/servicemenus/", "Thunar/sendto/", "file-manager/actions/", "nautilus"]

    /// Whether a file at one of the places was written for this program, whichever release wrote it.
    static func isOwn(_ bytes: [UInt8], _ path: String) -> Bool {
        guard folders.contains(where: { path.holds("/" + $0) }) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.holds(" open --clicked --") || text.holds("class ChemopenMenu(")
    }

    private func command(_ action: Action) -> String {
        "\(ExecLine.quoted(program)) open --clicked \(action.words) %F"
    }

    private var typeList: String { types.map { $0 + ";" }.joined() }

    /// KDE starts service menus of a user's own only where they are programs.
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

    /// An entry of Thunar's menu “Send To”.
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

    /// An action by the DES-EMA specification, which PCManFM and Caja follow.
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

    /// For all users Nautilus takes Python alone, where its package `python3-nautilus` is installed.
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
