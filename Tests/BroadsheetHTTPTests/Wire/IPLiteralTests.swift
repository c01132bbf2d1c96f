import Testing

@testable import BroadsheetHTTP

@Suite("Addresses in brackets (RFC 3986 §3.2.2)")
struct IPLiteralTests {
    private func isLiteral(_ text: String) -> Bool { IPLiteral.isValid(text.utf8.span) }

    private func isAuthority(_ text: String) -> Bool { Authority.isValid(text.utf8.span) }

    @Test(
        "IPv6 addresses and addresses of future versions are valid in brackets",
        arguments: [
            "::", "::1", "1::", "1:2:3:4:5:6:7:8", "2001:DB8::fFfF", "1::3:4:5:6:7:8",
            "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "::ffff:192.0.2.128", "1:2:3:4:5:6:7.8.9.10",
            "64:ff9b::255.255.255.255", "::0.0.0.0", "1:2:3:4:5::7.8.9.10", "v1.a", "VF0.a:b_~!",
        ])
    func valid(text: String) {
        #expect(isLiteral(text))
        #expect(isAuthority("[\(text)]"))
        #expect(isAuthority("[\(text)]:8080"))
        #expect(RequestTarget("http://[\(text)]/") != nil)
    }

    @Test(
        "Any other text in brackets is invalid",
        arguments: [
            "", "zz", ":", ":::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "::1:",
            "1:2:3:4:5:6:7:8:9", "1::2::3", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::",
            "::g", "1.2.3.4", "::1.2.3", "::1.2.3.4.5", "::1.2.3.256", "::01.2.3.4", "::1.2.3.",
            "::a.2.3.4", "1:2:3:4:5:6:7:8.9.10.11", "::1.2.3.4:5", "fe80::1%25eth0", "::1 ", "v.a",
            "v1.", "v1", "vg.a", "v1.a/b", "v1.%41",
        ])
    func invalid(text: String) {
        #expect(!isLiteral(text))
        #expect(!isAuthority("[\(text)]"))
    }
}
