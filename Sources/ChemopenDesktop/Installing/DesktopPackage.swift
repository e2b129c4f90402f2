import ChemopenBytes

/// All that a desktop has to be given to know the types and this program: files, by their paths below a folder of data.
public struct DesktopPackage: Sendable {
    /// A file of the package.
    public struct File: Sendable {
        /// Below a folder of data, such as `/usr/share`.
        public let path: String
        /// The content.
        public let bytes: [UInt8]
        /// Programs may be started, and others only read.
        public let isProgram: Bool

        /// A file at a place below a folder of data.
        public init(path: String, text: String, isProgram: Bool = false) {
            self.path = path
            bytes = Array(text.utf8)
            self.isProgram = isProgram
        }

        /// A file that is no text.
        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
            isProgram = false
        }

        /// Where the file lies among the sources of the program: without the folders that desktops prescribe, but for
        /// what several file managers have under one name.
        public var sourceName: String {
            let name = LocalPath(path).name.shown
            let folder = path.prefix { $0 != "/" }
            switch folder {
            case "icons":
                let kind = path.split(separator: "/")[2]
                return kind == "scalable" ? "icons/\(name)" : "icons/\(kind)/\(name)"
            case "kio", "Thunar", "file-manager", "nautilus-python": return "menus/\(folder)/\(name)"
            default: return name
            }
        }
    }

    /// The types that the desktop is told of.
    public let types: [TypeDescription]
    /// The program as entries name it: a name, or a path where it is not to be found by its name.
    public var program = "chemopen"
    /// Files that the program brings besides those for desktops, such as its manual page.
    public var additions: [File] = []
    /// The formats into which the menu offers to convert: the names of the option, and for people.
    public let conversions: [(id: String, name: String)]

    /// Where the program lies, for the session's bus, which looks for no names.
    public var programPath = "/usr/bin/chemopen"
    /// Programs that get files through this one.
    public var bridges: [Bridge] = []
    /// Made once, as pixels take a moment.
    private let icons: [File]
    /// Programs that are put where those of the user, or of the machine, lie: their names and bytes.
    public var programs: [(name: LocalPath, bytes: [UInt8])] = []
    /// The package goes into the folders of one user.
    public var isForUser = false

    /// The id of the entry that opens files in whichever program can take them.
    public static let entryID = "chemopen.desktop"
    /// The id of the entry of the viewer.
    public static let viewerID = "chemopen.viewer.desktop"

    /// The name of the viewer on the session's bus.
    static let receiverName = "arpa.home.chemopen.viewer"

    /// Ids that earlier releases gave to entries, and those that have taken their place.
    static let formerIDs: [(old: String, new: String)] = []
    /// Files that earlier releases put below a folder of data, and that no longer belong to the package.
    static var formerFiles: [String] { formerIDs.map { "applications/" + $0.old } }

    /// Whether an entry of an id is this program's, of this release or an earlier one.
    static func isOwnID(_ id: String) -> Bool {
        [entryID, viewerID, "\(receiverName).desktop"].contains(id) || Bridge.isID(id)
            || formerIDs.contains { $0.old == id }
    }

    /// A package of types, and of formats into which the desktop's menu can convert.
    public init(_ types: [TypeDescription], conversions: [(id: String, name: String)]) {
        self.types = types
        self.conversions = conversions
        icons = Self.icons(of: types)
    }

    /// Each icon in sizes of all kinds, in 48 pixels as the icon theme specification asks for, and in one colour.
    private static func icons(of types: [TypeDescription]) -> [File] {
        let folder = "icons/hicolor"
        var files = [
            File(path: "\(folder)/scalable/apps/chemopen.svg", text: IconPicture.program),
            File(path: "\(folder)/48x48/apps/chemopen.png", bytes: IconPicture.programPNG(size: 48)),
            File(path: "\(folder)/symbolic/apps/chemopen-symbolic.svg", text: IconPicture.symbolicProgram),
        ]
        for type in types {
            let name = type.type.replacingEach("/", by: "-")
            let picture = type.picture
            files += [
                File(path: "\(folder)/scalable/mimetypes/\(name).svg", text: picture.svg),
                File(path: "\(folder)/48x48/mimetypes/\(name).png", bytes: picture.png(size: 48)),
                File(path: "\(folder)/symbolic/mimetypes/\(name)-symbolic.svg", text: picture.symbolic),
            ]
        }
        return files
    }

    /// The files, each with its place below a folder of data.
    public var files: [File] {
        var files = [
            File(path: "mime/packages/chemopen.xml", text: SharedMimeInfo.package(of: types)),
            File(path: "applications/\(Self.entryID)", text: entry),
            File(path: "applications/\(Self.viewerID)", text: viewerEntry),
        ]
        files.append(File(path: "applications/\(Self.receiverName).desktop", text: receiverEntry))
        files.append(File(path: "dbus-1/services/\(Self.receiverName).service", text: receiverService))
        files.append(File(path: "thumbnailers/chemopen.thumbnailer", text: thumbnailer))
        let menus = FileManagerMenus(program: program, types: types.map(\.type), isForUser: isForUser)
        return files + icons + menus.files + bridgeFiles
    }

    var bridgeFiles: [File] {
        bridges.map { File(path: "applications/\($0.id)", text: entry(of: $0)) }
    }

    /// The description for software centres; it counts only in the system's own folders.
    public var metadata: File {
        File(path: "metainfo/chemopen.metainfo.xml", text: appStream)
    }

    /// Whether this program, in this release or an earlier one, has written a file: it says the same, or names the
    /// program as no other file of that name would.
    func isOwn(_ bytes: [UInt8], _ path: LocalPath) -> Bool {
        let same = (files + additions + [metadata]).first { path.hasSuffix("/\($0.path)") }
        if let same, same.bytes == bytes { return true }
        if FileManagerMenus.isOwn(bytes, path.shown) { return true }
        if path.hasSuffix(".desktop") || path.hasSuffix(".thumbnailer") {
            let group = KeyFile(bytes).groups.first
            return group?.string("TryExec").map { LocalPath($0).name } == "chemopen" || group?.string(Bridge.key) != nil
        }
        return path.hasSuffix("/mime/packages/chemopen.xml") && bytes.starts(with: "<?xml".utf8)
            && String(decoding: bytes, as: UTF8.self).holds("<mime-type type=\"chemical/x-sketchel\">")
    }

    /// Writes all files below a folder, for a package that brings them to other machines.
    public func write(below folder: LocalPath) throws(FileError) {
        for file in files + additions + [metadata] {
            let path = folder.appending(LocalPath(file.path))
            try makeFolders(path.folder)
            try writeFile(file.bytes, to: path, replacing: true)
        }
    }

    private var typeList: String {
        types.map { $0.type + ";" }.joined()
    }

    /// The actions that the menu of an entry offers besides opening.
    private var actions: [(id: String, name: String, words: String)] {
        [("open-with", "Open With…", "open --clicked --choose %F")]
            + conversions.map { ("convert-\($0.id)", "Convert to \($0.name)", "open --clicked --save-as \($0.id) %F") }
    }

    private var actionList: String {
        "Actions=\(actions.map { $0.id + ";" }.joined())\n"
            + actions.map { "\n[Desktop Action \($0.id)]\nName=\($0.name)\nExec=\(command($0.words))\n" }.joined()
    }

    /// KDE draws lots among entries of one preference each time it builds its index.
    private var entry: String {
        application(
            "Chemopen", genericName: "Chemical File Opener",
            comment: "Open chemical files in the best application", "open --clicked %F") + """
                Categories=Science;Chemistry;
                Keywords=chemistry;molecule;reaction;structure;
                InitialPreference=5
                MimeType=\(typeList)

                """ + actionList
    }

    private var viewerEntry: String {
        application(
            "Chemopen Viewer", genericName: "Chemical File Viewer", comment: "View a chemical file",
            "open --clicked --view %F") + """
                NoDisplay=true
                InitialPreference=0
                MimeType=\(typeList)

                """ + actionList
    }

    /// The viewer as an application that the session's bus starts. It claims no types: the viewer's other entry does, and
    /// comes behind chemopen's own in the order of the alphabet, by which some desktops choose.
    private var receiverEntry: String {
        application("Chemopen Viewer", comment: "View chemical files", "open --clicked --view %F") + """
            NoDisplay=true
            DBusActivatable=true

            """
    }

    /// The lines that entries begin with.
    ///
    /// - Parameters:
    ///   - words: the words behind this program's name.
    ///   - tried: the program without which the entry does not count; this one where nothing is said.
    private func application(
        _ name: String, genericName: String? = nil, comment: String, _ words: String, tried: String? = nil,
        icon: String = "chemopen"
    ) -> String {
        """
        [Desktop Entry]
        Version=1.1
        Type=Application
        Name=\(name)
        \(genericName.map { "GenericName=\($0)\n" } ?? "")Comment=\(comment)
        Exec=\(command(words))
        TryExec=\(tried ?? program)
        Icon=\(icon)
        Terminal=false

        """
    }

    private var receiverService: String {
        """
        [D-BUS Service]
        Name=\(Self.receiverName)
        Exec=\(ExecLine.quoted(programPath)) view --receive

        """
    }

    /// It counts only as long as its program is there, and comes behind all others.
    private func entry(of bridge: Bridge) -> String {
        application(
            "\(KeyFile.escaped(bridge.name)) (through Chemopen)",
            comment: "Open a copy in a format that the program reads",
            "open --clicked --with \(ExecLine.quoted(bridge.handlerID)) %F", tried: KeyFile.escaped(bridge.program),
            icon: KeyFile.escaped(bridge.icon ?? "chemopen")) + """
                NoDisplay=true
                InitialPreference=0
                MimeType=\(bridge.types.map { $0 + ";" }.joined())
                \(Bridge.key)=\(KeyFile.escaped(bridge.handlerID))

                """
    }

    private var thumbnailer: String {
        """
        [Thumbnailer Entry]
        TryExec=\(program)
        Exec=\(command("thumbnail %i %o %s"))
        MimeType=\(typeList)

        """
    }

    /// Software centres want a name below a domain. This program has none, and `home.arpa` is for those that have none.
    private static let componentID = "arpa.home.chemopen"

    private var appStream: String {
        var xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <component type="desktop-application">
              <id>\(Self.componentID)</id>
              <metadata_license>CC0-1.0</metadata_license>
              <project_license>Apache-2.0</project_license>
              <name>Chemopen</name>
              <summary>Open chemical files in the best application</summary>
              <description>
                <p>
                  Chemopen detects chemical files from their content. It opens them in an application that reads
                  them, and converts them first if necessary. On the command line you can also convert, search,
                  edit and compare them.
                </p>
                <p>Supported formats:</p>
                <ul>

            """
        for type in types where !type.picture.isPacked {
            xml += "      <li>\(SharedMimeInfo.escaped(type.name))</li>\n"
        }
        xml += """
                </ul>
              </description>
              <launchable type="desktop-id">chemopen.desktop</launchable>
              <icon type="stock">chemopen</icon>
              <categories>
                <category>Science</category>
                <category>Chemistry</category>
              </categories>
              <provides>
                <binary>chemopen</binary>

            """
        for type in types { xml += "    <mediatype>\(type.type)</mediatype>\n" }
        return xml + "  </provides>\n  <content_rating type=\"oars-1.1\"/>\n</component>\n"
    }

    private func command(_ words: String) -> String {
        "\(ExecLine.quoted(program)) \(words)"
    }
}

extension ExecLine {
    /// A word as it is written in the file of an entry: quoted where it must be, and escaped twice.
    static func quoted(_ word: String) -> String {
        let reserved = Set(" \t\n\"'\\><~|&;$*?#()`%")
        if !word.contains(where: reserved.contains) { return word }
        var text = ""
        for character in word {
            switch character {
            case "%": text += "%%"
            case "\\": text += "\\\\\\\\"
            case "\"", "`", "$": text += "\\\\\(character)"
            default: text.append(character)
            }
        }
        return "\"\(text)\""
    }
}
