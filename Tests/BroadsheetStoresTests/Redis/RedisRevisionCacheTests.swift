import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The revision cache of a Redis store")
struct RedisRevisionCacheTests {
    private let clock = ManualClock()
    private let revisions: RedisRevisionCache
    private let home: ScreenName

    init() throws {
        revisions = RedisRevisionCache(clock: clock.time, capacity: 4)
        home = try name("home")
    }

    @Test("The cache uses an entry for half a second from the request on")
    func lifetime() {
        let moment = revisions.now()
        clock.advance(milliseconds: 200)
        revisions.record(3, of: home, at: moment, timeToLive: nil)
        #expect(revisions.isAt(3, home))
        #expect(!revisions.isAt(2, home))
        clock.advance(milliseconds: 299)
        #expect(revisions.isAt(3, home))
        clock.advance(milliseconds: 1)
        #expect(!revisions.isAt(3, home))
        revisions.record(3, of: home, at: revisions.now(), timeToLive: nil)
        #expect(revisions.isAt(3, home))
    }

    @Test("The cache prefers the message of another daemon to an older reply")
    func messages() {
        let before = revisions.now()
        revisions.record(3, of: home, at: before, timeToLive: nil)
        revisions.raise(home, to: 3)
        #expect(revisions.isAt(3, home))
        revisions.raise(home, to: 5)
        #expect(!revisions.isAt(3, home))
        #expect(!revisions.isAt(5, home))
        revisions.record(4, of: home, at: before, timeToLive: nil)
        #expect(!revisions.isAt(4, home))
        revisions.record(5, of: home, at: before, timeToLive: nil)
        #expect(revisions.isAt(5, home))
    }

    @Test("The cache uses the entry of an expiring screen until it expires at most")
    func expiry() {
        let moment = revisions.now()
        revisions.record(3, of: home, at: moment, timeToLive: .milliseconds(300))
        clock.advance(milliseconds: 299)
        #expect(revisions.isAt(3, home))
        clock.advance(milliseconds: 1)
        #expect(!revisions.isAt(3, home))
        revisions.record(4, of: home, at: revisions.now(), timeToLive: .seconds(100))
        clock.advance(milliseconds: 499)
        #expect(revisions.isAt(4, home))
        clock.advance(milliseconds: 1)
        #expect(!revisions.isAt(4, home))
        // The key did not exist when its time to live was read.
        revisions.record(5, of: home, at: revisions.now(), timeToLive: .zero)
        #expect(!revisions.isAt(5, home))
    }

    @Test("The cache keeps the lifetime of the newer of two replies")
    func repliesOutOfOrder() {
        let first = revisions.now()
        clock.advance(milliseconds: 400)
        let second = revisions.now()
        revisions.record(3, of: home, at: second, timeToLive: nil)
        revisions.record(3, of: home, at: first, timeToLive: nil)
        clock.advance(milliseconds: 400)
        #expect(revisions.isAt(3, home))
    }

    @Test("The cache is emptied together with the replies to earlier requests")
    func removeAll() {
        let before = revisions.now()
        revisions.record(3, of: home, at: before, timeToLive: nil)
        revisions.removeAll()
        #expect(!revisions.isAt(3, home))
        revisions.record(3, of: home, at: before, timeToLive: nil)
        #expect(!revisions.isAt(3, home))
        revisions.record(3, of: home, at: revisions.now(), timeToLive: nil)
        #expect(revisions.isAt(3, home))
    }

    @Test("The cache never exceeds its capacity")
    func limit() throws {
        let before = revisions.now()
        for index in 0..<100 {
            revisions.record(1, of: try name("s\(index)"), at: revisions.now(), timeToLive: nil)
            revisions.raise(try name("t\(index)"), to: 1)
            #expect(revisions.count <= 4)
        }
        // An entry that was removed for lack of capacity is not added again by an older reply.
        revisions.record(1, of: try name("s0"), at: before, timeToLive: nil)
        #expect(!revisions.isAt(1, try name("s0")))
        // Entries that exist are updated without emptying the cache.
        revisions.removeAll()
        for index in 0..<4 {
            revisions.record(1, of: try name("s\(index)"), at: revisions.now(), timeToLive: nil)
        }
        for revision in 2..<50 as Range<UInt64> {
            revisions.record(
                RecordVersion(revision: revision, edit: 0), of: try name("s0"),
                at: revisions.now(), timeToLive: nil)
        }
        #expect(revisions.count == 4)
    }
}

extension RedisRevisionCache {
    /// Returns whether the record of a screen is known to have a version.
    fileprivate func isAt(_ version: RecordVersion, _ screen: ScreenName) -> Bool {
        state(of: screen, at: version) != nil
    }
}

extension RecordVersion: ExpressibleByIntegerLiteral {
    /// Creates a version that no other write has followed.
    init(integerLiteral revision: UInt64) { self.init(revision: revision, edit: 0) }
}
