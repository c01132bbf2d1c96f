import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

/// The screen `home` at daemons with one store, which random writes change and a model follows.
struct WrittenScreen {
    static let path = "/v1/screens/home"

    /// The catalog of the daemons: rows whose parts depend on their data, and whose heights do not.
    private static let catalog = Catalogs.shop
        .replacing(
            #""sections":"#,
            with: #"""
                "fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}}, "sections":
                """#
        )
        .replacing(
            #""size": {"height": 100}"#,
            with: #"""
                "content": {"height": 100, "name": "row", "column": [
                  {"box": "", "fill": 1, "name": "photo"},
                  {"switch": "/t", "cases": {"0": {"text": "/id", "font": "f", "name": "new"}},
                   "default": {"row": [{"text": "/id", "font": "f", "fill": 1, "name": "title"},
                                       {"text": "/t", "font": "f", "name": "count"}]}}]}
                """#)

    /// A tree as a daemon that keeps nothing in memory returns it.
    struct FreshTree {
        let value: TreeValue
        let tag: String

        var revision: Int { value["revision"]?.integer ?? -1 }
        var page: Int { value["page"]?.integer ?? -1 }
    }

    let seed: UInt64
    var random: SeededGenerator
    private(set) var model = HistoryModel()
    private(set) var services: [TestService] = []
    private let store: ScreenStore
    private let sleep: @Sendable (Duration) async -> Void
    /// A daemon that keeps nothing in memory.
    let fresh: TestService
    /// The trees by their request, bound and revision, and by their tags.
    private var trees: [String: TreeValue] = [:]
    private var nextItem = 0
    private var writeCount = 0

    /// Creates a screen that does not exist yet.
    init(
        seed: UInt64, daemons: Int = 2, store: ScreenStore = ScreenStore.inMemory(),
        sleep: @escaping @Sendable (Duration) async -> Void
    ) async throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        self.store = store
        self.sleep = sleep
        fresh = try await TestService(
            store: store, catalog: Self.catalog, screenCacheBytes: 0, layoutCacheBytes: 0,
            historyBytes: 0)
        for _ in 0..<daemons { services.append(try await daemon()) }
    }

    /// Returns one of some values.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// Returns `true` once in a number of times.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// Replaces a daemon by one that has observed nothing.
    mutating func restart() async throws {
        let index = Int.random(in: 0..<services.count, using: &random)
        services[index] = try await daemon()
    }

    private mutating func daemon() async throws -> TestService {
        try await TestService(
            store: store, catalog: Self.catalog, screenCacheBytes: once(in: 4) ? 0 : nil,
            layoutCacheBytes: pick([nil, nil, 0, 20_000]), historyBytes: once(in: 3) ? 0 : nil,
            sleep: sleep)
    }
}

/// Writes.
extension WrittenScreen {
    /// Writes something, at any daemon.
    mutating func write() async throws {
        let number = Int.random(in: 0...5, using: &random)
        switch Int.random(in: 0...27, using: &random) {
        case 0: try await removeAll()
        case 1 where once(in: 2): try await removeScreen()
        case 2...7: try await remove(number)
        case 8, 9: try await patch(number)
        case 10...16: try await update()
        case 17, 18: if let page = model.pages?[number] { try await put(number, page) }
        default:
            let page = page()
            try await put(number, page)
        }
    }

    private mutating func page() -> HistoryModel.Page {
        let ids = ["A", "B", "C"].shuffled(using: &random)
            .prefix(Int.random(in: 1...2, using: &random))
        return HistoryModel.Page(
            hasNext: Bool.random(using: &random), hasPrevious: once(in: 4),
            sections: ids.map { id in
                let count = Int.random(in: 1...3, using: &random)
                defer { nextItem += count }
                return HistoryModel.Section(
                    id: id, items: (nextItem..<nextItem + count).map { "i\($0)" })
            })
    }

    /// Sends a write, and adds what it leaves to the model.
    @discardableResult
    private mutating func send(
        _ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:],
        leaving pages: [Int: HistoryModel.Page]?
    ) async throws -> ReceivedResponse {
        let response = try await pick(services).send(
            method, Self.path + path, body, headers: headers)
        try #require(
            response.status < 300 || response.status == 404,
            "BROADSHEET_SEED=\(seed): \(method) \(path): \(response.text)")
        if response.status < 300 {
            let revision = response.etag.flatMap { Int($0.dropFirst(2).dropLast()) }
            model.write(revision ?? model.revision, pages)
        }
        return response
    }

    private mutating func put(_ number: Int, _ page: HistoryModel.Page) async throws {
        var page = page
        writeCount += 1
        page.write = writeCount
        var pages = model.pages ?? [:]
        pages[number] = page
        try await send("PUT", "/pages/\(number)", Self.body(of: page), leaving: pages)
    }

    private mutating func remove(_ number: Int) async throws {
        var pages = model.pages
        pages?[number] = nil
        try await send("DELETE", "/pages/\(number)", leaving: pages)
    }

    private mutating func removeAll() async throws {
        let headers: HTTPHeaders = once(in: 2) ? ["Broadsheet-TTL": "none"] : [:]
        try await send(
            "DELETE", "/pages", headers: headers, leaving: model.pages == nil ? nil : [:])
    }

    private mutating func removeScreen() async throws {
        try await send("DELETE", "", leaving: nil)
    }

    /// Replaces `hasNext` or `hasPrevious` of a page.
    private mutating func patch(_ number: Int) async throws {
        guard var pages = model.pages, var page = pages[number] else { return }
        writeCount += 1
        page.write = writeCount
        let isNext = once(in: 2)
        if isNext { page.hasNext.toggle() } else { page.hasPrevious.toggle() }
        pages[number] = page
        let member =
            isNext ? #""hasNext":\#(page.hasNext)"# : #""hasPrevious":\#(page.hasPrevious)"#
        try await send(
            "PATCH", "/pages/\(number)", "{\(member)}",
            headers: [.contentType: "application/merge-patch+json"], leaving: pages)
    }

    /// Edits an item, or collapses or expands a section; the response leads to the tree of all
    /// pages.
    private mutating func update() async throws {
        guard var pages = model.pages,
            let number = pages.keys.sorted().randomElement(using: &random),
            let section = pages[number]?.sections.randomElement(using: &random)
        else { return }
        writeCount += 1
        let edit =
            switch Int.random(in: 0...9, using: &random) {
            case 0, 1: toggle(section.id, in: &pages)
            case 2...4: move(in: section.id, of: &pages)
            default: editItem(of: section, at: number, in: &pages)
            }
        guard let edit else { return }
        let response = try await send(
            "POST", "/updates", #"{"operations":[{\#(edit),"section":"\#(section.id)"}]}"#,
            leaving: pages)
        guard response.status == 200 else { return }
        let tree = try await freshTree(.all)
        #expect(try response.string("/to/tag") == tree?.tag, "BROADSHEET_SEED=\(seed)")
    }

    /// Collapses or expands a section in the last page that has it; returns the operation.
    private func toggle(_ section: String, in pages: inout [Int: HistoryModel.Page]) -> String? {
        let parts = pages.keys.sorted().compactMap { number in
            pages[number]?.sections.first { $0.id == section }.map { (number, $0.isCollapsed) }
        }
        guard let last = parts.last?.0 else { return nil }
        let isCollapsed = parts.compactMap(\.1).last ?? false
        pages.edit(section, of: last, by: writeCount) { $0.isCollapsed = !isCollapsed }
        return #""op":"toggleSection""#
    }

    /// Moves an item after another one of its section, on any page; returns the operation.
    private mutating func move(
        in section: String, of pages: inout [Int: HistoryModel.Page]
    ) -> String? {
        let items = pages.keys.sorted().flatMap { number in
            (pages[number]?.sections.first { $0.id == section }?.items ?? []).map { (number, $0) }
        }
        let chosen = items.shuffled(using: &random).prefix(2)
        guard let (from, item) = chosen.first, let (to, other) = chosen.last, item != other else {
            return nil
        }
        pages.edit(section, of: from, by: writeCount) { $0.items.removeAll { $0 == item } }
        pages.edit(section, of: to, by: writeCount) { $0.insert(item, after: other) }
        return #""op":"moveItems","items":["\#(item)"],"after":"\#(other)""#
    }

    /// Changes or deletes an item, or inserts one after it; returns the operation.
    private mutating func editItem(
        of section: HistoryModel.Section, at number: Int,
        in pages: inout [Int: HistoryModel.Page]
    ) -> String? {
        guard let item = section.items.randomElement(using: &random) else { return nil }
        switch Int.random(in: 0...2, using: &random) {
        case 0:
            pages.edit(section.id, of: number, by: writeCount) { _ in }
            return #""op":"patchItem","item":"\#(item)","patch":{"t":\#(writeCount)}"#
        case 1:
            pages.edit(section.id, of: number, by: writeCount) {
                $0.items.removeAll { $0 == item }
            }
            return #""op":"deleteItems","items":["\#(item)"]"#
        default:
            let new = "i\(nextItem)"
            nextItem += 1
            pages.edit(section.id, of: number, by: writeCount) { $0.insert(new, after: item) }
            return #""op":"insertItems","data":[{"id":"\#(new)","t":0}],"after":"\#(item)""#
        }
    }

    private static func body(of page: HistoryModel.Page) -> String {
        let sections = page.sections.map { section in
            let items = section.items.map { #"{"id":"\#($0)","t":0}"# }.joined(separator: ",")
            let collapsed = section.isCollapsed.map { #""collapsed":\#($0),"# } ?? ""
            let units = #"[{"unitType":"LIST","unitData":[\#(items)]}]"#
            return #"{"sectionId":"\#(section.id)",\#(collapsed)"units":\#(units)}"#
        }
        return #"{"hasNext":\#(page.hasNext),"hasPrevious":\#(page.hasPrevious),"#
            + #""sections":[\#(sections.joined(separator: ","))]}"#
    }
}

extension [Int: HistoryModel.Page] {
    /// Edits a section of a page by a write.
    fileprivate mutating func edit(
        _ section: String, of number: Int, by write: Int,
        _ body: (inout HistoryModel.Section) -> Void
    ) {
        guard var page = self[number],
            let index = page.sections.firstIndex(where: { $0.id == section })
        else { return }
        body(&page.sections[index])
        page.write = write
        self[number] = page
    }
}

extension HistoryModel.Section {
    /// Inserts an item after another one.
    fileprivate mutating func insert(_ item: String, after other: String) {
        guard let index = items.firstIndex(of: other) else { return }
        items.insert(item, at: index + 1)
    }
}

/// Trees.
extension WrittenScreen {
    /// Returns the tree of a form, after it was compared with the model, and with all earlier ones
    /// that must be the same; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - layout: The parameters of the layout.
    ///   - token: The token of the form ``ReadForm/after(_:)``, which has them.
    mutating func freshTree(
        _ form: ReadForm, _ layout: String = "width=390", token: String? = nil
    ) async throws -> FreshTree? {
        let expected = model.tree(form)
        let response = try await Self.read(form, layout, token: token, at: fresh)
        guard let expected else {
            #expect(response.status == 404, "BROADSHEET_SEED=\(seed)")
            return nil
        }
        let tree = try Self.tree(response)
        compare(tree, with: expected, form, layout)
        return tree
    }

    /// Requests the tree of a form: up to a page that need not be stored, as a reset.
    static func read(
        _ form: ReadForm, _ layout: String, token: String? = nil, at service: TestService
    ) async throws -> ReceivedResponse {
        let query =
            switch form {
            case .lowest: "layout?\(layout)"
            case .all: "layout?\(layout)&pages=all"
            case .upTo(let bound): "changes?\(layout)&since=0&page=\(bound)"
            case .after: "layout?pageToken=\(token ?? "")"
            }
        return try await service.send("GET", "\(path)/\(query)")
    }

    /// Returns the tree of a response to ``read(_:_:token:at:)``.
    static func tree(_ response: ReceivedResponse) throws -> FreshTree {
        let value = TreeValue(try response.json)
        if let tag = response.etag {
            return FreshTree(value: value, tag: tag.filter { $0 != "\"" })
        }
        #expect(value["reset"]?.bool == true)
        return FreshTree(
            value: try #require(value["tree"], "\(response.text)"),
            tag: try response.string("/to/tag"))
    }

    private mutating func compare(
        _ tree: FreshTree, with expected: HistoryModel.Tree, _ form: ReadForm, _ layout: String
    ) {
        let place = Comment(rawValue: "BROADSHEET_SEED=\(seed), \(form) at \(model.revision)")
        #expect(HistoryModel.Section.sections(of: tree.value) == expected.sections, place)
        #expect(tree.page == expected.last ?? 0, place)
        #expect(tree.value["pageCount"]?.integer == expected.pages.count, place)
        #expect(tree.value["hasNext"]?.bool == expected.hasNext, place)
        let (first, last) = (model.lastDifference(form), model.lastDifference(.all))
        // Up to a page that is not stored, a revision may be later than the last difference.
        var bound = tree.page
        if case .upTo(let page) = form { bound = page }
        #expect(first <= tree.revision && tree.revision <= last, place)
        #expect(tree.page < bound || tree.revision == first, place)
        let key = form == .all ? "all" : "\(form) up to \(bound)"
        for name in ["\(layout) \(key) at \(tree.revision)", tree.tag] {
            #expect(trees[name, default: tree.value] == tree.value, place)
            trees[name] = tree.value
        }
    }
}
