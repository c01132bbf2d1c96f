import Foundation
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite(
    "A Redis user with the documented permissions", .serialized,
    .timeLimit(.minutes(hangMinutes)))
struct RedisRightsTests {
    /// The permissions in docs/operations.md.
    private static let rights = """
        ~{broadsheet}:* &{broadsheet}:* +eval +evalsha +exists +get +set +del +hget +hmget +hset \
        +hdel +hstrlen +zadd +zrem +zrangebylex +zrangebyscore +expire +persist +pttl +publish \
        +subscribe +select +info +role
        """.split(separator: " ").map(String.init)

    @Test("The permissions that are tested are those of docs/operations.md")
    func documentedRights() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.prefix { $0 != "Tests" }
        let file = root.joined(separator: "/") + "/docs/operations.md"
        let words = try String(contentsOfFile: file, encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).map(String.init)
        let start = try #require(words.firstIndex(of: ">PASSWORD")) + 1
        #expect(Array(words[start...].prefix(Self.rights.count)) == Self.rights)
        #expect(words[start + Self.rights.count] == "```")
    }

    @Test(
        "A user with the permissions in docs/operations.md conforms to every requirement of stores",
        arguments: StoreConformance.requirements + StoreConformance.historyRequirements
            + StoreConformance.feedRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let database = Self.used.add(1, ordering: .relaxed).newValue
        let server = try Self.server.get()
        let admin = try RedisProbe(server.endpoint(database: database))
        try await admin.send(["ACL", "SETUSER", "daemon", "on", ">pw"] + Self.rights)
        let clock = ManualClock()
        let store = try ScreenStore(
            server.endpoint(user: "daemon", password: "pw", database: database),
            options: RedisStoreOptions(
                clock: clock.time, timeout: .seconds(30), history: HistoryBounds(),
                feeds: FeedBounds()))
        try await requirement.check(store) { seconds in
            clock.advance(seconds: seconds)
            try await admin.letPass(seconds: seconds)
        }
        await store.close()
        await admin.close()
    }

    /// The server of the conformance suite, of which each check has a database of its own.
    private static let server = Result { try RedisServer(["--databases", "256"]) }
    private static let used = Atomic(0)

    @Test("The permissions in docs/operations.md are sufficient for a user")
    func rights() async throws {
        try await withRedisServer { server in
            let probe = try RedisProbe(server.endpoint())
            try await probe.send(
                ["ACL", "SETUSER", "daemon", "on", ">pw"] + Self.rights)
            let log = EventLog()
            let endpoint = try server.endpoint(user: "daemon", password: "pw", database: 1)
            let store = try ScreenStore(
                endpoint,
                options: RedisStoreOptions(timeout: .seconds(30), onEvent: log.handler))
            _ = try await store.identity()
            let home = try name("home")
            for lifetime in [.unchanged, .seconds(1_000), .indefinite, .seconds(1_000)]
                as [ScreenLifetime]
            {
                let revision = try await store.put(1, to: home, lifetime: lifetime)
                #expect(try await store.load(home, unlessAt: revision) == .unchanged)
            }
            let pages = [0, 2].map { PutPage(number: $0, bytes: [1]) }
            try await store.write(.replacePages(pages, keeping: [1], totals: nil), to: home)
            try await store.write(.replacePages([], keeping: [1], totals: nil), to: home)
            try await store.write(.removePage(1), to: home)
            try await store.write(.removeAllPages, to: home)
            #expect(try await store.screens(after: nil, limit: 9).count == 1)
            try await store.write(.removeScreen, to: home)
            try await store.put(1, to: name("next"))
            try await store.put(1, to: name("last"))
            try await store.checkReadiness()
            await store.close()
            await probe.close()
            // A server that is slow on a busy machine has not refused the subscription.
            let refusals = log.events.filter { event in
                guard case .subscriptionLost(let reason) = event else { return false }
                return !reason.hasPrefix("Redis does not reply")
            }
            #expect(refusals.isEmpty)
        }
    }

    @Test("The user remains when the server restarts, with an aclfile and ACL SAVE")
    func restart() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-users-\(UUID().uuidString).acl")
        // A server does not start without the file.
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withRedisServer(["--aclfile", file.path]) { server in
            let probe = try RedisProbe(server.endpoint())
            try await probe.send(["ACL", "SETUSER", "daemon", "on", ">pw"] + Self.rights)
            try await probe.send("ACL", "SAVE")
            await probe.close()
            try server.restart()
            let store = try ScreenStore(
                server.endpoint(user: "daemon", password: "pw"),
                options: RedisStoreOptions(timeout: .seconds(30)))
            let home = try name("home")
            let revision = try await store.put(1, to: home)
            #expect(try await store.load(home, unlessAt: revision) == .unchanged)
            await store.close()
        }
    }
}
