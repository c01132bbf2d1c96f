import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import Foundation
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Random windows of random histories", .timeLimit(.minutes(hangMinutes)))
struct RandomWindowTests {
    @Test(
        "The window that a client keeps is that of a fresh request, and its anchor the right one",
        arguments: SeededGenerator.seeds(of: "random windows", count: 4))
    func changes(seed: UInt64) async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        try await Self.check(
            try await WrittenScreen(seed: seed, store: store, sleep: { _ in }))
    }

    @Test("The same holds for a store in a file", arguments: 1...2)
    func stored(seed: UInt64) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try ScreenStore(
            path: folder.appending(path: "screens.db").path,
            options: SQLiteStoreOptions(history: HistoryBounds()))
        try await Self.check(
            try await WrittenScreen(seed: seed, store: store, sleep: { _ in }))
        await store.close()
    }

    private static func check(_ screen: WrittenScreen) async throws {
        var screen = screen
        var readers = (0..<6).map { _ in RandomWindowReader() }
        for _ in 0..<40 {
            if screen.once(in: 12) { try await screen.restart() }
            try await screen.write()
            for index in readers.indices where screen.once(in: 2) {
                try await readers[index].read(&screen)
            }
        }
        let counts = readers.map(\.changes).reduce(0, +)
        #expect(counts > 0, "BROADSHEET_SEED=\(screen.seed): all responses are resets")
    }

    @Test(
        "A stream of a window leads to the fresh window, also after connections were lost",
        arguments: SeededGenerator.seeds(of: "random window streams", count: 4))
    func streams(seed: UInt64) async throws {
        var screen = try await WrittenScreen(
            seed: seed, daemons: 1, store: ScreenStore.inMemory(history: HistoryBounds()),
            sleep: { try? await Task.sleep(for: $0) })
        var readers = (0..<4).map { _ in StreamingWindow() }
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

extension WrittenScreen {
    /// Returns the model of the tree as it is; `nil` without a screen.
    fileprivate mutating func windowModel() async throws -> WindowModel? {
        try await freshTree(.all, "width=390&coordinates=content").map {
            WindowModel(whole: $0.value)
        }
    }

    /// Returns the window around an item as a daemon that keeps nothing in memory returns it.
    fileprivate func freshWindow(
        _ identity: WindowModel.Identity, _ lengths: String
    ) async throws -> ReceivedResponse {
        try await fresh.send(
            "GET",
            "\(Self.path)/layout?\(lengths)&item=\(identity.item)&section=\(identity.section ?? "")"
        )
    }
}

/// A client that has a window, and asks for changes, in whatever way is right.
private struct RandomWindowReader {
    /// The number of responses that were no resets.
    var changes = 0
    private var view: CollectionView?
    private var version = ""
    /// The tree of all pages at the revision of the window.
    private var whole: WindowModel?

    private static let choices = [0, 40, 100, 150, 333, 1000]

    /// Reads the window, or its changes; it then has the fresh window.
    mutating func read(_ screen: inout WrittenScreen) async throws {
        guard let current = try await screen.windowModel() else { return forget() }
        guard let view, let whole else { return try await begin(&screen, current) }
        let window = view.tree["window"]
        let before = window?["before"]?.number ?? 0
        var after = window?["after"]?.number ?? 0
        var anchor = window?["item"]?.text.map {
            WindowModel.Identity(section: window?["section"]?.text, item: $0)
        }
        var (query, moves) = ("", false)
        switch Int.random(in: 0...9, using: &screen.random) {
        case 0:
            guard let place = current.places.randomElement(using: &screen.random) else { break }
            let wanted = current.identity(of: place)
            (anchor, moves) = (wanted, true)
            query = "&item=\(wanted.item)&section=\(wanted.section ?? "")"
        case 1:
            let wanted = Double(screen.pick(Self.choices))
            (after, moves) = (wanted, wanted != after)
            query = "&after=\(Int(after))"
        case 2, 3:
            let isNext = screen.once(in: 2)
            let name = isNext ? "nextPageToken" : "previousPageToken"
            let items = (view.tree["sections"]?.elements ?? []).flatMap { section in
                (section["items"]?.elements ?? []).map { item in
                    WindowModel.Identity(
                        section: section["id"]?.text, item: item["id"]?.text ?? "")
                }
            }
            guard let token = view.tree[name]?.text else { break }
            anchor = (isNext ? items.last : items.first) ?? anchor
            (query, moves) = ("&pageToken=\(token)", true)
        default: break
        }
        let waits = screen.once(in: 4)
        let response = try await screen.pick(screen.services).send(
            "GET", "\(WrittenScreen.path)/changes?since=\(version)\(query)",
            headers: waits ? [.prefer: "wait=5"] : [:])
        let place = Comment(
            rawValue: "BROADSHEET_SEED=\(screen.seed), revision \(screen.model.revision): "
                + "\(version)\(query): \(response.status) \(response.text)")
        if response.status == 404 {
            // Nothing replaces an anchor whose tree is not known; or the next page is not there.
            let isGone = anchor.map { current.place(of: $0) == nil } ?? false
            let isAbsent = query.hasPrefix("&pageToken") && response.code == "PAGE_NOT_LOADED"
            return #expect(isGone && response.code == "ITEM_NOT_FOUND" || isAbsent, place)
        }
        let item = anchor.flatMap { current.place(of: $0, after: whole) }
        let expected = current.window(around: item, before: before, after: after)
        if response.status == 204 {
            #expect(waits && !moves && Self.isSame(view.tree, expected), place)
            return
        }
        try #require(response.status == 200, place)
        var applied = view
        let document = try response.value
        try applied.apply(document)
        #expect(applied.tree.withoutTokens == expected, place)
        if document["reset"]?.bool == false {
            changes += 1
            #expect(!waits || moves || !Self.isSame(view.tree, expected), place)
        }
        try await keep(applied, document["to"], current, screen, place)
    }

    /// Keeps a window, after it was compared with a fresh one.
    private mutating func keep(
        _ view: CollectionView, _ version: TreeValue?, _ current: WindowModel,
        _ screen: WrittenScreen, _ place: Comment
    ) async throws {
        let window = view.tree["window"]
        if let item = window?["item"]?.text {
            let lengths =
                "width=390&before=\(Int(window?["before"]?.number ?? 0))"
                + "&after=\(Int(window?["after"]?.number ?? 0))"
            let fresh = try await screen.freshWindow(
                WindowModel.Identity(section: window?["section"]?.text, item: item), lengths)
            #expect(try fresh.value == view.tree, place)
            #expect(version?["tag"]?.text == fresh.tag, place)
        }
        self.view = view
        self.version =
            "\(version?["revision"]?.integer ?? 0).\(version?["tag"]?.text ?? "")"
        whole = current
    }

    private mutating func begin(
        _ screen: inout WrittenScreen, _ current: WindowModel
    ) async throws {
        let edge = screen.pick(["start", "end"])
        let (before, after) = (screen.pick(Self.choices), screen.pick(Self.choices))
        let response = try await screen.pick(screen.services).send(
            "GET",
            "\(WrittenScreen.path)/layout?width=390&edge=\(edge)&before=\(before)&after=\(after)")
        let place = Comment(rawValue: "BROADSHEET_SEED=\(screen.seed): \(response.text)")
        let item = edge == "start" ? current.places.first : current.places.last
        let expected = current.window(
            around: item, before: Double(before), after: Double(after))
        #expect(try response.value.withoutTokens == expected, place)
        let version = TreeValue.object([
            "revision": try #require(try response.value["revision"]), "tag": .string(response.tag),
        ])
        try await keep(
            try CollectionView(try response.value), version, current, screen, place)
    }

    private mutating func forget() { (view, whole) = (nil, nil) }

    /// Returns whether two windows are the same but for their revisions and tokens.
    private static func isSame(_ one: TreeValue, _ other: TreeValue) -> Bool {
        var members = one.withoutTokens.members ?? [:]
        members["revision"] = other["revision"]
        return .object(members) == other
    }
}

/// A client of a stream of a window, which connects again with the id of its last event.
private struct StreamingWindow {
    private var reader: StreamReader?
    private var view: CollectionView?
    private var id: String?

    mutating func disconnect() {
        reader?.close()
        reader = nil
    }

    /// Reads the events up to the fresh window around the anchor that it then has.
    mutating func read(_ screen: inout WrittenScreen) async throws {
        guard let current = try await screen.windowModel() else { return disconnect() }
        if reader == nil {
            let response = try await screen.services[0].send(
                "GET",
                "\(WrittenScreen.path)/stream?changes=true&edge=end&width=390&before=150&after=100",
                headers: id.map { [.lastEventID: $0] } ?? [:])
            guard response.code != "ITEM_NOT_FOUND" else {
                id = nil
                return try await read(&screen)
            }
            reader = try StreamReader(response.response)
        }
        while view.map({ $0.tree.withoutTokens.withoutRevision != Self.expected($0, current) })
            ?? true
        {
            let event = try #require(try await reader?.next())
            switch event.type {
            case "tree": view = try CollectionView(try event.value)
            case "changes": try view?.apply(try event.value)
            default:
                #expect(["removed", "problem"].contains(event.type))
                disconnect()
                (id, view) = (nil, nil)
                return try await read(&screen)
            }
            id = event.id
        }
    }

    /// Returns the window around the anchor of a view, as it is now; null if that is gone.
    private static func expected(_ view: CollectionView, _ current: WindowModel) -> TreeValue {
        let window = view.tree["window"]
        var place: WindowModel.Place?
        if let item = window?["item"]?.text {
            place = current.place(
                of: WindowModel.Identity(section: window?["section"]?.text, item: item))
            guard place != nil else { return .null }
        }
        return current.window(around: place, before: 150, after: 100).withoutRevision
    }
}

extension TreeValue {
    /// The tree without its revision.
    fileprivate var withoutRevision: TreeValue {
        var members = members ?? [:]
        members["revision"] = nil
        return .object(members)
    }
}
