import BroadsheetStores
import Foundation
import Testing

@Suite("Upgrading a SQLite store")
struct SQLiteUpgradeTests {
    /// `Fixtures/stores/version-1.db`, as a daemon of schema 1 left it: two screens with one page each,
    /// a name and an identity that are long enough to be summed in lanes since version 2.
    private func formerFile() throws -> DatabaseFile {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let former = root.appending(path: "Fixtures/stores/version-1.db")
        let file = try DatabaseFile()
        try file.replaceContents(with: [UInt8](Data(contentsOf: former)))
        return file
    }

    @Test("from schema 1 keeps every screen, page, revision and the identity, and goes on")
    func fromVersion1() async throws {
        let file = try formerFile()
        let log = EventLog()
        let long = try name("a-name-that-is-longer-than-thirty-two-bytes")
        var identity: StoreIdentity?
        try await file.withStore(SQLiteStoreOptions(onEvent: log.sink)) { store in
            identity = try await store.identity()
            let names = try await store.screens(after: nil, limit: 10)
            #expect(names.map(\.name.text) == [long.text, "cafe"])
            #expect(names.map(\.revision) == [1, 3])
            let pages = try await store.stored(long).pages
            #expect(pages.map(\.number) == [7])
            #expect(pages[0].bytes.count == 451)
            let cafe = try await store.stored(try name("cafe"))
            #expect(cafe.pages.map(\.number) == [1])
            #expect(try await store.put(8, "{}", to: long) == 2)
        }
        #expect(!log.events.contains { if case .damaged = $0 { true } else { false } })
        let again = try await file.withStore { store in
            (identity: try await store.identity(), screen: try await store.stored(long))
        }
        #expect(again.identity == identity)
        #expect(again.screen.pages.map(\.number) == [7, 8], "rows of both forms, side by side")
        // Offset 60 is the user version, big-endian (https://sqlite.org/fileformat.html).
        #expect(try file.contents()[60..<64].elementsEqual([0, 0, 0, 2]))
    }
}
