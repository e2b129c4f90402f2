import Testing

@testable import ChemopenBytes

private let vocabulary = XMLVocabulary(["page", "n", "id", "p", "Z", "BoundingBox", "ShowTerminalCarbonLabels"])

/// Returns the tokens of a file, or `nil` if it is not plain: `2 <n id="1"` is an element that starts in line 2, and
/// `>` is its end.
private func plain(_ text: [UInt8]) -> [String]? {
    var scan = PlainXML(of: text.span, knowing: vocabulary)
    var tokens: [String] = []
    while let token = scan.next(text.span) {
        switch token {
        case .start:
            let attributes = scan.attributes.span.extracting(0..<scan.attributeCount)
            let line = 1 + text[..<scan.lineStart].count { $0 == 0x0A }
            tokens.append(start(scan.name, line, attributes, text.span, scan.names))
        case .text: tokens.append(scan.text.withText(in: text.span) { string($0) })
        case .end: tokens.append(">")
        }
    }
    return scan.isWhole ? tokens : nil
}

/// Returns the same tokens from the parser, or `nil` if it rejects the file.
private func parsed(_ text: [UInt8]) -> [String]? {
    var parser = XMLParser(knowing: vocabulary)
    parser.push(text.span)
    parser.push(text.span.extracting(0..<0))
    return parser.failure == nil ? tokens(of: parser.events) : nil
}

private func tokens(of events: borrowing XMLEvents) -> [String] {
    let list = events.list.span
    var tokens: [String] = []
    for place in list.indices {
        let event = list[place]
        switch event.kind {
        case .start:
            var end = place + 1
            while end < list.count, list[end].isAttribute { end += 1 }
            let attributes = list.extracting(place + 1..<end)
            tokens.append(start(event.name, Int(event.line), attributes, events.text.span, events.names))
        case .attribute: break
        case .text: tokens.append(event.withText(in: events.text.span) { string($0) })
        case .end: tokens.append(">")
        }
    }
    return tokens
}

private func start(
    _ name: Int32, _ line: Int, _ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames
) -> String {
    var token = "\(line) <\(String(decoding: names[Int(name)], as: UTF8.self))"
    for place in attributes.indices {
        let name = String(decoding: names[Int(attributes[place].name)], as: UTF8.self)
        token += " \(name)=\"\(attributes[place].withText(in: text) { string($0) })\""
    }
    return token
}

private func string(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.bytes(0..<bytes.count), as: UTF8.self)
}

@Suite("XML with and without a parser")
struct PlainXMLTests {
    @Test(
        "plain XML is read with the same result as by the parser",
        arguments: [
            ("<n/>", ["1 <n", ">"]),
            ("<n></n>\r\n \t", ["1 <n", ">"]),
            ("\n <n ></n>", ["2 <n", ">"]),
            ("<?xml version=\"1.0\"?>\n<n/>", ["2 <n", ">"]),
            ("<?xml version='1.0' encoding='utf-8' ?><n/>", ["1 <n", ">"]),
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE n>\n<n/>", ["3 <n", ">"]),
            ("<!DOCTYPE n SYSTEM \"http://a.b/c.dtd\" >\n<n/>", ["2 <n", ">"]),
            ("<page><n id=\"1\"/>\n<n id='2'/></page>", ["1 <page", "1 <n id=\"1\"", ">", "2 <n id=\"2\"", ">", ">"]),
            ("<n\n id=\"1\"\r\n p=\"2 3\"\tZ=\"\"\n>\n</n>", ["4 <n id=\"1\" p=\"2 3\" Z=\"\"", "\n", ">"]),
            ("<n p=\"'\" Z='\"' q='>'/>", ["1 <n p=\"'\" Z=\"\"\" q=\">\"", ">"]),
            ("<n p=\"a\nb\r\nc\rd\te  f\"/>", ["3 <n p=\"a b c d e  f\"", ">"]),
            ("<n p='a\nb\r\nc\rd\te'/>", ["3 <n p=\"a b c d e\"", ">"]),
            ("<n p=\"&lt;&gt;&amp;&quot;&apos;&amp;#38;\"/>", ["1 <n p=\"<>&\"'&#38;\"", ">"]),
            ("<n p=\"&#65;&#x3bb;&#x1F600;&#10;&#13;&#9;&#38;\"/>", ["1 <n p=\"Aλ😀\n\r\t&\"", ">"]),
            ("<n>&lt;a&gt; &amp;amp; &#x41;&#13;\r\nb\rc]]&gt;]</n>", ["1 <n", "<a> &amp; A\r\nb\nc]]>]", ">"]),
            ("<n> é 😀 > ] </n>", ["1 <n", " é 😀 > ] ", ">"]),
            ("<n>\u{FEFF}a\u{FFFD}\u{FF21}</n>", ["1 <n", "\u{FEFF}a\u{FFFD}\u{FF21}", ">"]),
            ("<n p=\"é\"> </n>", ["1 <n p=\"é\"", " ", ">"]),
            ("<n>a<Z/> \n</n>", ["1 <n", "a", "1 <Z", ">", ">"]),
            ("<n><![CDATA[]]></n>", ["1 <n", "", ">"]),
            ("<n\n><![CDATA[a]]]></n>\n", ["2 <n", "a]", ">"]),
            ("<page><n><![CDATA[<&]>\té\n]]></n><n/></page>", ["1 <page", "1 <n", "<&]>\té\n", ">", "2 <n", ">", ">"]),
            ("<Own_1.a-b own_1.a-b=\"1\" Own=\"2\"/>", ["1 <Own_1.a-b own_1.a-b=\"1\" Own=\"2\"", ">"]),
            (
                "<n ShowTerminalCarbonLabels=\"a\" ShowTerminalXarbonLabels=\"b\" ShowTerminalLabels=\"c\"/>",
                ["1 <n ShowTerminalCarbonLabels=\"a\" ShowTerminalXarbonLabels=\"b\" ShowTerminalLabels=\"c\"", ">"]
            ),
            (
                "<n BoundingBox=\"a\" BoundingBax=\"b\" BoundingBo=\"c\" i=\"d\"/>  ",
                ["1 <n BoundingBox=\"a\" BoundingBax=\"b\" BoundingBo=\"c\" i=\"d\"", ">"]
            ),
        ])
    func meaning(_ text: String, _ tokens: [String]) {
        // As in a file, a line end always follows the last tag.
        let bytes = Array((text + "\n        ").utf8)
        #expect(plain(bytes) == tokens)
        #expect(parsed(bytes) == tokens)
    }

    @Test(
        "other valid or invalid XML is left to the parser",
        arguments: [
            "", " ", "n", "<", "<n", "<n>", "<n", "<n/><n/>", "<n/>x", "<n></p>", "<n></n", "</n>", "<n></nn>",
            "<n></n >", "<page><n></page></n>", "<>", "< n/>", "<n / >", "<n /x>", "<1/>", "<-n/>", "<é/>", "<a:n/>",
            "<n a:p=\"1\"/>", "<n xmlns=\"u\"/>", "<n xmlns:a=\"u\"/>", "<n xml:space=\"preserve\"/>",
            "<n id=\"1\" id=\"1\"/>", "<n own=\"1\" p=\"\" own=\"1\"/>", "<n id=1/>", "<n id/>",
            "<n id=\"1\"p=\"2\"/>", "<n id =\"1\"/>", "<n id= \"1\"/>", "<n =\"1\"/>", "<n é=\"1\"/>", "<n 1=\"1\"/>",
            "<n id=\"1/>", "<n id='1\"/>", "<n p=\"<\"/>", "<n p='<'/>", "<n p=\"\u{1}\"/>", "<n p='\u{1}'/>",
            "<n\u{1}/>", "<n\0/>", "<n id\0=\"1\"/>", "<n>\u{1}</n>", "<n>\u{FFFE}</n>", "<n p=\"\u{FFFF}\"/>",
            "\u{FEFF}<n/>", "<n p=\"&\"/>", "<n p=\"&lt\"/>", "<n p=\"&x;\"/>", "<n>&x;</n>",
            "<n>&</n>", "<n>&#;</n>", "<n>&#x;</n>", "<n>&#x0;</n>", "<n>&#11;</n>", "<n>&#xD800;</n>",
            "<n>&#xFFFE;</n>", "<n>&#x110000;</n>", "<n>&#12345678;</n>", "<n>&#6A;</n>", "<n>&#X41;</n>",
            "<n>&# 65;</n>", "<n>a]]>b</n>", "<n>a><![CDATA[a]]></n>", "<n><![CDATA[a]]>b</n>",
            "<n><![CDATA[a\r]]></n>",
            "<n><![CDATA[\u{1}]]></n>", "<n><![CDATA[a]]><![CDATA[b]]></n>", "<n><![CDATA[a]]><p/></n>",
            "<n><![CDATA[a]]",
            "<page><n/><![CDATA[a]]></page>", "<n><![cdata[a]]></n>", "<![CDATA[a]]>", "<n/><![CDATA[a]]>",
            "<n><!-- a --></n>", "<n><?a b?></n>",
            "<!-- a --><n/>", "<?a b?><n/>", "<n/><!-- a -->", "<n/><?a b?>", "<page><n/>a</page>",
            "<page><n/> a</page>", "<page><n/>&#32;</page>", " <?xml version=\"1.0\"?><n/>",
            "<?xml version=\"1.1\"?><n/>", "<?xml?><n/>", "<?xml encoding=\"UTF-8\"?><n/>",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><n/>", "<?xml version=\"1.0\"encoding=\"UTF-8\"?><n/>",
            "<?xml version=\"1.0\" standalone=\"no\"?><n/>", "<?xml version=\"1.0\"?<n/>", "<!DOCTYPE n []><n/>",
            "<!DOCTYPE n [<!ENTITY a \"b\">]><n/>", "<!DOCTYPE n PUBLIC \"a\" \"b\"><n/>", "<!DOCTYPE n SYSTEM><n/>",
            "<!DOCTYPE n SYSTEM\"a\"><n/>", "<!DOCTYPE n SYSTEM \"a><n/>", "<!DOCTYPE n SYSTEM \"[\"><n/>",
            "<!DOCTYPE><n/>", "<!DOCTYPE n:n><n/>", "<!doctype n><n/>", "<!DOCTYPE n", "<!DOCTYPE n><!DOCTYPE n><n/>",
        ])
    func leaving(_ text: String) {
        #expect(plain(Array((text + "\n        ").utf8)) == nil)
    }

    @Test("invalid UTF-8, deep nesting, many attributes and long gaps are left to the parser")
    func bounds() {
        let ending = Array("\n        ".utf8)
        #expect(plain(Array("<n>".utf8) + [0xE9] + Array("</n>".utf8) + ending) == nil)
        #expect(plain(Array("<n p=\"".utf8) + [0xC3] + Array("\"/>".utf8) + ending) == nil)
        for (depth, isPlain) in [(200, true), (201, false)] {
            let text = String(repeating: "<n>", count: depth) + String(repeating: "</n>", count: depth)
            #expect((plain(Array(text.utf8)) != nil) == isPlain)
        }
        for (count, isPlain) in [(128, true), (129, false)] {
            let text = "<n" + (0..<count).map { " a\($0)=\"\"" }.joined() + "/>        "
            #expect((plain(Array(text.utf8)) != nil) == isPlain)
        }
        for (length, isPlain) in [(63, true), (64, false)] {
            let text = "<page><n/>" + String(repeating: " ", count: length) + "</page>"
            #expect((plain(Array(text.utf8)) != nil) == isPlain)
        }
    }

    @Test("a truncated file is not plain")
    func cut() {
        let text = Array("<page id=\"1\">\n<n p=\"&lt;\">a&amp;b</n></page>".utf8)
        #expect(plain(text) != nil)
        for length in 0..<text.count { #expect(plain(Array(text[..<length])) == nil) }
    }

    @Test("plain files that are randomly assembled are read with the same result as by the parser")
    func chance() {
        let pieces = [
            "<n", "<n>", "<n/>", "</n>", "<page>", "</page>", "/>", ">", "<", " id=\"1\"", " id='1'", " p=\"\"",
            " Z=\"&#10;\"", " Own=\"a\"", " own='\"'", "\"", "'", "=", "&", "&lt;", "&amp;", "&#65;", "&#xFFFF;",
            "]]>", "]", "a", "é", "\r", "\n", "\r\n", "\t", " ", "\u{1}", "\0", "\u{FFFE}", ":", "<!-- -->",
            "<![CDATA[a]]>", "<![CDATA[]]>", "<![CDATA[", "]]></",
            "<?a?>", "/", "!",
        ]
        let whole =
            "<?xml version=\"1.0\"?>\n<page id=\"1\"\n p=\"a\">\n<n id=\"2\"/><n>b</n>\n<n Z='c'> </n><n><![CDATA[d]]></n></page>\n"
        var chance: UInt64 = 1
        func number(below bound: Int) -> Int {
            chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(chance >> 33) % bound
        }
        var count = 0
        for _ in 0..<12000 {
            var text = Array(whole.utf8)
            for _ in 0...number(below: 2) {
                let place = number(below: text.count)
                let end = number(below: 2) == 0 ? place : min(text.count, place + number(below: 8))
                text.replaceSubrange(place..<end, with: pieces[number(below: pieces.count)].utf8)
            }
            guard let tokens = plain(text) else { continue }
            count += 1
            if tokens != parsed(text) { Issue.record("\(String(decoding: text, as: UTF8.self))") }
        }
        #expect(count > 500)
    }
}
