import Broadsheet
import TestSupport
import Testing

@Suite("The cost of searches in updates (docs/edits.md, Cost)") struct SearchCostTests {
    private static let items = 3_000

    /// A kind of operation that searches for items.
    enum Kind: CaseIterable {
        case numbered, upserts, upsertsOfNew, moves, numberedMoves, chains, names, indexes
        case divisions, repeatedNumbers

        /// The ids of the items before the operations.
        fileprivate var ids: [String] {
            let numbers = 0..<SearchCostTests.items
            return switch self {
            case .numbered, .numberedMoves: numbers.map { _ in "a" }
            case .chains: (0..<300).map { "a" + String(repeating: "#2", count: $0) }
            case .repeatedNumbers: numbers.map { $0 % 2 == 0 ? "a" : "a#\($0)" }
            default: numbers.map { "i\($0)" }
            }
        }

        /// Returns the operation of a number.
        fileprivate func operation(_ number: Int) -> String {
            let count = SearchCostTests.items
            func ids(_ names: Int, _ prefix: String = "i") -> [String] {
                (0..<names).map { "\(prefix)\((number * names + $0) % count)" }
            }
            func list(_ ids: [String]) -> String {
                ids.map { #""\#($0)""# }.joined(separator: ",")
            }
            func data(_ ids: [String]) -> String {
                ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            }
            return switch self {
            case .numbered: patch("a#\(2 + number * 7 % (count - 2))")
            case .chains: patch("a" + String(repeating: "#2", count: 299 - number % 50))
            case .names: patch("i\(number * 7 % count)")
            case .repeatedNumbers: patch("a#\(2 + number * 2)")
            case .upserts:
                #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[\#(data(ids(17)))]}"#
            case .upsertsOfNew:
                #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[\#(data(ids(17, "n")))]}"#
            case .moves: #"{"op":"moveItems","section":"A","items":[\#(list(ids(257)))]}"#
            case .numberedMoves:
                #"{"op":"moveItems","section":"A","items":["a#\#(2 + number * 7 % (count - 2))"]}"#
            case .indexes:
                #"{"op":"moveItems","section":"A","items":[\#((0..<257).map { "\($0)" }.joined(separator: ","))]}"#
            case .divisions:
                #"{"op":"insertItems","section":"A","before":"i\#(number * 7 % (count - 1) + 1)","units":[{"t":"HEAD","d":{}}]}"#
            }
        }

        private func patch(_ id: String) -> String {
            #"{"op":"patchItem","section":"A","item":"\#(id)","patch":{"v":1}}"#
        }
    }

    /// Applies operations to a page of a list as one update, and returns their work.
    private func work(_ kind: Kind, operations: Range<Int>) throws -> EditWork {
        let catalog = try updateCatalog()
        let items = kind.ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        var model = try viewModel(
            [#"{"s":[{"id":"A","u":[{"t":"LIST","d":[\#(items)]}]}]}"#], by: catalog)
        let texts = operations.map(kind.operation).joined(separator: ",")
        let update = try ScreenUpdate(
            JSONDocument(Array(#"{"operations": [\#(texts)]}"#.utf8)),
            names: catalog.registry.names)
        var work = EditWork()
        try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
            for operation in update.operations { try updater.apply(operation) }
            work = updater.work
        }
        return work
    }

    @Test(
        "Many operations take less than so many times the steps of one, and a few passes",
        arguments: Kind.allCases)
    func steps(of kind: Kind) throws {
        let (count, pass) = (200, EditWork.listedSteps * Self.items)
        let all = try work(kind, operations: 0..<count)
        let one = try work(kind, operations: count - 1..<count)
        #expect(all.steps <= count * one.steps + pass, "\(kind): one \(one), all \(all)")
        // Items are compared with names, indexed and listed as long as a few passes take. Beyond
        // that an operation costs what its own names cost.
        let names = [.upserts, .upsertsOfNew].contains(kind) ? 17 : kind == .moves ? 257 : 1
        #expect(
            all.steps <= 4 * pass + count * (names * 600 + 6_000), "\(kind): one \(one), all \(all)"
        )
    }

    @Test("A few operations do not index the items of a page", arguments: [Kind.names, .upserts])
    func fewNames(of kind: Kind) throws {
        let work = try work(kind, operations: 0..<1)
        #expect(work.indexedItems == 0)
        #expect(work.lookups == 0)
        #expect(work.searchedItems <= 17 * Self.items)
    }

    @Test("The index of a page outlives the edits that insert, remove, and move its items")
    func maintained() throws {
        let catalog = try updateCatalog()
        let items = (0..<500).map { #"{"id":"i\#($0)"}"# }.joined(separator: ",")
        var model = try viewModel(
            [#"{"s":[{"id":"A","u":[{"t":"LIST","d":[\#(items)]}]}]}"#], by: catalog)
        var limits = EditLimits()
        limits.searchesBeforeIndex = 0
        var work = EditWork()
        let array = try JSONDocument(Array(#"[{"id":"n"},{"id":"m"}]"#.utf8)).root
        let new = Array(array.elements)
        try model.updatePages(registry: catalog.registry, limits: limits) {
            updater throws(EditError) in
            for number in 0..<60 {
                let item = UpdateTarget.id("i\(number * 7)")
                try updater.moveItems(section: "A", items: [item], .before("i499"))
                try updater.patchItem(section: "A", item: item, patch: new[0])
                try updater.deleteItems(section: "A", .some(["n"]))
                try updater.insertItems(section: "A", .data(new), .after("i1"))
                try updater.deleteItems(section: "A", .some(["m", "n"]))
            }
            work = updater.work
        }
        // The index is made again once its shifts take longer.
        #expect(work.indexedItems <= 8 * 500)
        // The page is searched once before it is opened.
        #expect(work.searchedItems <= 500)
        #expect(work.listedItems == 0)
        #expect(work.lookups > 400)
    }

    /// Applies operations to 50,000 items of one id as one update.
    ///
    /// - Returns: Their work, the checkpoints of the last one, and the page.
    private func manyEqualIds(
        _ items: [String], _ operations: [String]
    ) throws -> (work: EditWork, checkpoints: Int, page: String) {
        let catalog = try updateCatalog()
        var model = try viewModel([Self.page(items)], by: catalog)
        let update = try ScreenUpdate(
            JSONDocument(Array(#"{"operations":[\#(operations.joined(separator: ","))]}"#.utf8)),
            names: catalog.registry.names)
        var (work, checkpoints) = (EditWork(), 0)
        let pauses = Recorder<Void>()
        _ = try LongWork.run(givingWay: { pauses.record(()) }) {
            try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
                for operation in update.operations.dropLast() { try updater.apply(operation) }
                let earlier = pauses.count
                if let last = update.operations.last { try updater.apply(last) }
                (work, checkpoints) = (updater.work, pauses.count - earlier)
            }
        }
        return (work, checkpoints, texts(model)[0])
    }

    private static func page(_ items: [String]) -> String {
        #"{"s":[{"id":"A","u":[{"t":"LIST","d":[\#(items.joined(separator: ","))]}]}]}"#
    }

    @Test("Moves of items of one id, by their numbers, pass over the items only to index them")
    func movesByNumbers() throws {
        let (count, moves) = (50_000, 500)
        let items = (0..<count).map { #"{"id":"a","n":\#($0)}"# }
        var moved = items
        let operations = (0..<moves).map { number in
            let index = 1 + 11 * number
            moved.insert(moved.remove(at: index), at: 0)
            return
                #"{"op":"moveItems","section":"A","items":["a#\#(index + 1)"],"before":0}"#
        }
        let done = try manyEqualIds(items, operations)
        #expect(done.page == Self.page(moved))
        #expect(done.work.searchedItems <= 10, "\(done.work)")
        #expect(done.work.indexedItems <= 4 * count, "\(done.work)")
        #expect(done.work.steps <= 8 * EditWork.listedSteps * count, "\(done.work)")
    }

    @Test("The items of a page are indexed with a checkpoint about every millisecond")
    func checkpoints() throws {
        let items = Array(repeating: #"{"id":"a"}"#, count: 50_000)
        let patch = #"{"op":"patchItem","section":"A","item":"a#2","patch":{"v":1}}"#
        let done = try manyEqualIds(items, [patch])
        #expect(done.work.steps >= EditWork.listedSteps * items.count)
        #expect(done.checkpoints >= 3)
    }

    @Test("An update whose searches take too many steps is refused at its operation")
    func limit() throws {
        let catalog = try updateCatalog()
        let ids = (0..<100).map { $0 % 2 == 0 ? "a" : "a#\($0)" }
        let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let page = #"{"s":[{"id":"A","u":[{"t":"LIST","d":[\#(items)]}]}]}"#
        // After each move all items with the same beginning are listed again.
        let operations = (2..<40).map { number in
            #"{"op":"moveItems","section":"A","items":["a#\#(number * 2)"]}"#
        }.joined(separator: ",")
        #expect(EditLimits.maxSearchSteps == 1 << 30)
        #expect(EditLimits().maxSteps == EditLimits.maxSearchSteps)
        var limits = EditLimits()
        limits.maxSteps = 1_000_000
        let refused = try updated([page], operations, by: catalog, limits: limits)
        guard case .tooLarge(let pointer) = refused,
            let number = Int(pointer.replacing("/operations/", with: ""))
        else {
            Issue.record("\(refused)")
            return
        }
        #expect(2..<20 ~= number, "\(number)")
        guard case .pages = try updated([page], operations, by: catalog) else {
            Issue.record("refused by the limit as it is")
            return
        }
    }

    @Test("A patch that moves what was once too high, again and again, is refused at its operation")
    func heights() throws {
        let deep = (0..<60).reduce("{}") { value, _ in #"{"d":\#(value)}"# }
        let page = #"{"v":{"w":0},"deep":\#(deep)}"#
        let high = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let bottom = "/deep" + String(repeating: "/d", count: 60) + "/v"
        let moves = (0..<4).map { _ in
            #"{"op":"move","from":"/v","path":"\#(bottom)"},"#
                + #"{"op":"move","from":"\#(bottom)","path":"/v"}"#
        }
        let operations =
            [
                #"{"op":"add","path":"/v/high","value":\#(high)}"#,
                #"{"op":"remove","path":"/v/high"}"#,
            ] + moves
        let patch = PagePatch.operations(
            try JSONPatch(JSONDocument(Array("[\(operations.joined(separator: ","))]".utf8))))
        let moved = String(decoding: try patch.applied(to: Array(page.utf8)), as: UTF8.self)
        #expect(moved == #"{"deep":\#(deep),"v":{"w":0}}"#)
        var limits = EditLimits()
        limits.maxSteps = 20
        do throws(EditError) {
            _ = try patch.applied(to: Array(page.utf8), limits: limits)
            Issue.record("not refused")
        } catch {
            guard case .tooLarge(let pointer, _) = error else { throw error }
            // Each move to the bottom reads 7 bytes again.
            #expect(pointer == "/6")
        }
    }

    @Test("An update ends between two operations when the task is cancelled")
    func cancelled() async throws {
        let catalog = try updateCatalog()
        let pages = [#"{"s":[{"id":"A","u":[{"t":"LIST","d":[{"id":"a"}]}]}]}"#]
        let patch = #"{"op":"patchItem","section":"A","item":"a","patch":{"v":1}}"#
        let operations = Array(repeating: patch, count: 1_000).joined(separator: ",")
        let outcome = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try LongWork.run(givingWay: {}) {
                try updated(pages, operations, by: catalog)
            }
        }.value
        guard case .tooLarge(let pointer) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(pointer != "/operations/999")
    }
}
