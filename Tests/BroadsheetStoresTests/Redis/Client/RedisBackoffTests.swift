import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The pauses between attempts to connect")
struct RedisBackoffTests {
    @Test("double up to two seconds, between a half and the whole of each", arguments: 0..<50)
    func bounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = RedisBackoff()
        var whole = RedisBackoff.first
        for attempt in 0..<100 {
            let pause = backoff.next(using: &generator)
            #expect(pause >= whole / 2 && pause <= whole, "seed \(seed), attempt \(attempt)")
            whole = min(whole * 2, RedisBackoff.longest)
        }
        backoff.reset()
        #expect(backoff.next(using: &generator) <= RedisBackoff.first, "seed \(seed)")
    }

    @Test("are not the same for two daemons")
    func jitter() {
        var (one, two) = (SeededGenerator(seed: 1), SeededGenerator(seed: 2))
        var (first, second) = (RedisBackoff(), RedisBackoff())
        let pauses = (0..<10).map { _ in first.next(using: &one) != second.next(using: &two) }
        #expect(pauses.contains(true))
    }
}
