import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetCLI

@Suite("What serve makes of its settings")
struct ServingConfigurationTests {
    private func settings(_ words: String...) throws -> Settings {
        Settings(try Arguments(words, options: ServeSettings.groups.flatMap(\.options)))
    }

    @Test("Without a word the rooms' own defaults hold, so that the two cannot drift apart")
    func defaults() throws {
        let settings = try settings()
        #expect(HTTPServerConfiguration(settings) == HTTPServerConfiguration())
        #expect(ScreenLimits(settings) == ScreenLimits())
    }

    @Test("Every flag of the server reaches its configuration")
    func server() throws {
        let configuration = HTTPServerConfiguration(
            try settings(
                "--host=::1", "--port=1", "--max-body=2", "--max-header-bytes=300",
                "--max-headers=4", "--max-target=50", "--max-connections=6", "--idle-timeout=7",
                "--header-timeout=8", "--body-timeout=9", "--write-timeout=10"))
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
        #expect(configuration == expected)
    }

    @Test("Every flag of pages and screens reaches their limits")
    func screens() throws {
        let limits = ScreenLimits(
            try settings("--max-depth=1", "--max-sections=2", "--max-items=3", "--max-pages=4"))
        #expect(limits == ScreenLimits(maxDepth: 1, maxSections: 2, maxItems: 3, maxPages: 4))
    }
}
