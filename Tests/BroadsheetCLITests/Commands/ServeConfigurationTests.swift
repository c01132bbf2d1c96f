import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetOrigin
import BroadsheetServer
import BroadsheetService
import BroadsheetStores
import Testing

@testable import BroadsheetCLI

@Suite("The configuration of serve")
struct ServeConfigurationTests {
    private func configuration(_ words: String...) throws -> ServeConfiguration {
        try .reading(words, in: .empty)
    }

    @Test("Without arguments the defaults are those of docs/cli.md")
    func defaults() throws {
        let configuration = try configuration()
        let server = configuration.server.http
        #expect(server.host == "127.0.0.1" && server.port == 8080)
        #expect(server.limits.maxBody == 16_777_216 && server.limits.maxTarget == 8192)
        #expect(server.limits.maxHeaderBytes == 16_384 && server.limits.maxHeaders == 100)
        #expect(server.maxConnections == 10_000 && server.maxRefusals == 256)
        #expect(server.idleTimeout == .seconds(60) && server.headerTimeout == .seconds(10))
        #expect(server.bodyTimeout == .seconds(30) && server.writeTimeout == .seconds(30))
        let limits = ScreenLimits(
            maxDepth: 128, maxSections: 10_000, maxItems: 1_000_000, maxPages: 10_000)
        #expect(configuration.service.limits == limits)
        #expect(configuration.service.screenLifetime == .unchanged)
        #expect(configuration.service.screenCacheBytes == nil)
        #expect(configuration.service.layoutCacheBytes == nil)
        #expect(configuration.service.historyBytes == nil)
        #expect(configuration.service.maxWaiters == 5000)
        #expect(configuration.service.maxStreams == 5000)
        #expect(configuration.server.memoryLimit >= MemoryBudget.minLimit)
        #expect(
            configuration.server.memoryLimit == max(MemoryBudget.minLimit, SystemMemory.limit() / 2)
        )
        #expect(server.minRate == 1024)
        #expect(configuration.server.drain == .seconds(10))
        #expect(configuration.server.workerCount == max(2, configuration.server.loopCount))
        #expect(configuration.service.trustedProxies.isEmpty)
    }

    @Test("The numbers of threads and the trusted proxies are read")
    func threadsAndProxies() throws {
        let configuration = try configuration(
            "--loops=3", "--workers=4", "--trusted-proxies=10.0.0.0/8,::1")
        #expect(configuration.server.loopCount == 3 && configuration.server.workerCount == 4)
        let ranges = try ["10.0.0.0/8", "::1"].map { try #require(AddressRange($0)) }
        #expect(configuration.service.trustedProxies == ranges)
    }

    @Test(
        "A trusted proxy that is not an address or a range is refused",
        arguments: ["", "10.0.0.1/8", "10.0.0.0/8,", "10.0.0.0/8, ::1", "proxy.example", "10.0.0"])
    func malformedProxies(_ text: String) {
        #expect(throws: CommandError.self) { try configuration("--trusted-proxies=\(text)") }
    }

    @Test("The flags of a PostgreSQL store are read, within their ranges")
    func postgres() throws {
        let defaults = try configuration().server.storeAccess
        #expect(defaults.connections == 8 && defaults.timeout == .seconds(5))
        #expect(defaults.listen == nil)
        let access = try configuration(
            "--store-connections=3", "--store-timeout=7", "--store-listen=off"
        ).server.storeAccess
        #expect(access.connections == 3 && access.timeout == .seconds(7) && access.listen == "off")
        for flag in ["connections=1", "connections=201", "timeout=0", "timeout=61", "listen="] {
            #expect(throws: CommandError.self) { try configuration("--store-\(flag)") }
        }
    }

    @Test("The flags of pages on demand are read; by default there is no origin")
    func origin() throws {
        let defaults = try configuration()
        #expect(defaults.server.origin == nil && defaults.server.originCertificates == nil)
        #expect(!defaults.service.origin.prefetches)
        #expect(defaults.service.origin.timeout == .seconds(2))
        #expect(defaults.service.origin.rest == .seconds(5))
        #expect(defaults.service.origin.maxFetches == 32)
        let configuration = try configuration(
            "--origin=https://shop.example/screens/", "--origin-timeout=3", "--origin-rest=4",
            "--origin-fetches=5", "--origin-ca=ca.pem", "--prefetch")
        #expect(configuration.server.origin == OriginURL("https://shop.example/screens"))
        #expect(configuration.server.originCertificates == "ca.pem")
        #expect(configuration.service.origin.timeout == .seconds(3))
        #expect(configuration.service.origin.rest == .seconds(4))
        #expect(configuration.service.origin.maxFetches == 5)
        #expect(configuration.service.origin.prefetches)
    }

    @Test(
        "An origin is an http or https URL without a user, a query and a fragment (RFC 3986)",
        arguments: [
            ("http://a", "http://a"), ("HTTPS://A.example:8443/x/", "HTTPS://A.example:8443/x"),
            ("http://[::1]:80//", "http://[::1]:80"), ("http://10.0.0.1/a%20b/~c", nil),
            ("http://a/\(String(repeating: "x", count: 2039))", nil),
        ] as [(String, String?)])
    func originURL(text: String, read: String?) {
        #expect(OriginURL(text)?.text == read ?? text)
    }

    @Test(
        "Any other origin is refused",
        arguments: [
            "", "shop.example", "ftp://a", "file:///etc", "http://", "http:///a", "http://u@a",
            "http://u:p@a/b", "http://a?b", "http://a/b?c", "http://a/b#c", "http://a b",
            "http://a/b c",
            "http://a/../b", "http://a/./b", "http://a/%2e%2E/b", "http://a/%2", "http://a/%zz",
            "http://a:99999", "http://a\r\nb", "http://a/\u{0}", "http://ä",
            "http://a/\(String(repeating: "x", count: 2040))",
        ])
    func malformedOrigin(text: String) {
        #expect(OriginURL(text) == nil)
        #expect(throws: CommandError.self) { try configuration("--origin=\(text)") }
    }

    @Test("Every flag of the server changes its property")
    func server() throws {
        let configuration = try configuration(
            "--host=::1", "--port=1", "--max-body=2", "--max-header-bytes=300",
            "--max-headers=4", "--max-target=50", "--max-connections=6", "--idle-timeout=7",
            "--header-timeout=8", "--body-timeout=9", "--write-timeout=10")
        var expected = HTTPServerConfiguration()
        expected.host = "::1"
        expected.port = 1
        expected.limits.maxBody = 2
        expected.limits.maxHeaderBytes = 300
        expected.limits.maxHeaders = 4
        expected.limits.maxTarget = 50
        expected.maxConnections = 6
        expected.idleTimeout = .seconds(7)
        expected.headerTimeout = .seconds(8)
        expected.bodyTimeout = .seconds(9)
        expected.writeTimeout = .seconds(10)
        #expect(configuration.server.http == expected)
    }

    @Test("The minimum rate is read")
    func minRate() throws {
        #expect(try configuration("--min-rate=0").server.minRate == 0)
        #expect(throws: CommandError.self) { try configuration("--min-rate=-1") }
    }

    @Test("The folder of the fonts is read, and is that of the catalog without the flag")
    func fonts() throws {
        let given = try configuration("--catalog=a/b.json", "--fonts=c").catalogFile
        #expect(given.path == "a/b.json")
        #expect(given.fonts == "c")
        #expect(try configuration("--catalog=a/b.json").catalogFile.fonts == nil)
        let cache = try configuration("--text-cache-bytes=7", "--memory=536870912").catalogFile
        #expect(cache.textCacheBytes == 7)
        #expect(try configuration("--memory=536870912").catalogFile.textCacheBytes == 16 << 20)
    }

    @Test("The memory is read; less than 128 MiB is refused")
    func memory() throws {
        let memory = try configuration("--memory=536870912").server
        #expect(memory.memoryLimit == 512 << 20)
        // A budget above the machine's memory is a warning, and one that fits is none.
        #expect(memory.memoryRecord(available: 512 << 20) == nil)
        let record = memory.memoryRecord(available: (512 << 20) - 1)
        #expect(record?.level == .warning)
        #expect(record?.detail?.contains("536870912 bytes") == true)
        #expect(record?.detail?.contains("has 536870911") == true)
        #expect(throws: CommandError.self) { try configuration("--memory=134217727") }
    }

    @Test("Caches of more than three quarters of the memory, and bodies of more than a quarter")
    func memoryShares() throws {
        let limit = 512 << 20
        for words in [
            ["--screen-cache-bytes=\(limit / 2)", "--cache-bytes=\(limit / 4)"],
            ["--screen-cache-bytes=\(limit / 8 * 5)"], ["--max-body=\(limit / 4)"], [],
            ["--history-bytes=\(limit / 2)"], ["--text-cache-bytes=\(limit / 16)"],
        ] {
            let all = words + ["--memory=\(limit)"]
            try ServeConfiguration.reading(all, in: .empty).server.checkMemory()
        }
        for (words, flag) in [
            (
                ["--screen-cache-bytes=\(limit / 2 + 1)", "--cache-bytes=\(limit / 4)"],
                "--cache-bytes"
            ),
            (["--cache-bytes=\(limit)"], "--screen-cache-bytes"),
            (["--history-bytes=\(limit / 2 + 1)"], "--history-bytes"),
            (["--text-cache-bytes=\(limit / 16 + 1)"], "--text-cache-bytes"),
            (["--max-body=\(limit / 4 + 1)"], "--max-body"),
        ] {
            let all = words + ["--memory=\(limit)"]
            let refused = try ServeConfiguration.reading(all, in: .empty)
            let error = #expect(throws: ServerError.self) { try refused.server.checkMemory() }
            #expect("\(String(describing: error))".contains(flag))
        }
    }

    @Test("Every flag of the service changes its property")
    func service() throws {
        let configuration = try configuration(
            "--max-depth=1", "--max-sections=2", "--max-items=3", "--max-pages=4",
            "--screen-ttl=5", "--screen-cache-bytes=6", "--cache-bytes=7",
            "--max-answer=8", "--max-screen-bytes=9", "--history-bytes=10", "--max-waiters=11",
            "--max-streams=12", "--journey-items=13", "--max-item-bytes=14")
        var expected = ServiceConfiguration()
        expected.limits = ScreenLimits(maxDepth: 1, maxSections: 2, maxItems: 3, maxPages: 4)
        expected.screenLifetime = .seconds(5)
        expected.screenCacheBytes = 6
        expected.layoutCacheBytes = 7
        expected.maxResponseBytes = 8
        expected.maxScreenBytes = 9
        expected.historyBytes = 10
        expected.maxWaiters = 11
        expected.journeyItems = 13
        expected.maxStreams = 12
        expected.maxItemBytes = 14
        #expect(configuration.service == expected)
    }
}
