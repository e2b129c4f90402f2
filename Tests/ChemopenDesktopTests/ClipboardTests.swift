import Chemopen
import Foundation
import Testing

/// Copying and pasting on a private X server, with xclip as the other program.
@Suite(
    "The clipboard", .serialized, .enabled(if: Desk.has("Xvfb", "xclip"), "Xvfb or xclip is not installed"))
struct ClipboardTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
        try desk.put(ethanol, at: "files/a.mol")
        try desk.put("#!/bin/sh\nexit 1\n", at: "bin/gdbus", isProgram: true)
    }

    /// Runs shell commands on a private X display; `offered NAME` reads a target with xclip.
    private func onScreen(_ lines: String) throws -> Desk.Outcome {
        let start = """
            Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp -noreset 3>"$DESK/display" >/dev/null 2>&1 & server=$!
            while [ ! -s "$DESK/display" ]; do sleep 0.05; done
            export DISPLAY=:$(cat "$DESK/display")
            offered() { timeout 20 xclip -o -selection clipboard -t "$1"; }
            put() { xclip -i -selection clipboard -t "$1" >/dev/null 2>&1; }

            """
        return try desk.run("/bin/sh", ["-c", start + lines + "\nkill -9 $server; wait $server 2>/dev/null\n"])
    }

    @Test("a copy offers the content under every target name, byte for byte, and can be pasted")
    func copied() throws {
        let outcome = try onScreen(
            """
            chemopen copy a.mol
            offered chemical/x-mdl-molfile | cmp - a.mol && echo own
            offered UTF8_STRING | cmp - a.mol && echo text
            chemopen convert --to el a.mol - 2>/dev/null >a.el
            offered chemical/x-sketchel | cmp - a.el && echo other
            offered 'ChemDraw Interchange Format' | head -c 8; echo
            offered image/png | head -c 4 | tail -c 3; echo
            chemopen paste | cmp - a.mol && echo pasted
            chemopen paste -o el | cmp - a.el && echo converted
            """)
        #expect(
            outcome.lines == ["own", "text", "other", "VjCD0100", "PNG", "pasted", "converted"], "\(outcome.errors)")
    }

    @Test("several megabytes are transferred in both directions, until another program copies")
    func large() throws {
        try desk.put(String(repeating: ethanol + "$$$$\n", count: 8000), at: "files/many.sdf")
        let outcome = try onScreen(
            """
            chemopen copy --records 1-4000 many.sdf 2>/dev/null
            offered chemical/x-mdl-sdfile | grep -c '^[$]'
            put chemical/x-mdl-sdfile <many.sdf
            chemopen paste | cmp - many.sdf && echo pasted
            chemopen paste --list
            """)
        #expect(outcome.lines == ["4000", "pasted", "chemical/x-mdl-sdfile  (MDL SDfile)"], "\(outcome.errors)")
    }

    @Test("pasted content is identified by its bytes, and text that is not a molecule is rejected")
    func content() throws {
        let outcome = try onScreen(
            """
            put chemical/x-cdx <a.mol; chemopen paste | cmp - a.mol && echo molfile
            echo 'OCC ethanol' | put text/plain; chemopen paste -o mol | grep -c V2000
            echo 'Dear Sir or Madam' | put text/plain; chemopen paste; echo $?
            chemopen paste --type chemical/x-none >/dev/null 2>&1; echo $?
            """)
        #expect(outcome.lines == ["molfile", "1", "3", "3"], "\(outcome.errors)")
        #expect(outcome.errors.contains("the clipboard contains no readable chemical data"))
    }

    @Test("the clipboard is pasted to a file of any name in its format, without overwriting")
    func files() throws {
        let outcome = try onScreen(
            """
            chemopen copy a.mol
            name=$(printf 'q\\351 -x.el'); chemopen paste -O "$name"; chemopen paste -O "$name"; echo $?
            chemopen paste -f -O "$name" && head -c 10 "$name"; echo
            """)
        #expect(outcome.lines == ["5", "SketchEl!("], "\(outcome.errors)")
        #expect(outcome.errors.contains("use --force to overwrite"))
    }

    @Test("“Copy as…” copies the records of all files, as text in the selected format")
    func menu() throws {
        try desk.put(ethanolSketch, at: "files/b.el")
        let outcome = try onScreen(
            """
            chemopen open --copy-as sdf a.mol b.el
            offered text/plain | grep -c '^[$]'
            chemopen open --copy-as smi a.mol
            offered text/plain | head -c 3; echo
            offered chemical/x-mdl-molfile | cmp - a.mol && echo whole
            """)
        for line in ["2", "CCO", "whole"] {
            #expect(outcome.lines.contains(line), "\(outcome.output)\(outcome.errors)")
        }
    }

    @Test("a missing clipboard and a missing target are reported")
    func absent() throws {
        let outcome = try desk.chemopen("copy", "a.mol", with: ["DISPLAY": ""])
        #expect(outcome.status == 4)
        #expect(outcome.errors.hasSuffix("an X server or a Wayland compositor\n"), "\(outcome.errors)")
        #expect(try desk.chemopen("paste", with: ["DISPLAY": ""]).status == 4)
        #expect(try onScreen("chemopen paste --list; echo $?").output == "1\n")
    }
}
