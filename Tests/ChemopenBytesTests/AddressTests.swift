import Testing

@testable import ChemopenBytes

@Suite("Address")
struct AddressTests {
    @Test(
        "an address is split into its parts, and its query is never shown",
        arguments: [
            ("https://example.org/a/kinases.sdf.gz?key=k#x", "https://example.org/a/kinases.sdf.gz", "kinases.sdf.gz"),
            ("HTTPS://Example.ORG:443", "https://example.org/", "index"),
            ("https://example.org:8443/a b", "", ""),
            ("https://example.org/a%20b%2F..%2fc.mol", "https://example.org/a%20b%2F..%2fc.mol", "c.mol"),
            ("https://example.org/..", "https://example.org/..", "index"),
            ("https://example.org/é", "https://example.org/%C3%A9", "__"),
            ("https://[::1]:99/x.mol", "https://[::1]:99/x.mol", "x.mol"),
            ("http://127.0.0.1:8000/-x.mol", "http://127.0.0.1:8000/-x.mol", "x.mol"),
        ])
    func parts(_ word: String, shown: String, name: String) throws {
        let address = try? Address(word)
        #expect(address?.shown ?? "" == shown)
        #expect(address?.fileName.shown ?? "" == name)
    }

    @Test("the query is sent to the server, and the fragment after # is not")
    func query() throws {
        let address = try Address("https://example.org/a?b=c#d")
        #expect(address.text == "https://example.org/a?b=c")
        #expect(address.origin == "https://example.org")
    }

    @Test(
        "an unsupported address is rejected with a message that contains no password",
        arguments: [
            "http://example.org/a", "ftp://example.org/a", "file:///etc/passwd", "https://anna:geheim@example.org/",
            "https://geheim@localhost/", "https:///a", "https://", "https://a:0/", "https://a:65536/", "https://a:/",
            "https://a\\geheim/", "https://a\ngeheim", "https://ä.org/", "https://[::1", "https://a]/", "example.org/a",
        ])
    func refused(_ word: String) {
        let refusal = #expect(throws: Address.Refusal.self) { _ = try Address(word) }
        #expect(refusal?.description.contains("geheim") == false)
    }

    @Test("only names and numbers that are unambiguously local are treated as this machine")
    func ownMachine() throws {
        for host in ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "0.0.0.0", "[::1]"] {
            #expect(try Address("http://\(host)/").isOfThisMachine, "\(host)")
        }
        for host in ["localhost.example.org", "127.0.0.1.nip.io", "10.0.0.1", "1.127.0.0"] {
            #expect(try !Address("https://\(host)/").isOfThisMachine, "\(host)")
        }
    }

    @Test("a redirection stays on https, and a remote address never redirects to this machine")
    func redirections() throws {
        let (far, near) = (try Address("https://example.org/a"), try Address("https://localhost/a"))
        let clear = try Address("http://localhost:8000/a")
        #expect(try far.redirected(to: "https://example.com/b").host == "example.com")
        #expect(try near.redirected(to: "https://127.0.0.1/b").host == "127.0.0.1")
        #expect(try clear.redirected(to: "http://127.0.0.1:9/b").port == 9)
        for next in ["http://localhost/", "https://localhost/", "https://[::1]/", "file:///a", "http://example.com/"] {
            #expect(throws: Address.Refusal.self, "\(next)") { _ = try far.redirected(to: next) }
        }
        #expect(throws: Address.Refusal.self) { _ = try near.redirected(to: "http://localhost/") }
    }
}
