import BroadsheetIO
import Foundation

@testable import BroadsheetStores

/// A store that commits as the release before lines and write numbers does.
///
/// Commits run the script of that release (`Fixtures/stores/redis-1.lua`). Its reads are those of
/// this release, so the other calls are passed to a store of this release.
final class PreviousRedisStore: ScreenStore {
    private static let scriptFile = Result {
        try String(
            contentsOf: URL(
                filePath: "../../../Fixtures/stores/redis-1.lua",
                relativeTo: URL(filePath: #filePath)), encoding: .utf8)
    }

    private let base: any ScreenStore
    private let group: EventLoopGroup
    private let client: RedisClient
    private let channel: String
    private let script: String

    /// Begins to connect.
    ///
    /// - Parameter base: The store for other calls than commits, which this one closes.
    init(_ endpoint: RedisEndpoint, base: any ScreenStore) throws {
        self.base = base
        script = try Self.scriptFile.get()
        channel = RedisKeys.changes(endpoint)
        group = try EventLoopGroup(count: 1)
        client = RedisClient(RedisLocation(endpoint, on: group.loops[0]), RedisLinkObserver())
        client.start()
    }

    func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let (action, totals, pages) = commit.previousArguments
        let head = [
            expected.map { String($0) } ?? "-", action, lifetime.argument, screen.text, channel,
            String(RedisScript.maxScreenBytes), totals,
        ]
        let keys = [RedisKeys.screen(screen), RedisKeys.index, RedisKeys.floor]
        let arguments = head.map { Array($0.utf8) } + pages
        let reply = try await client.call(last: { $0.command(self.script, keys: keys, arguments) })
        guard let parts = reply.first?.elements, parts.count > 2 else {
            throw .corrupt("the reply to a commit is malformed")
        }
        let revision = parts[1].text.flatMap { UInt64($0) }
        switch (parts[0].integer, revision) {
        case (1?, let revision?): return revision
        case (0?, let current): throw .conflict(current: current)
        default: throw .corrupt("the reply to a commit is malformed")
        }
    }

    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        try await base.load(screen, unlessAt: revision, part, within: limits)
    }

    func identity() async throws(StoreError) -> StoreIdentity { try await base.identity() }

    func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        try await base.page(number, of: screen, atMost: byteCount)
    }

    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await base.screens(after: name, prefix: prefix, limit: limit)
    }

    func checkReadiness() async throws(StoreError) { try await base.checkReadiness() }

    func close() async {
        await client.finish()
        group.stop()
        await group.waitForEnd()
        await base.close()
    }
}

extension ScreenCommit {
    /// The name of the commit, the counts after it, and its pages.
    fileprivate var previousArguments: (action: String, totals: String, pages: [[UInt8]]) {
        switch self {
        case .putPages(let pages, let totals):
            return ("put", Self.text(totals), pages.flatMap(Self.arguments))
        case .replacePages(let pages, let kept, let totals):
            let numbers = kept.map { String($0) }.joined(separator: " ")
            return (
                "replace", Self.text(totals),
                [Array(numbers.utf8)] + pages.flatMap(Self.arguments)
            )
        case .removePage(let number): return ("page", "-", [Array(String(number).utf8)])
        case .removeAllPages: return ("pages", "-", [])
        case .removeScreen: return ("screen", "-", [])
        }
    }

    private static func arguments(of page: PutPage) -> [[UInt8]] {
        let counts = [page.counts?.sections, page.counts?.items]
            .map { count in count.map { String($0) } ?? "-" }
        return [Array(String(page.number).utf8), page.bytes] + counts.map { Array($0.utf8) }
    }

    private static func text(_ totals: ContentCounts?) -> String {
        totals.map { "\($0.sections) \($0.items)" } ?? "-"
    }
}

extension ScreenLifetime {
    /// The argument of the script.
    fileprivate var argument: String {
        switch self {
        case .unchanged: "="
        case .indefinite: "-"
        case .seconds: wholeSeconds.map { String($0) } ?? "="
        }
    }
}
