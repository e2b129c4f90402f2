import ChemopenBytes
import Testing

@testable import ChemopenDesktop

@Suite("Surroundings")
struct SurroundingsTests {
    @Test("folders whose names are no UTF-8 are those of the user, too")
    func bytes() {
        let home = Array("/home/jos".utf8) + [0xE9]
        let session = Surroundings(block: [
            Array("HOME=".utf8) + home + [0x2F],
            Array("XDG_DATA_DIRS=".utf8) + home + Array(":relative:/usr/share".utf8),
            Array("DISPLAY=".utf8) + [0xFF],
        ])
        #expect(session.dataHome == LocalPath(bytes: home + Array("/.local/share".utf8)))
        #expect(session.systemDataFolders == [LocalPath(bytes: home), "/usr/share"])
        #expect(session.value("DISPLAY") == nil)
    }
}

@Suite("Desktop entry")
struct DesktopEntryTests {
    private func entry(_ lines: String, locales: [String] = []) throws -> DesktopEntry {
        try DesktopEntry(Array(lines.utf8), id: "org.example.View.desktop", location: "/x.desktop", locales: locales)
    }

    private let start = "[Desktop Entry]\nType=Application\nName=View\n"

    @Test("the name is the one of the closest language")
    func localizedName() throws {
        let text = start + "Name[de]=Schau\nName[de_AT]=Schau her\nName[sr@latin]=Pogled\nExec=view %F\n"
        #expect(try entry(text).name == "View")
        let session = { Surroundings(["LANG": $0]) }
        #expect(try entry(text, locales: session("de_AT.UTF-8").locales).name == "Schau her")
        #expect(try entry(text, locales: session("de_CH.UTF-8").locales).name == "Schau")
        #expect(try entry(text, locales: session("sr_RS@latin").locales).name == "Pogled")
        #expect(try entry(text, locales: session("C.UTF-8").locales).name == "View")
    }

    @Test("a list is cut at semicolons that have no backslash before them")
    func lists() throws {
        let text = start + #"Exec=view"# + "\nMimeType=a/b;c/d;\nActions=x;y\\;z;\n[Desktop Action x]\nName=Do x\n"
        #expect(try entry(text).mimeTypes == ["a/b", "c/d"])
        #expect(try entry(text).actions.map(\.name) == ["Do x"])
    }

    @Test("line ends of other systems, a byte order mark, comments and doubled keys do not disturb")
    func untidy() throws {
        let text =
            "\u{FEFF}# a comment\r\n[Desktop Entry]\r\nType=Application\r\nName=A\r\nName = B\r\nExec=view %F\r\n"
        #expect(try entry(text).name == "B")
    }

    @Test(
        "what is no entry of a program, or is taken back, is none",
        arguments: [
            "", "Name=View\n", "[Desktop Entry]\nType=Link\nName=a\nURL=http://x\n",
            "[Other]\nType=Application\nName=a\nExec=a\n",
            "[Desktop Entry]\nType=Application\nName=a\n", "[Desktop Entry]\nType=Application\nExec=a\n",
            "[Desktop Entry]\nType=Application\nName=a\nExec=a\nHidden=true\n",
            "[Desktop Entry]\nType=Application\nName=a\nExec=a\nnonsense\n",
        ])
    func refused(_ text: String) {
        #expect(throws: EntryError.self) { try entry(text) }
    }

    @Test("a program whose TryExec is missing is not there")
    func tryExec() throws {
        let session = Surroundings(["PATH": "/usr/bin:/bin"])
        let missing = try entry(start + "Exec=sh\nTryExec=no-such-program\n")
        #expect(throws: EntryError.self) { try missing.checkUsable(in: session) }
        #expect(try entry(start + "Exec=sh\nTryExec=sh\n").program(in: session).hasSuffix("/sh"))
    }

    @Test("folders of PATH that depend on where one stands are not searched")
    func relativePath() {
        #expect(Surroundings(["PATH": ".:bin::/nowhere"]).program("sh") == nil)
    }

    @Test("a program on the bus is asked with the addresses of the files, and started where that fails")
    func bus() throws {
        let session = Surroundings(["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
        let handler = Handler(try entry(start + "Exec=sh %U\nDBusActivatable=true\n"))
        let launch = try Launch(handler, on: [LocalPath("/it's a.mol")], in: session)
        #expect(launch.commands.map(\.words) == [["sh", "/it's a.mol"]])
        if let command = launch.busCommand {
            #expect(
                command.words.suffix(5) == [
                    "/org/example/View", "--method", "org.freedesktop.Application.Open", "['file:///it%27s%20a.mol']",
                    "@a{sv} {}",
                ])
            #expect(command.words.contains("org.example.View"))
        }
    }

    @Test("a program without windows is started in a terminal's window, or in the terminal that is there")
    func terminal() throws {
        let handler = Handler(try entry(start + "Exec=sh %f\nTerminal=true\n"))
        let session = Surroundings(["PATH": "/usr/bin:/bin"])
        let here = try Launch(handler, on: [LocalPath("/a.mol")], in: session, hasTerminal: true)
        #expect(here.commands.map(\.words) == [["sh", "/a.mol"]])
        #expect(here.isInThisTerminal)
        if let there = try? Launch(handler, on: [LocalPath("/a.mol")], in: session) {
            #expect(there.commands[0].words.suffix(2) == ["sh", "/a.mol"])
            #expect(there.commands[0].words.count > 2)
        }
    }

    @Test("the program runs in the folder that it names, and else at home, never beside the file")
    func folder() throws {
        let session = Surroundings(["PATH": "/usr/bin:/bin", "HOME": "/usr"])
        #expect(
            try Launch(Handler(try entry(start + "Exec=sh %f\n")), on: [LocalPath("/etc/a")], in: session).folder
                == "/usr")
        #expect(try Launch(Handler(try entry(start + "Exec=sh %f\nPath=/var\n")), on: [], in: session).folder == "/var")
    }
}
