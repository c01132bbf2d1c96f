import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The revision cache of a SQLite store")
struct SQLiteRevisionCacheTests {
    private let revisions = SQLiteRevisionCache(capacity: 4)

    private func write(_ text: String, _ revision: UInt64, expiry: Int64? = nil) throws {
        revisions.recordCommit([(try name(text), .written(revision, expiry: expiry))])
    }

    @Test("The cache has the last committed revision until the screen expires")
    func commits() throws {
        let home = try name("home")
        #expect(!revisions.isAt(1, home, at: 0))
        try write("home", 1)
        #expect(revisions.isAt(1, home, at: .max))
        try write("home", 2, expiry: 100)
        #expect(!revisions.isAt(1, home, at: 0))
        #expect(revisions.isAt(2, home, at: 99))
        #expect(!revisions.isAt(2, home, at: 100))
        revisions.recordCommit([])
        #expect(revisions.isAt(2, home, at: 0))
        revisions.recordCommit([(home, .written(3, expiry: nil)), (home, .removed)])
        #expect(!revisions.isAt(3, home, at: 0))
    }

    @Test("The cache ignores a read that began before a commit")
    func reads() throws {
        let home = try name("home")
        let before = revisions.beginRead()
        revisions.recordRead(1, expiry: nil, of: home, since: before)
        #expect(revisions.isAt(1, home, at: 0))
        try write("other", 7)
        revisions.recordRead(1, expiry: nil, of: try name("late"), since: before)
        #expect(!revisions.isAt(1, try name("late"), at: 0))
    }

    @Test("The cache never exceeds its capacity, and keeps its entries when they are updated")
    func limit() throws {
        for index in 0..<100 {
            try write("s\(index)", 1)
            #expect(revisions.count <= 4)
        }
        for revision in 2..<100 as Range<UInt64> { try write("s99", revision) }
        #expect(revisions.count == 4)
    }
}
