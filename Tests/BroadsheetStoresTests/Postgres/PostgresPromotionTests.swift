import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Replicas that become the primary when the primary is lost.
@Suite("PostgreSQL, when a replica is promoted", .timeLimit(.minutes(hangMinutes)))
struct PostgresPromotionTests {
    @Test(
        "After a promotion revisions leave a gap, nothing acknowledged is lost, and observers know")
    func promotion() async throws {
        for _ in FailureRounds.all {
            let (primary, replica) = try await PostgresServer.withSynchronousReplica()
            let address = try PostgresServer.address(ofPrimaryAmong: [primary, replica])
            try await withPostgresStore(at: address) { store, received async throws in
                let (home, gone) = (try name("home"), try name("gone"))
                for page in 0..<3 { try await store.put(page, to: home) }
                try await store.put(0, to: gone)
                try await store.write(.removeScreen, to: gone)
                #expect(!received.events.contains(.restarted))
                primary.kill()
                try replica.promote()
                #expect(try await store.stored(home).pages.count == 3)
                #expect(received.events.contains(.restarted))
                #expect(try await store.put(3, to: home) == 1_000_004)
                #expect(try await store.put(4, to: home) == 1_000_005)
                #expect(try await store.put(0, to: gone) > 1_000_000)
                #expect(store.lineCount == 1)
            }
        }
    }

    @Test("After the promotion of a replica that lagged, the revisions it lacks are not used again")
    func lagging() async throws {
        for _ in FailureRounds.all {
            let (primary, replica) = try PostgresServer.withAsynchronousReplica()
            let address = try PostgresServer.address(ofPrimaryAmong: [primary, replica])
            try await withPostgresStore(at: address) { store, received async throws in
                let home = try name("home")
                for page in 0..<3 { try await store.put(page, to: home) }
                try await primary.waitForReplication(to: replica)
                replica.kill()
                for page in 3..<6 {
                    #expect(try await store.put(page, to: home) == UInt64(page) + 1)
                }
                primary.kill()
                try replica.restart()
                try replica.promote()
                // Revisions 4 to 6 are lost; those of the new primary are beyond them.
                #expect(try await store.stored(home).pages.count == 3)
                #expect(received.events.contains(.restarted))
                #expect(try await store.put(9, to: home) == 1_000_004)
            }
        }
    }

    @Test("A synchronous replica that is promoted while eight writers commit has all they stored")
    func synchronous() async throws {
        for round in FailureRounds.all {
            let (primary, replica) = try await PostgresServer.withSynchronousReplica()
            let outcome = try await Self.promote(replica, of: primary) { _ in primary.kill() }
            #expect(outcome.lost == [], "round \(round)")
            #expect(outcome.violations == [], "round \(round)")
            #expect(outcome.highest > 1_000_000, "round \(round)")
        }
    }

    @Test("No revision has two contents after an asynchronous replica is promoted under writes")
    func asynchronous() async throws {
        for round in FailureRounds.all {
            let (primary, replica) = try PostgresServer.withAsynchronousReplica()
            let outcome = try await Self.promote(replica, of: primary) { count async throws in
                // The replica has the schema, at least.
                try await primary.waitForReplication(to: replica)
                replica.kill()
                await count.wait(forFurther: 40)
                primary.kill()
                try replica.restart()
            }
            // The replica lacks what was acknowledged while it was down.
            #expect(!outcome.lost.isEmpty, "round \(round)")
            #expect(outcome.violations == [], "round \(round)")
            #expect(outcome.highest > 1_000_000, "round \(round)")
        }
    }

    /// The result of eight writers.
    private struct Outcome {
        /// The acknowledged writes that the new primary does not have.
        var lost: [String] = []
        /// The revisions with two contents.
        var violations: [String] = []
        /// The highest revision in the end.
        var highest: UInt64 = 0
    }

    /// Promotes a replica while eight writers commit, and lets them go on for some time.
    ///
    /// - Parameter fail: Ends the primary.
    private static func promote(
        _ replica: PostgresServer, of primary: PostgresServer,
        _ fail: (AcknowledgmentCount) async throws -> Void
    ) async throws -> Outcome {
        let address = try PostgresServer.address(ofPrimaryAmong: [primary, replica])
        return try await withPostgresStore(at: address, timeout: .seconds(120)) {
            store, received async throws in
            let (contents, count) = (RevisionContents(), AcknowledgmentCount())
            let writers = try (0..<8).map {
                PageWriter(screen: try name("screen-\($0)"), contents: contents, count: count)
            }
            let acknowledged = try await withThrowingTaskGroup(
                of: (ScreenName, [Int: UInt64]).self
            ) { group in
                for writer in writers {
                    group.addTask { (writer.screen, await writer.write(to: store)) }
                }
                await count.wait(forFurther: 80)
                try await fail(count)
                try replica.promote()
                await count.wait(forFurther: 80)
                group.cancelAll()
                return try await group.reduce(into: [ScreenName: [Int: UInt64]]()) {
                    $0[$1.0] = $1.1
                }
            }
            #expect(received.events.contains(.restarted))
            var outcome = Outcome()
            for (screen, pages) in acknowledged {
                let stored = try await store.stored(screen)
                contents.record(stored, of: screen)
                outcome.highest = max(outcome.highest, stored.revision)
                let found = stored.pages.map { "\(screen): page \($0.number) at \($0.revision)" }
                let expected = pages.map { "\(screen): page \($0.key) at \($0.value)" }
                outcome.lost += Set(expected).subtracting(found)
            }
            outcome.violations = contents.violations
            return outcome
        }
    }
}

/// A writer that stores page after page in a screen, and goes on after each failure.
private struct PageWriter: Sendable {
    let screen: ScreenName
    let contents: RevisionContents
    let count: AcknowledgmentCount

    /// Stores pages until the task is cancelled.
    ///
    /// - Returns: The revision of each page whose commit was acknowledged.
    func write(to store: ScreenStore) async -> [Int: UInt64] {
        var acknowledged: [Int: UInt64] = [:]
        var expected: UInt64?
        var page = 0
        while !Task.isCancelled {
            let bytes = Array("\(screen) \(page)".utf8)
            do throws(StoreError) {
                let revision = try await store.commit(
                    .put(page: page, bytes: bytes), to: screen, expecting: expected)
                contents.record(bytes, at: revision, of: screen)
                acknowledged[page] = revision
                expected = revision
                count.increment()
            } catch {
                // The outcome is unknown, or the new primary lacks the last revisions.
                guard let load = try? await store.load(screen, unlessAt: nil) else { continue }
                expected = nil
                if case .screen(let stored) = load {
                    contents.record(stored, of: screen)
                    expected = stored.revision
                }
            }
            // None is stored twice, so that its content is that of one commit.
            page += 1
        }
        return acknowledged
    }
}

/// The number of acknowledged commits of all writers.
private final class AcknowledgmentCount: Sendable {
    private let count = Atomic(0)

    func increment() { count.add(1, ordering: .relaxed) }

    /// Waits until there are as many more.
    func wait(forFurther further: Int) async {
        let start = count.load(ordering: .relaxed)
        #expect(await eventually { count.load(ordering: .relaxed) >= start + further })
    }
}

/// The contents of the revisions that writers and readers have had.
private final class RevisionContents: Sendable {
    private struct Key: Hashable {
        let screen: ScreenName
        let revision: UInt64
    }

    private struct State {
        var contents: [Key: [UInt8]] = [:]
        var violations: [String] = []
    }

    private let state = Mutex(State())

    /// The revisions that had two contents.
    var violations: [String] { state.withLock { $0.violations } }

    /// Records the page that a revision has stored.
    func record(_ bytes: [UInt8], at revision: UInt64, of screen: ScreenName) {
        state.withLock { state in
            let former = state.contents.updateValue(
                bytes, forKey: Key(screen: screen, revision: revision))
            if let former, former != bytes {
                state.violations.append("\(screen) at \(revision)")
            }
        }
    }

    /// Records the pages of a screen, each of which was stored by a revision of its own.
    func record(_ stored: StoredScreen, of screen: ScreenName) {
        for page in stored.pages { record(page.bytes, at: page.revision, of: screen) }
    }
}
