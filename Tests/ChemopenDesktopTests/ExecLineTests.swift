import ChemopenBytes
import Testing

@testable import ChemopenDesktop

@Suite("Exec line of a desktop entry")
struct ExecLineTests {
    private func commands(_ exec: String, _ files: String..., icon: String? = "shape") throws -> [[String]] {
        try ExecLine(exec).commands(
            for: files.map { LocalPath($0) }, name: "Mol View", icon: icon, location: "/a/view.desktop"
        ).map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test("a field code is replaced with separate arguments, which are not expanded again")
    func codes() throws {
        #expect(try commands("view %f", "/a b.mol") == [["view", "/a b.mol"]])
        #expect(try commands("view %F", "/%f.mol", "/$(id);`id`.mol") == [["view", "/%f.mol", "/$(id);`id`.mol"]])
        #expect(try commands("view %U", "/a.mol", "/b.mol") == [["view", "/a.mol", "/b.mol"]])
        #expect(
            try commands("view %i %c %k %F", "/a") == [
                ["view", "--icon", "shape", "Mol View", "/a/view.desktop", "/a"]
            ])
        #expect(try commands("view %i %F", "/a", icon: nil) == [["view", "/a"]])
        #expect(try commands("view --file=%f", "/a b") == [["view", "--file=/a b"]])
        #expect(try commands("view 100%% %f", "/a") == [["view", "100%", "/a"]])
    }

    @Test("a program that accepts one file is started once for each file")
    func oneFileEach() throws {
        #expect(try commands("view %f", "/a", "/b") == [["view", "/a"], ["view", "/b"]])
        #expect(try commands("view %u", "/a", "/b") == [["view", "/a"], ["view", "/b"]])
    }

    @Test("a line without a file code gets the files at its end")
    func noPlace() throws {
        #expect(try commands("view -x", "/a") == [["view", "-x", "/a"]])
    }

    @Test("deprecated field codes are removed")
    func oldCodes() throws {
        #expect(try commands("view %d %n %v %m %f", "/a") == [["view", "/a"]])
    }

    @Test("without files, the file codes are removed")
    func noFiles() throws {
        #expect(try commands("view %F") == [["view"]])
        #expect(try commands("view %u") == [["view"]])
    }

    @Test("quotes group an argument, and a backslash escapes four characters")
    func quotes() throws {
        #expect(
            try commands(#""/opt/a b/view" "x \"y\" \$HOME \\ \`z\`" %F"#, "/a") == [
                ["/opt/a b/view", #"x "y" $HOME \ `z`"#, "/a"]
            ])
        #expect(try commands("view 'a $b' %F", "/a") == [["view", "a $b", "/a"]])
        #expect(try commands(#"view "" %F"#, "/a") == [["view", "", "/a"]])
    }

    @Test(
        "a malformed line, or a line that needs a shell, is rejected",
        arguments: [
            "", "   ", "view \"%f\"", "sh -c \"view %f\"", "view \"a", "view 'a", "view %x", "view %", "view %f %F",
            "view a;touch b", "view | cat", "view & touch b", "view > b", "view $HOME", "view \"a\"b", "view x%F",
            "A=b view %f", "./view %f", "bin/view %f", "%f view", "\"\" %f",
        ])
    func refused(_ exec: String) {
        #expect(throws: EntryError.self) { try ExecLine(exec) }
    }

    @Test("a line that is too long is rejected")
    func long() throws {
        #expect(throws: EntryError.self) { try ExecLine("view " + String(repeating: "a", count: 64 * 1024)) }
    }

    @Test(
        "a program path written to an entry is read back unchanged",
        arguments: ["/usr/bin/view", "/opt/my view/x", #"/a"b/$c`d\e"#, "/100%/x"])
    func quoting(_ path: String) throws {
        let file = "[Desktop Entry]\nType=Application\nName=x\nExec=\(ExecLine.quoted(path)) open %F\n"
        let entry = try DesktopEntry(Array(file.utf8), id: "x.desktop", location: "/x.desktop")
        #expect(try entry.exec?.get().program == path)
    }
}
