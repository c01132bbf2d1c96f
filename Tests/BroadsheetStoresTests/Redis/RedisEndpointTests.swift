import Testing

@testable import BroadsheetStores

@Suite("A Redis endpoint")
struct RedisEndpointTests {
    struct Reading: Sendable {
        var url: String
        var host = "h"
        var port: UInt16 = 6379
        var user: String?
        var password: String?
        var database = 0
    }

    static let readings = [
        Reading(url: "redis://h"), Reading(url: "redis://h/"), Reading(url: "REDIS://h"),
        Reading(url: "redis://h:7000", port: 7000), Reading(url: "redis://h:65535", port: 65535),
        Reading(url: "redis://h/3", database: 3), Reading(url: "redis://h/65535", database: 65535),
        Reading(url: "redis://127.0.0.1:1/2", host: "127.0.0.1", port: 1, database: 2),
        Reading(url: "redis://[::1]:7000/1", host: "::1", port: 7000, database: 1),
        Reading(url: "redis://[::1]", host: "::1"),
        Reading(url: "redis://:secret@h", password: "secret"),
        Reading(url: "redis://me:secret@h", user: "me", password: "secret"),
        Reading(url: "redis://m%40e:s%3A%2F%25%f0%9F%94%91@h", user: "m@e", password: "s:/%🔑"),
        Reading(url: "redis://me:@h", user: "me", password: ""),
    ]

    @Test("An endpoint is parsed from its URL", arguments: readings)
    func reads(expected: Reading) throws {
        let endpoint = try RedisEndpoint(url: expected.url)
        #expect(endpoint.host == expected.host)
        #expect(endpoint.port == expected.port)
        #expect(endpoint.user == expected.user)
        #expect(endpoint.password == expected.password)
        #expect(endpoint.database == expected.database)
    }

    @Test("A URL of TLS may name files, each once and with a value")
    func readsTLS() throws {
        let system = try RedisEndpoint(url: "rediss://me:pw@h/3")
        #expect(system.tls == RedisTLS())
        #expect(system.port == 6379 && system.user == "me" && system.database == 3)
        let files = try RedisEndpoint(url: "rediss://h:7?key=/k%26y&ca=/c%20a&cert=c.pem")
        #expect(files.tls?.ca == "/c a")
        #expect(files.tls?.certificate == "c.pem")
        #expect(files.tls?.key == "/k&y")
        #expect(try RedisEndpoint(url: "redis://h").tls == nil)
    }

    @Test("A URL of Sentinels has up to 16 hosts, the name of the primary, and credentials of both")
    func readsSentinels() throws {
        let one = try RedisEndpoint(url: "redis+sentinel://h/main")
        #expect(one.sentinels?.nodes == [RedisNode(host: "h", port: 26379)])
        #expect(one.sentinels?.name == "main")
        #expect(one.database == 0 && one.tls == nil && one.sentinels?.password == nil)
        let url =
            "REDISS+SENTINEL://me:p,%40@a:1,[::1],c:3/ma%20in/7?sentinel-user=s&ca=/a"
            + "&sentinel-password=q%3D"
        let all = try RedisEndpoint(url: url)
        #expect(
            all.sentinels?.nodes == [
                RedisNode(host: "a", port: 1), RedisNode(host: "::1", port: 26379),
                RedisNode(host: "c", port: 3),
            ])
        #expect(all.sentinels?.name == "ma in")
        #expect(all.sentinels?.user == "s" && all.sentinels?.password == "q=")
        #expect(all.user == "me" && all.password == "p,@")
        #expect(all.database == 7 && all.tls?.ca == "/a")
        #expect(all.host == "a" && all.port == 1)
        let hosts = (0..<16).map { "h\($0)" }.joined(separator: ",")
        let many = try RedisEndpoint(url: "redis+sentinel://\(hosts)/main")
        #expect(many.sentinels?.nodes.count == 16)
        #expect(throws: RedisEndpointError.tooManyHosts) {
            try RedisEndpoint(url: "redis+sentinel://\(hosts),h/main")
        }
        #expect(all.description == "rediss+sentinel://a:1,[::1]:26379,c:3/ma in/7")
    }

    static let invalidURLs: [(String, RedisEndpointError)] = [
        ("", .notAURL), ("host:6379", .unknownScheme("host")), ("//h", .notAURL),
        ("redis://h h", .notAURL), ("redis+tls://h", .unknownScheme("redis+tls")),
        ("http://h", .unknownScheme("http")), ("redis:", .noHost), ("redis://", .noHost),
        ("redis:///3", .noHost), ("redis://:6379", .noHost),
        ("redis://h:0", .invalidPort),
        ("redis://h:65536", .invalidPort), ("redis://h/x", .invalidDatabase),
        ("redis://h/-1", .invalidDatabase), ("redis://h/65536", .invalidDatabase),
        ("redis://h/1/2", .invalidDatabase), ("redis://h//1", .invalidDatabase),
        ("redis://h/+1", .invalidDatabase), ("redis://h/99999999999999999999", .invalidDatabase),
        ("redis://me@h", .userWithoutPassword), ("redis://h?x=1", .unknownParts),
        ("redis://h#x", .unknownParts), ("redis://h?", .unknownParts),
        ("rediss://h#x", .unknownParts), ("rediss:///3", .noHost),
        ("rediss://h?x=1", .unknownMember(["ca", "cert", "key"])),
        ("rediss://h?CA=1", .unknownMember(["ca", "cert", "key"])),
        ("rediss://h?verify=none", .unknownMember(["ca", "cert", "key"])),
        ("rediss://h?ca", .emptyMember("ca")), ("rediss://h?ca=", .emptyMember("ca")),
        ("rediss://h?ca=a%00b", .emptyMember("ca")),
        ("rediss://h?ca=1&ca=1", .repeatedMember("ca")),
        ("rediss://h?cert=1", .certificateWithoutKey),
        ("rediss://h?key=1", .certificateWithoutKey),
        ("redis+sentinel://h", .noName), ("redis+sentinel://h/", .noName),
        ("redis+sentinel://h//3", .noName), ("redis+sentinel:///main", .noHost),
        ("redis+sentinel://a,,b/main", .noHost), ("redis+sentinel://a,/main", .noHost),
        ("redis+sentinel://,a/main", .noHost), ("redis+sentinel://a,b:0/main", .invalidPort),
        ("redis+sentinel://a,b:65536/main", .invalidPort),
        ("redis+sentinel://a/main/x", .invalidDatabase),
        ("redis+sentinel://a/main/1/2", .invalidDatabase),
        ("redis+sentinel://me@a/main", .userWithoutPassword),
        ("redis+sentinel://a/main?sentinel-user=x", .sentinelUserWithoutPassword),
        (
            "redis+sentinel://a/main?ca=x",
            .unknownMember(["sentinel-user", "sentinel-password"])
        ),
    ]

    @Test("An invalid URL is rejected with the error", arguments: invalidURLs)
    func refuses(url: String, error: RedisEndpointError) {
        #expect(throws: error) { try RedisEndpoint(url: url) }
        #expect(!error.description.isEmpty)
    }

    @Test("A URL whose host is a bracket alone is rejected, whichever part is reported")
    func bracket() {
        #expect(throws: RedisEndpointError.self) { try RedisEndpoint(url: "redis://:p@[") }
    }

    @Test(
        "A URL whose port is not a number is rejected", arguments: ["redis://h:x", "redis://h:-1"])
    func refusesPort(url: String) {
        #expect(throws: RedisEndpointError.self) { try RedisEndpoint(url: url) }
    }

    @Test("An endpoint's description has no user and password, and can be parsed again")
    func description() throws {
        let endpoint = try RedisEndpoint(url: "redis://me:secret@[::1]:7000/1")
        #expect(endpoint.description == "redis://[::1]:7000/1")
        #expect(try RedisEndpoint(url: endpoint.description).host == "::1")
    }
}
