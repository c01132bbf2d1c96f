import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import Foundation
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Random readers of random histories", .timeLimit(.minutes(hangMinutes)))
struct RandomReaderTests {
    private static let seeds = SeededGenerator.seeds(of: "random readers", count: 8)

    @Test(
        "Changes that are applied to the tree of a reader always give the fresh tree",
        arguments: seeds)
    func changes(seed: UInt64) async throws {
        // Requests that wait do not wait.
        let screen = try await WrittenScreen(seed: seed, sleep: { _ in })
        try await Self.check(screen, steps: 40)
    }

    @Test("The same holds for a store in a file, which knows what its rows have", arguments: 1...3)
    func stored(seed: UInt64) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try ScreenStore(path: folder.appending(path: "screens.db").path)
        let screen = try await WrittenScreen(seed: seed, store: store, sleep: { _ in })
        try await Self.check(screen, steps: 40)
        await store.close()
    }

    private static func check(_ screen: WrittenScreen, steps: Int) async throws {
        var screen = screen
        let forms: [ReadForm] = [.lowest, .all, .upTo(0), .upTo(1), .upTo(3), .upTo(7)]
        var readers = (forms + forms).map {
            RandomReader(form: $0, layout: screen.pick(RandomReader.layouts))
        }
        for _ in 0..<steps {
            if screen.once(in: 12) { try await screen.restart() }
            try await screen.write()
            for index in readers.indices where screen.once(in: 3) {
                try await readers[index].read(&screen)
            }
        }
        let counts = readers.map(\.changes).reduce(0, +)
        #expect(counts > 0, "BROADSHEET_SEED=\(screen.seed): all responses are resets")
    }

    @Test(
        "A stream leads to the fresh tree, also after the daemon or the screen was gone",
        arguments: SeededGenerator.seeds(of: "random streams", count: 4))
    func streams(seed: UInt64) async throws {
        var screen = try await WrittenScreen(
            seed: seed, daemons: 1, sleep: { try? await Task.sleep(for: $0) })
        let forms: [ReadForm] = [.lowest, .all, .all, .upTo(0), .upTo(2), .upTo(7)]
        var readers = forms.map { StreamingReader(form: $0) }
        for _ in 0..<40 {
            if screen.once(in: 10) || screen.model.pages == nil {
                for index in readers.indices { readers[index].disconnect() }
                try await screen.restart()
            }
            try await screen.write()
            for index in readers.indices where screen.once(in: 3) {
                try await readers[index].read(&screen)
            }
        }
        for index in readers.indices { readers[index].disconnect() }
    }
}

/// A client that has a tree and asks for changes, in whatever way is right.
private struct RandomReader {
    static let layouts = ["width=390", "width=320&coordinates=content"]

    var form: ReadForm
    let layout: String
    /// The number of responses that were no resets.
    var changes = 0
    private var view: CollectionView?
    private var tree: WrittenScreen.FreshTree?
    /// The revision of the screen when the tree was read.
    private var screenRevision = 0
    private var token: String?

    init(form: ReadForm, layout: String) {
        self.form = form
        self.layout = layout
    }

    /// Reads the tree, or its changes; it then has the fresh tree.
    mutating func read(_ screen: inout WrittenScreen) async throws {
        guard let tree, var view else { return try await begin(&screen) }
        let (form, query, token) = request(from: tree, &screen)
        let known = screen.pick([tree.revision, screenRevision])
        let since = screen.once(in: 2) ? "\(known)" : "\(known).\(tree.tag)"
        let waits = screen.once(in: 4)
        let response = try await screen.pick(screen.services).send(
            "GET", "\(WrittenScreen.path)/changes?since=\(since)\(query)",
            headers: waits ? [.prefer: "wait=5"] : [:])
        let place = Comment(
            rawValue: "BROADSHEET_SEED=\(screen.seed), revision \(screen.model.revision): "
                + "\(tree.page) at \(since)\(query): \(response.status) \(response.text)")
        guard let fresh = try await screen.freshTree(form, layout, token: token) else {
            #expect(response.status == 404, place)
            return
        }
        if form == self.form, fresh.value == tree.value {
            #expect(waits == (response.status == 204), place)
        }
        if response.status == 204 {
            #expect(waits && Self.isSame(tree, fresh, isSameForm: form == self.form), place)
            return
        }
        try #require(response.status == 200, place)
        let document = TreeValue(try response.json)
        try view.apply(document)
        #expect(view.tree == fresh.value, place)
        let isReset = document["reset"]?.bool == true
        if !isReset { changes += 1 }
        if form == self.form, fresh.value == tree.value {
            #expect(!isReset && document["stages"]?.elements?.isEmpty == true, place)
        }
        #expect(document["to"]?["revision"]?.integer == fresh.revision, place)
        #expect(document["to"]?["tag"]?.text == fresh.tag, place)
        keep(fresh, view, form, screen.model.revision)
        self.token = token
    }

    /// Returns what the reader asks for: a form, the query for it after `since`, and its token.
    private func request(
        from tree: WrittenScreen.FreshTree, _ screen: inout WrittenScreen
    ) -> (form: ReadForm, query: String, token: String?) {
        let page = "&page=\(tree.page)"
        switch Int.random(in: 0...9, using: &screen.random) {
        case 0: return (.upTo(tree.page), "&\(layout)\(page)", nil)
        case 1: return (.all, "&\(layout)\(page)&pages=all", nil)
        case 2...3:
            guard let next = tree.value["nextPageToken"]?.text else { break }
            let named = screen.once(in: 2) ? page : ""
            return (.after(tree.page), "\(named)&pageToken=\(next)", next)
        default: break
        }
        switch form {
        case .lowest: return (form, "&\(layout)", nil)
        case .all: return (form, "&\(layout)&pages=all", nil)
        case .upTo(let bound): return (form, "&\(layout)&page=\(bound)", nil)
        case .after: return (form, "\(page)&pageToken=\(token ?? "")", token)
        }
    }

    private mutating func begin(_ screen: inout WrittenScreen) async throws {
        let service = screen.pick(screen.services)
        guard let fresh = try await screen.freshTree(form, layout) else { return }
        let found = try WrittenScreen.tree(
            try await WrittenScreen.read(form, layout, at: service))
        #expect(found.value == fresh.value, "BROADSHEET_SEED=\(screen.seed)")
        keep(fresh, try CollectionView(fresh.value), form, screen.model.revision)
    }

    private mutating func keep(
        _ tree: WrittenScreen.FreshTree, _ view: CollectionView, _ form: ReadForm,
        _ screenRevision: Int
    ) {
        self.tree = tree
        self.view = view
        self.form = form
        self.screenRevision = screenRevision
    }

    /// Returns whether nothing is new between two trees: if they have other bounds, they may differ
    /// in their revision.
    private static func isSame(
        _ old: WrittenScreen.FreshTree, _ new: WrittenScreen.FreshTree, isSameForm: Bool
    ) -> Bool {
        guard !isSameForm, case .object(var members) = old.value else {
            return old.value == new.value
        }
        members["revision"] = new.value["revision"]
        return .object(members) == new.value
    }
}

/// A client of a stream, which connects again with the id of its last event.
private struct StreamingReader {
    let form: ReadForm
    private var reader: StreamReader?
    private var view: CollectionView?
    private var id: String?

    init(form: ReadForm) { self.form = form }

    mutating func disconnect() {
        reader?.close()
        reader = nil
    }

    /// Reads the events up to the fresh tree.
    mutating func read(_ screen: inout WrittenScreen) async throws {
        guard let fresh = try await screen.freshTree(form) else { return disconnect() }
        if reader == nil {
            let pages =
                switch form {
                case .all: "&pages=all"
                case .upTo(let bound): "&page=\(bound)"
                case .lowest, .after: ""
                }
            reader = try await screen.services[0].stream(
                "?changes=true&width=390\(pages)", headers: id.map { ["Last-Event-ID": $0] } ?? [:])
        }
        while id?.hasSuffix(".\(fresh.tag)") != true {
            let event = try #require(try await reader?.next())
            // The stream of a screen that was removed ends.
            guard event.type != "removed" else {
                disconnect()
                return try await read(&screen)
            }
            id = event.id
            if event.type == "tree" {
                view = try CollectionView(try event.value)
            } else {
                try view?.apply(try event.value)
            }
        }
        #expect(view?.tree == fresh.value, "BROADSHEET_SEED=\(screen.seed), \(form)")
        #expect(id == "\(fresh.revision).\(fresh.tag)")
    }
}
