import Testing

@testable import BroadsheetStores

@Suite("What is known of screens on Redis")
struct RedisRevisionCacheTests {
    private let clock = ManualClock()
    private let revisions: RedisRevisionCache
    private let home: ScreenName

    init() throws {
        revisions = RedisRevisionCache(clock: clock.time, capacity: 4)
        home = try name("home")
    }

    @Test("is believed for half a second from when it was asked")
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

    @Test("gives way to a message of another daemon, which is not taken back by an older reply")
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

    @Test("of a screen that expires is believed for no longer than it lives")
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
        // A key that was gone when its time was asked for.
        revisions.record(5, of: home, at: revisions.now(), timeToLive: .zero)
        #expect(!revisions.isAt(5, home))
    }

    @Test("an reply to an older request does not make a newer one's seem older")
    func answersThatCross() {
        let first = revisions.now()
        clock.advance(milliseconds: 400)
        let second = revisions.now()
        revisions.record(3, of: home, at: second, timeToLive: nil)
        revisions.record(3, of: home, at: first, timeToLive: nil)
        clock.advance(milliseconds: 400)
        #expect(revisions.isAt(3, home))
    }

    @Test("is forgotten as a whole, with what was asked before")
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

    @Test("is never of more screens than its limit")
    func limit() throws {
        let before = revisions.now()
        for index in 0..<100 {
            revisions.record(1, of: try name("s\(index)"), at: revisions.now(), timeToLive: nil)
            revisions.raise(try name("t\(index)"), to: 1)
            #expect(revisions.count <= 4)
        }
        // What was forgotten for want of room is not learnt again from an older request.
        revisions.record(1, of: try name("s0"), at: before, timeToLive: nil)
        #expect(!revisions.isAt(1, try name("s0")))
        // Screens that are known already are learnt anew without anybody being forgotten.
        revisions.removeAll()
        for index in 0..<4 {
            revisions.record(1, of: try name("s\(index)"), at: revisions.now(), timeToLive: nil)
        }
        for revision in 2..<50 as Range<UInt64> {
            revisions.record(revision, of: try name("s0"), at: revisions.now(), timeToLive: nil)
        }
        #expect(revisions.count == 4)
    }
}
