import Testing

@testable import BroadsheetStores

@Suite("What is known of screens on Redis")
struct RedisFreshnessTests {
    private let clock = ManualClock()
    private let freshness: RedisFreshness
    private let home: ScreenName

    init() throws {
        freshness = RedisFreshness(clock: clock.time, capacity: 4)
        home = try name("home")
    }

    @Test("is believed for half a second from when it was asked")
    func lifetime() {
        let moment = freshness.now()
        clock.advance(milliseconds: 200)
        freshness.learn(3, of: home, at: moment, left: nil)
        #expect(freshness.isAt(3, home))
        #expect(!freshness.isAt(2, home))
        clock.advance(milliseconds: 299)
        #expect(freshness.isAt(3, home))
        clock.advance(milliseconds: 1)
        #expect(!freshness.isAt(3, home))
        freshness.learn(3, of: home, at: freshness.now(), left: nil)
        #expect(freshness.isAt(3, home))
    }

    @Test("gives way to a message of another daemon, which is not taken back by an older answer")
    func messages() {
        let before = freshness.now()
        freshness.learn(3, of: home, at: before, left: nil)
        freshness.raise(home, to: 3)
        #expect(freshness.isAt(3, home))
        freshness.raise(home, to: 5)
        #expect(!freshness.isAt(3, home))
        #expect(!freshness.isAt(5, home))
        freshness.learn(4, of: home, at: before, left: nil)
        #expect(!freshness.isAt(4, home))
        freshness.learn(5, of: home, at: before, left: nil)
        #expect(freshness.isAt(5, home))
    }

    @Test("of a screen that expires is believed for no longer than it lives")
    func expiry() {
        let moment = freshness.now()
        freshness.learn(3, of: home, at: moment, left: .milliseconds(300))
        clock.advance(milliseconds: 299)
        #expect(freshness.isAt(3, home))
        clock.advance(milliseconds: 1)
        #expect(!freshness.isAt(3, home))
        freshness.learn(4, of: home, at: freshness.now(), left: .seconds(100))
        clock.advance(milliseconds: 499)
        #expect(freshness.isAt(4, home))
        clock.advance(milliseconds: 1)
        #expect(!freshness.isAt(4, home))
        // A key that was gone when its time was asked for.
        freshness.learn(5, of: home, at: freshness.now(), left: .zero)
        #expect(!freshness.isAt(5, home))
    }

    @Test("an answer to an older question does not make a newer one's seem older")
    func answersThatCross() {
        let first = freshness.now()
        clock.advance(milliseconds: 400)
        let second = freshness.now()
        freshness.learn(3, of: home, at: second, left: nil)
        freshness.learn(3, of: home, at: first, left: nil)
        clock.advance(milliseconds: 400)
        #expect(freshness.isAt(3, home))
    }

    @Test("is forgotten as a whole, with what was asked before")
    func forgetAll() {
        let before = freshness.now()
        freshness.learn(3, of: home, at: before, left: nil)
        freshness.forgetAll()
        #expect(!freshness.isAt(3, home))
        freshness.learn(3, of: home, at: before, left: nil)
        #expect(!freshness.isAt(3, home))
        freshness.learn(3, of: home, at: freshness.now(), left: nil)
        #expect(freshness.isAt(3, home))
    }

    @Test("is never of more screens than its limit")
    func limit() throws {
        let before = freshness.now()
        for index in 0..<100 {
            freshness.learn(1, of: try name("s\(index)"), at: freshness.now(), left: nil)
            freshness.raise(try name("t\(index)"), to: 1)
            #expect(freshness.count <= 4)
        }
        // What was forgotten for want of room is not learnt again from an older question.
        freshness.learn(1, of: try name("s0"), at: before, left: nil)
        #expect(!freshness.isAt(1, try name("s0")))
        // Screens that are known already are learnt anew without anybody being forgotten.
        freshness.forgetAll()
        for index in 0..<4 {
            freshness.learn(1, of: try name("s\(index)"), at: freshness.now(), left: nil)
        }
        for revision in 2..<50 as Range<UInt64> {
            freshness.learn(revision, of: try name("s0"), at: freshness.now(), left: nil)
        }
        #expect(freshness.count == 4)
    }
}
