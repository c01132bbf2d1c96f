import Testing

@testable import BroadsheetIO

@Suite("Addresses and ranges of addresses")
struct IPAddressTests {
    @Test(
        "RFC 4291 §2.2: Literals of both families are read",
        arguments: ["0.0.0.0", "192.0.2.255", "::", "::1", "2001:db8::1", "::ffff:192.0.2.1"])
    func literals(_ text: String) {
        #expect(IPAddress(text) != nil)
    }

    @Test(
        "Anything but an address alone is not read",
        arguments: [
            "", " 192.0.2.1", "192.0.2.1 ", "192.0.2.1:80", "192.0.2", "192.0.2.256", "192.0.2.01",
            "0x7f.0.0.1", "1.2.3.4.5", "[::1]", "::1%eth0", "1:2:3:4:5:6:7", "unknown", "_hidden",
            "192.0.2.1\0", "2001:db8::1::", "192.0.2.1/32",
        ])
    func malformed(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("RFC 4291 §2.5.5.2: An IPv4 address equals its IPv4-mapped form")
    func mapped() throws {
        let address = try #require(IPAddress("192.0.2.1"))
        #expect(address.isIPv4)
        #expect(IPAddress("::ffff:192.0.2.1") == address)
        #expect(IPAddress("::192.0.2.1") != address)
        #expect(IPAddress("::1")?.isIPv4 == false)
    }

    @Test(
        "RFC 4632 §3.1: A range contains the addresses with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("192.0.2.4", "192.0.2.4", true), ("192.0.2.4", "192.0.2.5", false),
            ("192.0.2.128/25", "192.0.2.129", true), ("192.0.2.128/25", "192.0.2.1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
            ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
            ("::/0", "2001:db8::1", true), ("::1/128", "::1", true), ("::1", "::2", false),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true),
        ])
    func containment(_ range: String, _ address: String, _ isContained: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try #require(IPAddress(address))) == isContained)
    }

    @Test(
        "A range with another form, or with bits after its prefix, is not read",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-1",
            "10.0.0.0/8/8", "10.0.0.1/8", "::/129", "::1/64", "2001:db8::/9999", "example.com",
            "10.0.0.0 /8",
        ])
    func malformedRanges(_ text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test("The clients of an IPv6 /64 are one client, those of IPv4 addresses are not")
    func clients() throws {
        func key(_ text: String) throws -> ClientKey { ClientKey(try #require(IPAddress(text))) }
        #expect(try key("2001:db8::1") == key("2001:db8::ffff:1"))
        #expect(try key("2001:db8::1") != key("2001:db8:0:1::1"))
        #expect(try key("192.0.2.1") != key("192.0.2.2"))
    }

    @Test("The literal of an address is its shortest form (RFC 5952 §4)")
    func literals() throws {
        for (text, literal) in [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"), ("0.0.0.0", "0.0.0.0"),
            ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] {
            #expect(try #require(IPAddress(text)).literal == literal)
        }
    }

}
