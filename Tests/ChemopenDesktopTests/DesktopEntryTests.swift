import ChemopenBytes
import Testing

@testable import ChemopenDesktop

@Suite("User session")
struct SurroundingsTests {
    @Test("directories with invalid UTF-8 in their names are supported")
    func bytes() {
        let home = Array("/home/jos".utf8) + [0xE9]
        let session = SessionEnvironment(block: [
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

    @Test("the name is selected by the closest language")
    func localizedName() throws {
        let text = start + "Name[de]=Schau\nName[de_AT]=Schau her\nName[sr@latin]=Pogled\nExec=view %F\n"
        #expect(try entry(text).name == "View")
        let session = { SessionEnvironment(["LANG": $0]) }
        #expect(try entry(text, locales: session("de_AT.UTF-8").locales).name == "Schau her")
        #expect(try entry(text, locales: session("de_CH.UTF-8").locales).name == "Schau")
        #expect(try entry(text, locales: session("sr_RS@latin").locales).name == "Pogled")
        #expect(try entry(text, locales: session("C.UTF-8").locales).name == "View")
    }

    @Test("a list is split at semicolons without a preceding backslash")
    func lists() throws {
        let text = start + #"Exec=view"# + "\nMimeType=a/b;c/d;\nActions=x;y\\;z;\n[Desktop Action x]\nName=Do x\n"
        #expect(try entry(text).mimeTypes == ["a/b", "c/d"])
        #expect(try entry(text).actions.map(\.name) == ["Do x"])
    }

    @Test("other line ends, a byte order mark, comments and duplicate keys are accepted")
    func untidy() throws {
        let text =
            "\u{FEFF}# a comment\r\n[Desktop Entry]\r\nType=Application\r\nName=A\r\nName = B\r\nExec=view %F\r\n"
        #expect(try entry(text).name == "B")
    }

    @Test(
        "a file that is not an application entry, or is marked as hidden, is rejected",
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

    @Test("a program with a missing TryExec is not available")
    func tryExec() throws {
        let session = SessionEnvironment(["PATH": "/usr/bin:/bin"])
        let missing = try entry(start + "Exec=sh\nTryExec=no-such-program\n")
        #expect(throws: EntryError.self) { try missing.checkUsable(in: session) }
        #expect(try entry(start + "Exec=sh\nTryExec=sh\n").program(in: session).hasSuffix("/sh"))
    }

    @Test("relative directories in PATH are not searched")
    func relativePath() {
        #expect(SessionEnvironment(["PATH": ".:bin::/nowhere"]).program("sh") == nil)
    }

    @Test("a D-Bus activated program receives the addresses of the files, and is started directly if that fails")
    func bus() throws {
        let session = SessionEnvironment(["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
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

    @Test("a terminal program runs in the current terminal, or in a new terminal window")
    func terminal() throws {
        let handler = Handler(try entry(start + "Exec=sh %f\nTerminal=true\n"))
        let session = SessionEnvironment(["PATH": "/usr/bin:/bin"])
        let here = try Launch(handler, on: [LocalPath("/a.mol")], in: session, hasTerminal: true)
        #expect(here.commands.map(\.words) == [["sh", "/a.mol"]])
        #expect(here.isInThisTerminal)
        if let there = try? Launch(handler, on: [LocalPath("/a.mol")], in: session) {
            #expect(there.commands[0].words.suffix(2) == ["sh", "/a.mol"])
            #expect(there.commands[0].words.count > 2)
        }
    }

    @Test("the program runs in the directory in its entry or in the home directory, never in that of the file")
    func folder() throws {
        let session = SessionEnvironment(["PATH": "/usr/bin:/bin", "HOME": "/usr"])
        #expect(
            try Launch(Handler(try entry(start + "Exec=sh %f\n")), on: [LocalPath("/etc/a")], in: session).folder
                == "/usr")
        #expect(try Launch(Handler(try entry(start + "Exec=sh %f\nPath=/var\n")), on: [], in: session).folder == "/var")
    }
}
