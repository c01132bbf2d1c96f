import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Readers of a screen that is replaced by PUT", .timeLimit(.minutes(hangMinutes)))
struct PutScreenReaderTests {
    private let path = PutScreenTests.path

    private func body(_ pages: [[Int]]) -> String {
        PutScreenTests.body(pages.map { ChangesEndpointTests.page($0) })
    }

    private static let sets: [[[Int]]] = [
        [[1, 2, 3], [4, 5]], [[1, 2, 3], [4, 9, 5], [6]], [[2, 3]], [[2, 3]], [[7], [2, 3], [1]],
    ]

    @Test("Changes lead from the tree before to the tree after, of all pages and of the lowest")
    func changes() async throws {
        let service = try await TestService()
        for extent in ["pages=all&", ""] {
            var before: ReceivedResponse?
            for pages in Self.sets {
                try await service.send("PUT", path, body(pages))
                let layout = try await service.send("GET", "\(path)/layout?\(extent)width=300")
                if let before {
                    let since = try before.number("/revision")
                    let changes = try await service.send(
                        "GET", "\(path)/changes?\(extent)width=300&since=\(Int(since))")
                    #expect(
                        try ChangesEndpointTests.applied(changes, to: before)
                            == ChangesEndpointTests.tree(layout))
                }
                before = layout
            }
        }
    }

    @Test("A stream has one event for each set that changes its tree, at every daemon")
    func streams() async throws {
        let store = ScreenStore.inMemory()
        let writer = try await TestService(store: store)
        try await writer.send("PUT", path, body(Self.sets[0]))
        let reader = try await writer.stream("?changes=true&pages=all&width=300")
        var view = try CollectionView(try #require(try await reader.next()).value)
        for pages in [Self.sets[1], Self.sets[2], Self.sets[4]] {
            try await writer.send("PUT", path, body(pages))
            // Nothing changes, so that there is no event.
            try await writer.send("PUT", path, body(pages))
            let event = try #require(try await reader.next())
            #expect(event.type == "changes")
            if event.type == "changes" { try view.apply(try event.value) }
            let layout = try await writer.send("GET", "\(path)/layout?pages=all&width=300")
            #expect(view.tree == (try TreeValue(layout.json)))
        }
        let other = try await TestService(store: store)
        let tree = try await other.send("GET", "\(path)/layout?pages=all&width=300")
        #expect(view.tree == (try TreeValue(tree.json)))
    }

    @Test("A request that waits for changes receives those of a PUT of the screen")
    func waiting() async throws {
        let sleep = ManualSleep()
        let service = try await TestService(clock: ManualClock().time, sleep: sleep.sleep)
        try await service.send("PUT", path, body(Self.sets[0]))
        async let response = service.send(
            "GET", "\(path)/changes?since=1&pages=all", headers: [.prefer: "wait=20"])
        while sleep.durations.isEmpty { await Task.yield() }
        try await service.send("PUT", path, body(Self.sets[1]))
        let changes = try await response
        #expect(changes.status == 200)
        #expect(try changes.number("/to/revision") == 2)
        #expect(try changes.number("/to/page") == 2)
    }

    @Test("A daemon that has the screen in memory serves what another one has put")
    func otherDaemons() async throws {
        let store = ScreenStore.inMemory()
        let services = [try await TestService(store: store), try await TestService(store: store)]
        for (index, pages) in Self.sets.enumerated() {
            let written = try await services[index % 2].send("PUT", path, body(pages))
            for service in services {
                let layout = try await service.send("GET", "\(path)/layout?pages=all")
                #expect(layout.text == written.text)
            }
        }
    }

    @Test("A token of a page that was removed leads to the next one that there is")
    func tokens() async throws {
        let service = try await TestService()
        try await service.send("PUT", path, body([[1], [2], [3]]))
        let first = try await service.send("GET", "\(path)/layout")
        let token = try first.string("/nextPageToken")
        try await service.send(
            "PUT", path,
            PutScreenTests.body(
                ChangesEndpointTests.page([1]), Pages.list(["x"], page: 7)))
        let next = try await service.send("GET", "\(path)/layout?pageToken=\(token)")
        #expect(try next.number("/page") == 7)
        try await service.send("PUT", path, body([[1]]))
        let none = try await service.send("GET", "\(path)/layout?pageToken=\(token)")
        #expect(none.code == "PAGE_NOT_LOADED")
    }

    @Test("Random writes of pages and screens leave the pages, tags and trees of a model")
    func random() async throws {
        let seed = SeededGenerator.seed(of: "PutScreenReaderTests")
        var random = SeededGenerator(seed: seed)
        for round in 0..<6 {
            var model = ScreenModel()
            let store = ScreenStore.inMemory()
            let services = [
                try await TestService(store: store), try await TestService(store: store),
            ]
            for step in 0..<25 {
                let comment: Comment = "seed \(seed), round \(round), step \(step)"
                let service = services[Int.random(in: 0...1, using: &random)]
                let write = model.randomWrite(using: &random)
                let written = try await service.send(
                    write.method, path + write.path, write.body)
                model.apply(write)
                #expect(written.etag == "\"r\(model.revision)\"", comment)
                for service in services { try await expect(model, service, comment) }
            }
        }
    }

    /// Compares the screen with a model of it.
    private func expect(
        _ model: ScreenModel, _ service: TestService, _ comment: Comment
    ) async throws {
        let state = try await service.send("GET", "\(path)/pages")
        let numbers = try state.value("/pages")?.elements.compactMap { $0["page"]?.int } ?? []
        #expect(numbers == model.pages.keys.sorted(), comment)
        #expect(try state.number("/revision") == Double(model.revision), comment)
        #expect(try state.number("/page") == Double(model.latest), comment)
        for (number, page) in model.pages {
            let found = try await service.send("GET", "\(path)/pages/\(number)")
            let tag = EntityTags.page(
                number, of: try #require(ScreenName("home")), writtenAt: page.revision,
                seal: service.service.renderer.seal)
            #expect(found.text == page.text && found.etag == tag.description, comment)
        }
        guard let last = model.pages.keys.max() else { return }
        let layout = try await service.send("GET", "\(path)/layout?pages=all")
        let composed = try await service.send(
            "POST", "/v1/layout",
            PutScreenTests.body(model.pages.sorted { $0.key < $1.key }.map(\.value.text)))
        #expect(try layout.itemIds == composed.itemIds, comment)
        #expect(try layout.number("/page") == Double(last), comment)
    }
}

/// The pages of a screen by the rules of docs/api.md.
private struct ScreenModel {
    /// A write, and the texts of the pages in it.
    struct Write {
        var method = "PUT"
        var path = ""
        var body = ""
        var pages: [Int: String] = [:]
        var removed: Int?
    }

    var pages: [Int: (text: String, revision: UInt64)] = [:]
    var revision: UInt64 = 0
    var latest = 0

    mutating func apply(_ write: Write) {
        if write.path.isEmpty {
            let isSame = write.pages == pages.mapValues(\.text)
            guard !isSame || revision == 0 else { return }
            revision += 1
            pages = Dictionary(
                uniqueKeysWithValues: write.pages.map { number, text in
                    let stored = pages[number]
                    let isKept = stored?.text == text
                    return (number, (text, isKept ? stored?.revision ?? 0 : revision))
                })
            latest = pages.keys.max() ?? 0
        } else if let removed = write.removed {
            revision += 1
            pages[removed] = nil
            if latest == removed { latest = pages.keys.max() ?? 0 }
        } else {
            revision += 1
            for (number, text) in write.pages {
                pages[number] = (text, revision)
                latest = number
            }
        }
    }

    func randomWrite(using random: inout SeededGenerator) -> Write {
        let kind = Int.random(in: 0...9, using: &random)
        if kind == 0, let number = pages.keys.sorted().randomElement(using: &random) {
            return Write(method: "DELETE", path: "/pages/\(number)", removed: number)
        }
        if kind <= 2 {
            let number = Int.random(in: 0...5, using: &random)
            let text = page(number, using: &random)
            return Write(path: "/pages/\(number)", body: text, pages: [number: text])
        }
        var chosen: [Int: String] = [:]
        for number in 0...5 where Bool.random(using: &random) {
            let stored = Bool.random(using: &random) ? pages[number]?.text : nil
            chosen[number] = stored ?? page(number, using: &random)
        }
        if chosen.isEmpty { chosen[3] = page(3, using: &random) }
        if Int.random(in: 0...4, using: &random) == 0, !pages.isEmpty {
            chosen = pages.mapValues(\.text)
        }
        let texts = chosen.sorted { $0.key < $1.key }.map(\.value)
        return Write(body: PutScreenTests.body(texts), pages: chosen)
    }

    private func page(_ number: Int, using random: inout SeededGenerator) -> String {
        Pages.list(["\(Int.random(in: 0...20, using: &random))"], page: number)
    }
}
