import BroadsheetHTTP
import BroadsheetIO
import Testing

@testable import BroadsheetService

@Suite("The client of a request (docs/operations.md, Expensive requests)")
struct ClientAddressTests {
    private static let proxy = "10.0.0.7"
    private static let other = "192.0.2.1"

    private func client(
        from peer: String, _ forwarded: [String], trusting ranges: String...
    ) throws -> ClientKey {
        var configuration = ServiceConfiguration()
        configuration.trustedProxies = try ranges.map { try #require(AddressRange($0)) }
        var headers: HTTPHeaders = [:]
        for value in forwarded { headers.append(.forwardedFor, value) }
        let request = HTTPRequest(
            head: HTTPRequestHead(
                method: .get, target: try #require(RequestTarget("/livez")), headers: headers),
            peer: try #require(IPAddress(peer)))
        return ClientKey(configuration.clientAddress(of: request))
    }

    private func key(_ address: String) throws -> ClientKey {
        ClientKey(try #require(IPAddress(address)))
    }

    @Test("Without a trusted proxy the client is the peer, whatever X-Forwarded-For says")
    func untrusted() throws {
        #expect(try client(from: Self.proxy, [Self.other]) == key(Self.proxy))
        let elsewhere = try client(from: Self.proxy, [Self.other], trusting: "10.0.1.0/24", "::1")
        #expect(elsewhere == (try key(Self.proxy)))
    }

    @Test(
        "Behind a trusted proxy the client is the last address, which the proxy appended",
        arguments: [
            (["192.0.2.1"], "192.0.2.1"), (["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
            (["203.0.113.9,\t192.0.2.1 "], "192.0.2.1"),
            (["192.0.2.1", "203.0.113.9"], "203.0.113.9"),
            (["unknown, 2001:db8::1"], "2001:db8::1"), (["::ffff:192.0.2.1"], "192.0.2.1"),
        ])
    func trusted(_ forwarded: [String], _ address: String) throws {
        #expect(try client(from: Self.proxy, forwarded, trusting: "10.0.0.0/8") == key(address))
    }

    @Test(
        "Behind a trusted proxy an invalid last value makes the proxy the client",
        arguments: [
            [], [""], ["unknown"], ["192.0.2.1,"], ["192.0.2.1:80"], ["[2001:db8::1]"],
            ["192.0.2.1", ""], ["192.0.2.1 203.0.113.9"], ["192.0.2.01"], ["\"192.0.2.1\""],
        ])
    func invalid(_ forwarded: [String]) throws {
        #expect(try client(from: Self.proxy, forwarded, trusting: "10.0.0.7") == key(Self.proxy))
    }
}
