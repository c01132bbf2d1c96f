import BroadsheetHTTP
import Testing

@Suite("Hosts and origins (RFC 9110 §7.2, RFC 6454)")
struct WebOriginTests {
    @Test(
        "A host is a name without case and final dot, or an address",
        arguments: [
            ("localhost", "localhost", false), ("LocalHost.", "localhost", false),
            ("a_b-1.example", "a_b-1.example", false), ("127.0.0.1", "127.0.0.1", true),
            ("[::1]", "[::1]", true), ("[::FFFF:1.2.3.4]", "[::ffff:1.2.3.4]", true),
            ("127.1", "127.1", false), ("2130706433", "2130706433", false),
            ("127.0.0.1.example", "127.0.0.1.example", false), ("1.2.3.256", "1.2.3.256", false),
        ])
    func host(text: String, host: String, isAddress: Bool) throws {
        let read = try #require(HostName(text))
        #expect(read.text == host)
        #expect(read.isAddress == isAddress)
    }

    @Test(
        "Any other text is not a host",
        arguments: [
            "", ".", "a..", "[::1]..", "a b", "a/b", "a:80", "[v1.x]", "[::1", "::1", "[]",
            "[1.2.3.4]", "%6c", "é",
            "a@b", "*", "a,b", "localhost\u{0}", String(repeating: "a", count: 256),
        ])
    func notHost(text: String) {
        #expect(HostName(text) == nil)
    }

    @Test(
        "The usual ports count as none, because a proxy may have changed them",
        arguments: [
            ("a", nil), ("a:", nil), ("a:80", nil), ("a:443", nil), ("a:8080", 8080),
            ("[::1]:81", 81), ("127.0.0.1:65535", 65535),
        ] as [(String, UInt16?)])
    func port(text: String, port: UInt16?) throws {
        #expect(try #require(HostAndPort(text)).port == port)
    }

    @Test(
        "Any other text is not a host with a port",
        arguments: ["", ":80", "a:65536", "a:-1", "a:b", "a:80:80", "::1", "a:8 0"])
    func notHostAndPort(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    @Test("An origin is a scheme, a host, and a port; it is equal in any case")
    func origin() throws {
        let origin = try #require(WebOrigin("HTTPS://Shop.Example:8443"))
        #expect(origin == WebOrigin("https://shop.example:8443"))
        #expect(origin.description == "https://shop.example:8443")
        #expect(WebOrigin("https://a:443") == WebOrigin("https://a"))
        #expect(WebOrigin("https://a") != WebOrigin("http://a"))
        #expect(WebOrigin("https://a") != WebOrigin("https://a:1"))
        #expect(WebOrigin("capacitor://localhost") != nil)
    }

    @Test(
        "Any other text is not an origin",
        arguments: [
            "null", "", "https://", "://a", "a", "https:/a", "https://a/", "https://a/b",
            "https://a?b", "https://u@a", "https://a b", "https://a, https://b", "1https://a",
            "https://a\u{0}", "https://*.example", "*", "https://https://a",
        ])
    func notOrigin(text: String) {
        #expect(WebOrigin(text) == nil)
    }
}
