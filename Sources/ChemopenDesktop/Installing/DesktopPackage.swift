import ChemopenBytes

/// The files that register the MIME types and this program with a desktop, by their paths below a data directory.
public struct DesktopPackage: Sendable {
    /// A file of the package.
    public struct File: Sendable {
        /// The path below a data directory such as `/usr/share`.
        public let path: String
        /// The content.
        public let bytes: [UInt8]
        /// Whether the file is executable. Other files are only readable.
        public let isProgram: Bool

        /// Creates a text file.
        public init(path: String, text: String, isProgram: Bool = false) {
            self.path = path
            bytes = Array(text.utf8)
            self.isProgram = isProgram
        }

        /// Creates a binary file.
        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
            isProgram = false
        }

        /// The path of the file in this program's sources. It omits the directories that desktops prescribe, unless
        /// several file managers use the same file name.
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

    /// The types to register.
    public let types: [TypeDescription]
    /// The program as written in entries: a name, or a path if PATH does not contain the program.
    public var program = "chemopen"
    /// Files that are not for desktops, such as the manual page.
    public var additions: [File] = []
    /// The formats that the menu offers for conversion, with the option's value and a readable name.
    public let conversions: [(id: String, name: String)]

    /// The path of the program for the session bus, which does not search PATH.
    public var programPath = "/usr/bin/chemopen"
    /// Programs that receive converted files from this one.
    public var bridges: [ConversionEntry] = []
    /// The rendered icons, computed once because rendering takes a moment.
    private let icons: [File]
    /// Programs to install in the user's or the system's program directory, with their names and bytes.
    public var programs: [(name: LocalPath, bytes: [UInt8])] = []
    /// Whether the package is installed for a single user.
    public var isForUser = false

    /// The ID of the entry that opens files in any suitable program.
    public static let entryID = "chemopen.desktop"
    /// The ID of the viewer's entry.
    public static let viewerID = "chemopen.viewer.desktop"

    /// The name of the viewer on the session bus.
    static let receiverName = "arpa.home.chemopen.viewer"

    /// Entry IDs of earlier releases and their replacements.
    static let formerIDs: [(old: String, new: String)] = []
    /// Files that earlier releases installed below a data directory and that are no longer part of the package.
    static var formerFiles: [String] { formerIDs.map { "applications/" + $0.old } }

    /// Whether an ID belongs to an entry of this program, in this or an earlier release.
    static func isOwnID(_ id: String) -> Bool {
        [entryID, viewerID, "\(receiverName).desktop"].contains(id) || ConversionEntry.isID(id)
            || formerIDs.contains { $0.old == id }
    }

    /// Creates a package.
    ///
    /// - Parameters:
    ///   - types: the types to register.
    ///   - conversions: the formats that the desktop's menu offers for conversion.
    public init(_ types: [TypeDescription], conversions: [(id: String, name: String)]) {
        self.types = types
        self.conversions = conversions
        icons = Self.icons(of: types)
    }

    /// Creates each icon as an SVG, as a 48-pixel PNG, which the icon theme specification requires, and as a symbolic
    /// icon.
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

    /// The files, with paths below a data directory.
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

    /// The AppStream description for software centers. It has an effect only in the system's directories.
    public var metadata: File {
        File(path: "metainfo/chemopen.metainfo.xml", text: appStream)
    }

    /// Whether this program, in this or an earlier release, wrote a file: the content is identical, or it refers to
    /// this program in a way that no other file of that name would.
    func isOwn(_ bytes: [UInt8], _ path: LocalPath) -> Bool {
        let same = (files + additions + [metadata]).first { path.hasSuffix("/\($0.path)") }
        if let same, same.bytes == bytes { return true }
        if FileManagerMenus.isOwn(bytes, path.shown) { return true }
        if path.hasSuffix(".desktop") || path.hasSuffix(".thumbnailer") {
            let group = KeyFile(bytes).groups.first
            return group?.string("TryExec").map { LocalPath($0).name } == "chemopen"
                || group?.string(ConversionEntry.key) != nil
        }
        return path.hasSuffix("/mime/packages/chemopen.xml") && bytes.starts(with: "<?xml".utf8)
            && String(decoding: bytes, as: UTF8.self).holds("<mime-type type=\"chemical/x-sketchel\">")
    }

    /// Writes all files below a directory, for a package that is installed on other machines.
    ///
    /// - Throws: a `FileError` if a file cannot be written.
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

    /// The actions that the menu of an entry offers in addition to opening.
    private var actions: [(id: String, name: String, words: String)] {
        [("open-with", "Open With…", "open --clicked --choose %F")]
            + conversions.map { ("convert-\($0.id)", "Convert to \($0.name)", "open --clicked --save-as \($0.id) %F") }
    }

    private var actionList: String {
        "Actions=\(actions.map { $0.id + ";" }.joined())\n"
            + actions.map { "\n[Desktop Action \($0.id)]\nName=\($0.name)\nExec=\(command($0.words))\n" }.joined()
    }

    /// `InitialPreference` is set because KDE orders entries of equal preference randomly whenever it builds its index.
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

    /// The viewer as an application that the session bus starts. It claims no types. The viewer's other entry claims
    /// them. Its ID sorts after chemopen's own, because some desktops choose the alphabetically first entry.
    private var receiverEntry: String {
        application("Chemopen Viewer", comment: "View chemical files", "open --clicked --view %F") + """
            NoDisplay=true
            DBusActivatable=true

            """
    }

    /// Returns the common first lines of an entry.
    ///
    /// - Parameters:
    ///   - words: the arguments of this program.
    ///   - tried: the program that must be installed for the entry to be valid; by default, this program.
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

    /// The entry is valid only if its program is installed, and it has the lowest preference.
    private func entry(of bridge: ConversionEntry) -> String {
        application(
            "\(KeyFile.escaped(bridge.name)) (through Chemopen)",
            comment: "Open a copy in a format that the program reads",
            "open --clicked --with \(ExecLine.quoted(bridge.handlerID)) %F", tried: KeyFile.escaped(bridge.program),
            icon: KeyFile.escaped(bridge.icon ?? "chemopen")) + """
                NoDisplay=true
                InitialPreference=0
                MimeType=\(bridge.types.map { $0 + ";" }.joined())
                \(ConversionEntry.key)=\(KeyFile.escaped(bridge.handlerID))

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

    /// Software centers require an ID below a domain. This project has no domain; `home.arpa` is reserved for this
    /// case.
    private static let componentID = "arpa.home.chemopen"

    private var appStream: String {
        var xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <component type="desktop-application">
              <id>\(Self.componentID)</id>
              <metadata_license>CC0-1.0</metadata_license>
              <project_license>Apache-2.0</project_license>
              <name>Chemopen</name>
              <developer id="arpa.home.chemopen">
                <name>The Chemopen authors</name>
              </developer>
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
              <url type="homepage">https://chemopen.example</url>
              <screenshots>
                <screenshot type="default">
                  <caption>The viewer with a file of vitamins</caption>
                  <image type="source" width="1000" height="600">https://chemopen.example/docs/pictures/viewer.png</image>
                </screenshot>
              </screenshots>
              <categories>
                <category>Science</category>
                <category>Chemistry</category>
              </categories>
              <provides>
                <binary>chemopen</binary>

            """
        for type in types { xml += "    <mediatype>\(type.type)</mediatype>\n" }
        // `./package deb` replaces the address with `home` and the releases with those in CHANGELOG.md.
        return xml + """
              </provides>
              <releases>
                <release version="0.1.0" date="2026-11-22"/>
              </releases>
              <content_rating type="oars-1.1"/>
            </component>

            """
    }

    private func command(_ words: String) -> String {
        "\(ExecLine.quoted(program)) \(words)"
    }
}

extension ExecLine {
    /// Quotes an argument for a desktop entry if necessary, with both levels of escaping.
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
