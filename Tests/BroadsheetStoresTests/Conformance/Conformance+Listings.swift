import BroadsheetStores
import Testing

extension StoreConformance {
    static let listings = [
        Requirement("screens are listed in the order of their names' bytes, with revisions") {
            store in
            for text in ["b", "a", "B", "~", "10", "9", "a.b", "a-b", "-"] {
                try await store.put(0, to: name(text))
            }
            try await store.put(1, to: name("b"))
            let listed = try await store.screens(after: nil, limit: 100)
            #expect(listed.map(\.name.text) == ["-", "10", "9", "B", "a", "a-b", "a.b", "b", "~"])
            #expect(listed.map(\.revision) == [1, 1, 1, 1, 1, 1, 1, 2, 1])
        },
        Requirement("a listing goes on after a name, there or not, and stops at its limit") {
            store in
            for text in ["a", "c", "e", "g"] { try await store.put(0, to: name(text)) }
            func listed(_ after: String?, _ limit: Int) async throws -> [String] {
                try await store.screens(after: after.map(name), limit: limit).map(\.name.text)
            }
            #expect(try await listed(nil, 2) == ["a", "c"])
            #expect(try await listed("c", 2) == ["e", "g"])
            #expect(try await listed("d", 1) == ["e"])
            #expect(try await listed("g", 5) == [])
            #expect(try await listed(nil, 0) == [])
        },
        Requirement("a removed screen is listed no more, one made anew again") { store in
            try await store.put(0, to: name("a"))
            try await store.put(0, to: name("b"))
            try await store.write(.removeScreen, to: name("a"))
            #expect(try await store.screens(after: nil, limit: 9).map(\.name.text) == ["b"])
            try await store.put(0, to: name("a"))
            #expect(try await store.screens(after: nil, limit: 9).map(\.name.text) == ["a", "b"])
        },
    ]
}
