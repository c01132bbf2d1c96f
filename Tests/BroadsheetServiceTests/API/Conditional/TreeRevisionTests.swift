import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The revision and the tag of a tree (docs/api.md, Revisions)")
struct TreeRevisionTests {
    private let home = "/v1/screens/home"

    /// Returns a service with the screen `home`, whose pages 0 to 2 declare a next one.
    private func service() async throws -> TestService {
        let service = try await TestService()
        for page in 0..<3 { try await put(page, "\(page)", to: service) }
        return service
    }

    @discardableResult
    private func put(
        _ page: Int, _ id: String, hasNext: Bool = true, to service: TestService
    ) async throws -> ReceivedResponse {
        try await service.send(
            "PUT", "\(home)/pages/\(page)", Pages.list([id], hasNext: hasNext))
    }

    /// Returns the tree of `home` up to a page.
    private func tree(
        upTo page: Int, _ service: TestService
    ) async throws -> ReceivedResponse {
        guard page > 0 else { return try await service.send("GET", "\(home)/layout") }
        let seal = TokenSeal(try await service.store.identity())
        let token = PageToken(after: page - 1, LayoutParameters()).sealed(by: seal, for: "home")
        return try await service.send("GET", "\(home)/layout?pageToken=\(token)")
    }

    @Test("A tree has the last revision that changed it; the same bytes stored again count")
    func revisions() async throws {
        let service = try await service()
        func revisions() async throws -> [Double] {
            var found: [Double] = []
            for page in 0..<3 {
                found.append(try await tree(upTo: page, service).number("/revision"))
            }
            return found
        }
        #expect(try await revisions() == [1, 2, 3])
        try await put(1, "1", to: service)
        #expect(try await revisions() == [1, 4, 4])
        // Without hasNext of its own, page 2 has a next one as long as page 3 is stored.
        try await put(2, "2", hasNext: false, to: service)
        #expect(try await revisions() == [1, 4, 5])
        try await put(3, "3", to: service)
        #expect(try await revisions() == [1, 4, 6])
        try await service.send("DELETE", "\(home)/pages/3")
        #expect(try await revisions() == [1, 4, 7])
        try await service.send("DELETE", "\(home)/pages/0")
        #expect(try await tree(upTo: 2, service).number("/revision") == 8)
        try await service.send("DELETE", "\(home)/pages")
        #expect(try await service.send("GET", "\(home)/layout").number("/revision") == 9)
    }

    @Test("A write keeps the cached layouts of trees that it does not change")
    func cached() async throws {
        let service = try await service()
        for _ in 0..<2 {
            try await service.send("GET", "\(home)/layout")
            try await service.send("GET", "\(home)/layout?pages=all")
        }
        func misses() async throws -> Double {
            let kind = LayoutKey.Content.tree.label
            return try await service.metric(
                "broadsheet_layout_cache_misses_total{kind=\"\(kind)\"}")
        }
        #expect(try await misses() == 2)
        try await put(2, "c", to: service)
        try await service.send("GET", "\(home)/layout")
        #expect(try await misses() == 2)
        try await service.send("GET", "\(home)/layout?pages=all")
        #expect(try await misses() == 3)
    }

    @Test(
        "Trees of random histories have the revision of a model, and equal tags mean equal bytes",
        arguments: 1...6)
    func model(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let service = try await TestService()
        // A second service without caches agrees, whatever it has observed of the history.
        let other = try await TestService(
            store: service.store, screenCacheBytes: 0, layoutCacheBytes: 0)
        var model = TreeRevisionModel()
        var bodies: [String: [UInt8]] = [:]
        for step in 1...60 {
            let page = Int.random(in: 0...5, using: &random)
            let hasNext = Bool.random(using: &random)
            let writer = Bool.random(using: &random) ? service : other
            switch Int.random(in: 0...9, using: &random) {
            case 0:
                let removed = try await writer.send("DELETE", "\(home)/pages")
                if let tag = removed.etag { model.write(tag) { $0 = [:] } }
            case 1...3:
                let removed = try await writer.send("DELETE", "\(home)/pages/\(page)")
                if let tag = removed.etag { model.write(tag) { $0[page] = nil } }
            default:
                let id = "\(Int.random(in: 0...2, using: &random))"
                let stored = try await put(page, id, hasNext: hasNext, to: writer)
                let tag = try #require(stored.etag)
                model.write(tag) { $0[page] = .init(hasNext: hasNext, write: step) }
            }
            for (last, revision) in model.trees {
                for reader in [service, other] {
                    let found = try await tree(upTo: last, reader)
                    #expect(
                        try found.number("/revision") == Double(revision),
                        "seed \(seed), step \(step), page \(last)")
                    let tag = try #require(found.etag)
                    #expect(bodies[tag, default: found.response.body] == found.response.body)
                    bodies[tag] = found.response.body
                }
            }
        }
    }
}

/// The pages of a screen after each revision, from which those that changed a tree are derived by
/// comparing the trees.
private struct TreeRevisionModel {
    /// A stored page; each write of it is another one.
    struct Page: Equatable {
        let hasNext: Bool
        let write: Int
    }

    private var states: [(revision: Int, pages: [Int: Page])] = []

    /// Adds a state after a write that returned `tag`, unless the revision is not new.
    mutating func write(_ tag: String, _ change: (inout [Int: Page]) -> Void) {
        let revision = Int(tag.dropFirst(2).dropLast()) ?? 0
        guard revision > states.last?.revision ?? 0 else { return }
        var pages = states.last?.pages ?? [:]
        change(&pages)
        states.append((revision, pages))
    }

    /// The highest page of each tree, and the last revision after which the tree was another one
    /// than before.
    var trees: [Int: Int] {
        let pages = states.last?.pages ?? [:]
        return pages.keys.reduce(into: [:]) { found, last in
            var former = states.last
            for state in states.reversed() {
                guard
                    Self.tree(upTo: last, of: state.pages)
                        == Self.tree(upTo: last, of: former?.pages ?? [:])
                else { break }
                former = state
            }
            found[last] = former?.revision
        }
    }

    private static func tree(upTo last: Int, of pages: [Int: Page]) -> [Int: Page] {
        var tree = pages.filter { $0.key <= last }
        let hasNext = pages[last]?.hasNext == true || pages.contains { $0.key > last }
        tree[-1] = Page(hasNext: hasNext, write: 0)
        return tree
    }
}
