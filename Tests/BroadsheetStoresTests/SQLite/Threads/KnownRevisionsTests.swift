import Testing

@testable import BroadsheetStores

@Suite("What is known of screens in a SQLite file")
struct KnownRevisionsTests {
    private let known = KnownRevisions(capacity: 4)

    private func write(_ text: String, _ revision: UInt64, expiry: Int64? = nil) throws {
        known.record([(try name(text), .written(revision, expiry: expiry))])
    }

    @Test("is what was committed last, until its time is over")
    func commits() throws {
        let home = try name("home")
        #expect(!known.isAt(1, home, at: 0))
        try write("home", 1)
        #expect(known.isAt(1, home, at: .max))
        try write("home", 2, expiry: 100)
        #expect(!known.isAt(1, home, at: 0))
        #expect(known.isAt(2, home, at: 99))
        #expect(!known.isAt(2, home, at: 100))
        known.record([(home, .conflict(9))])
        #expect(known.isAt(2, home, at: 0))
        known.record([(home, .removed(2))])
        #expect(!known.isAt(2, home, at: 0))
    }

    @Test("is not what was read before a commit")
    func readings() throws {
        let home = try name("home")
        let before = known.beginReading()
        known.learn(1, expiry: nil, of: home, since: before)
        #expect(known.isAt(1, home, at: 0))
        try write("other", 7)
        known.learn(1, expiry: nil, of: try name("late"), since: before)
        #expect(!known.isAt(1, try name("late"), at: 0))
    }

    @Test("is never of more screens than its limit, and not forgotten for those that are known")
    func limit() throws {
        for index in 0..<100 {
            try write("s\(index)", 1)
            #expect(known.count <= 4)
        }
        for revision in 2..<100 as Range<UInt64> { try write("s99", revision) }
        #expect(known.count == 4)
    }
}
