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

    static let invalidURLs: [(String, RedisEndpointError)] = [
        ("", .notAURL), ("host:6379", .unknownScheme("host")), ("//h", .notAURL),
        ("redis://h h", .notAURL), ("rediss://h", .unknownScheme("rediss")),
        ("http://h", .unknownScheme("http")), ("redis:", .noHost), ("redis://", .noHost),
        ("redis:///3", .noHost), ("redis://:6379", .noHost),
        ("redis://h:0", .invalidPort),
        ("redis://h:65536", .invalidPort), ("redis://h/x", .invalidDatabase),
        ("redis://h/-1", .invalidDatabase), ("redis://h/65536", .invalidDatabase),
        ("redis://h/1/2", .invalidDatabase), ("redis://h//1", .invalidDatabase),
        ("redis://h/+1", .invalidDatabase), ("redis://h/99999999999999999999", .invalidDatabase),
        ("redis://me@h", .userWithoutPassword), ("redis://h?x=1", .unknownParts),
        ("redis://h#x", .unknownParts),
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
