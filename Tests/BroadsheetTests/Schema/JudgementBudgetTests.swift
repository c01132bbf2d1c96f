@testable import Broadsheet
import Synchronization
import Testing

@Suite("The judgements of a request (docs/schemas.md, \"The dialect\")")
struct JudgementBudgetTests {
    /// The units of a page take 1 + 4 judgements each.
    private static let catalog = #"""
        {"units": {"U": {"cells": {"type": "C"}, "schema": {"items": {"type": "integer"}}}},
         "cellTypes": {"C": {}}}
        """#
    private static let unit = #"{"unitType":"U","unitData":[1,2,3,4]}"#

    private func registry(_ limits: SchemaLimits) throws -> CellRegistry {
        try Catalog(Array(Self.catalog.utf8)).registry.limited(
            to: JudgementBudget(limits: limits))
    }

    private func page(_ units: Int, at pointer: String = "") throws -> ServerStatePage {
        let units = Array(repeating: Self.unit, count: units).joined(separator: ",")
        let document = try JSONDocument(Array(#"{"sections":[[\#(units)]]}"#.utf8))
        return try ServerStatePage(
            document.root, at: pointer, names: ContractNames(), limits: ScreenLimits())
    }

    private func resolve(
        _ page: ServerStatePage, _ registry: CellRegistry
    ) -> ContractError? {
        do throws(ContractError) {
            _ = try ResolvedPage(page: page, number: 0, registry: registry)
            return nil
        } catch {
            return error
        }
    }

    @Test("All pages have one budget, and the violation is at the data that crosses it")
    func pages() throws {
        let registry = try registry(SchemaLimits(subject: "request", maxJudgements: 15))
        #expect(resolve(try page(2), registry) == nil)
        let budget = try #require(registry.judgementBudget)
        #expect(budget.spent.judgements == 10)
        #expect(!budget.isExhausted)
        let error = try #require(resolve(try page(3, at: "/pages/1"), registry))
        #expect(error.violations.map(\.pointer) == ["/pages/1/sections/0/1/unitData"])
        #expect(error.violations.first?.detail.contains("request takes more than the 15") == true)
        #expect(budget.isExhausted)
        #expect(throws: ContractError.self) { try budget.check() }
        // Without the budget, as stored pages are read, the limits of a page apply.
        #expect(resolve(try page(3), registry.limited(to: nil)) == nil)
    }

    @Test("A strict judgement and an attempt that begins again draw from the same budget")
    func strict() throws {
        let registry = try registry(SchemaLimits(subject: "request", maxJudgements: 15))
        let page = try page(2)
        try page.checkStrictly(by: registry)
        let rest = registry.judgementBudget?.copy()
        let error = try #require(resolve(page, registry))
        #expect(error.violations.map(\.pointer) == ["/sections/0/1/unitData"])
        #expect(rest?.isExhausted == false)
        #expect(resolve(page, registry.limited(to: rest)) != nil)
        let strict = #expect(throws: ContractError.self) {
            try page.checkStrictly(by: registry)
        }
        #expect(strict?.total == 2)
    }

    @Test("Variants of posted pages draw from the budget; those of stored pages do not")
    func variants() throws {
        let registry = try registry(SchemaLimits(subject: "request", maxJudgements: 12))
        let unit = #"{"unitType":"U","unitData":[1,2,3,4],"when":{"width":">=600"}}"#
        let text = #"{"sections":[[\#(Self.unit),\#(unit)]]}"#
        var wide = LayoutParameters()
        wide.viewport = Viewport(width: 800, height: 600)
        func model() throws -> PaginatedViewModel {
            var model = PaginatedViewModel()
            try model.load(
                ResolvedPage(
                    page: ServerStatePage(JSONDocument(Array(text.utf8))), number: 0,
                    registry: registry.limited(to: nil)))
            return model
        }
        #expect(try model().merged(for: wide, registry: registry.limited(to: nil)).itemCount == 8)
        let budget = try #require(registry.judgementBudget)
        #expect(budget.spent.judgements == 0)
        #expect(try model().merged(for: wide, registry: registry).itemCount == 8)
        #expect(budget.spent.judgements == 10)
        try budget.check()
        #expect(try model().merged(for: wide, registry: registry).itemCount == 0)
        let error = #expect(throws: ContractError.self) { try budget.check() }
        #expect(error?.violations.map(\.pointer) == ["/sections/0/0/unitData"])
    }

    @Test("A request with a catalog of its own has far less than one by the active catalog")
    func limits() {
        #expect(SchemaLimits.ofWholeRequest.maxJudgements == 30_000_000)
        #expect(SchemaLimits.ofWholeRequest.maxSteps == 3_000_000_000)
        #expect(SchemaLimits.withPostedCatalog.maxJudgements == 1_000_000)
        #expect(SchemaLimits.withPostedCatalog.maxSteps == 100_000_000)
        #expect(JudgementBudget(isCatalogPosted: true).limits.maxSteps == 100_000_000)
        #expect(JudgementBudget().limits.maxSteps == 3_000_000_000)
    }

    @Test("An update that needs more judgements than its request may take is refused")
    func update() throws {
        let catalog = #"""
            {"units": {"U": {"cells": {"type": "C"}}},
             "cellTypes": {"C": {"id": "/id", "schema": {"required": ["id"]}}}}
            """#
        let items = (0..<20).map { #"{"id":"i\#($0)"}"# }.joined(separator: ",")
        let unit = #"{"unitType":"U","unitData":[\#(items)]}"#
        let page = #"{"sections":[{"sectionId":"A","units":[\#(unit)]}]}"#
        let registry = try Catalog(Array(catalog.utf8)).registry
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage(
                page: ServerStatePage(JSONDocument(Array(page.utf8))), number: 0,
                registry: registry))
        let patch = try JSONDocument(Array(#"{"n":1}"#.utf8)).root
        func update(_ count: Int) throws(EditError) -> [Int] {
            let limits = SchemaLimits(subject: "request", maxJudgements: count)
            var edited = model
            return try edited.updatePages(
                registry: registry.limited(to: JudgementBudget(limits: limits))
            ) { updater throws(EditError) in
                try updater.apply(.patchItem(section: .id("A"), item: .id("i3"), patch: patch))
            }
        }
        #expect(try update(1_000) == [0])
        for count in [0, 10, 30] {
            #expect(throws: EditError.self, "\(count)") { try update(count) }
        }
    }
}

@Suite("The checkpoints of judgements") struct JudgementCheckpointTests {
    /// A number of calls.
    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    /// A judgement of many parts, or with one long part.
    private enum Case: String, CaseIterable {
        case judgements, match, table, required, numbers, unique

        var schema: String {
            switch self {
            case .judgements: #"{"items": {"allOf": [{"minimum": 0}, {"maximum": 9}]}}"#
            case .match: #"{"items": {"pattern": "(a|b)*a(a|b){1200}$"}}"#
            case .table: #"{"items": {"pattern": "^a*$"}}"#
            case .required:
                #"{"items": {"not": {"required": ["#
                    + (0..<20_000).map { "\"m\($0)\"" }.joined(separator: ",") + "]}}}"
            case .numbers:
                #"{"items": {"allOf": ["#
                    + Array(repeating: #"{"multipleOf": 7}"#, count: 50).joined(separator: ",")
                    + "]}}"
            case .unique: #"{"items": {"uniqueItems": true}}"#
            }
        }

        var value: String {
            func many(_ text: String, _ count: Int) -> String {
                "[" + Array(repeating: text, count: count).joined(separator: ",") + "]"
            }
            return switch self {
            case .judgements: many("1", 15_000)
            case .match: "[\"" + String(repeating: "ab", count: 5_000) + "\"]"
            case .table: "[\"" + String(repeating: "a", count: 4 << 20) + "\"]"
            case .required: many(#"{"m":1}"#, 1_000)
            case .numbers: "[" + String(repeating: "7", count: 50_000) + "]"
            case .unique:
                "[[" + (0..<300_000).map(String.init).joined(separator: ",") + "]]"
            }
        }
    }

    @Test(
        "Long judgements give way many times, and end when the client has gone",
        arguments: Case.allCases)
    private func checkpoints(_ test: Case) async throws {
        let schema = try TestedSchema(test.schema)
        let json = test.value
        func judge(cancellingAt last: Int) async throws -> (count: Int, work: Int) {
            let document = try JSONDocument(Array(json.utf8), maxDepth: 1_024)
            let compiled = try #require(schema.schema)
            return await Task {
                let counter = Counter()
                let judge = LongWork.run(givingWay: {
                    if counter.add() == last { withUnsafeCurrentTask { $0?.cancel() } }
                }) {
                    var judge = SchemaJudge(document)
                    _ = judge.keeps(0, compiled)
                    return judge
                }
                return (counter.count, judge.steps + judge.judgements)
            }.value
        }
        let whole = try await judge(cancellingAt: .max)
        #expect(whole.count >= 3)
        let ended = try await judge(cancellingAt: 2)
        #expect(ended.count == 2)
        #expect(ended.work < whole.work)
    }
}
