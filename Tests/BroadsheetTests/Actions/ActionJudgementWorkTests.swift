import Testing

@testable import Broadsheet

@Suite("The work of judging what actions leave") struct ActionJudgementWorkTests {
    private static let catalog = #"""
        {"units": {"FEED": {"cells": {"type": "C"},
                            "schema": {"items": {"properties": {"f": {"type": "boolean"}}}}},
                   "FREE": {"cells": {"type": "C"}}},
         "cellTypes": {"C": {"id": "/id"}}}
        """#

    /// Returns an editor of a page of three units, of which the first two have a schema.
    private func editor(_ registry: CellRegistry) throws -> ScreenEditor {
        let units = ["FEED", "FEED", "FREE"].enumerated().map { index, type in
            #"{"unitType":"\#(type)","unitData":[{"id":"i\#(index)"},{"id":"j\#(index)"}]}"#
        }
        let page = #"{"sections":[{"sectionId":"A","units":[\#(units.joined(separator: ","))]}]}"#
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage(
                page: ServerStatePage(JSONDocument(Array(page.utf8))), number: 0,
                registry: registry.limited(to: nil)))
        return ScreenEditor(
            model, LayoutParameters(), nil, registry, limits: EditLimits(), reserving: { _ in true }
        )
    }

    /// Applies patches of items, each as an event of its own, and returns their work.
    private func work(
        _ items: [String], _ patch: String, limits: SchemaLimits = .ofRequest
    ) throws -> (work: EditWork, error: EditError?) {
        let editor = try editor(try Catalog(Array(Self.catalog.utf8)).registry)
        editor.judgeCost = SchemaCost(limits: limits)
        var updater = ScreenUpdater(editor)
        let patch = try JSONDocument(Array(patch.utf8)).root
        do throws(EditError) {
            for (event, item) in items.enumerated() {
                let target = ActionTarget(section: .id("A"), part: .item(.id(item)))
                _ = try updater.apply(
                    PreparedAction(
                        event: event, target: target,
                        operations: [
                            .patchItem(
                                section: target.section, item: target.item ?? "", patch: patch)
                        ]))
            }
            _ = try updater.changedPages()
            return (updater.work, nil)
        } catch {
            return (updater.work, error)
        }
    }

    @Test("Only units that an action has changed are read again, and only if they have a schema")
    func changedUnits() throws {
        let unit = #"{"unitType":"FEED","unitData":[{"id":"i0","f":true},{"id":"j0"}]}"#.utf8.count
        #expect(try work(["i0"], #"{"f":true}"#).work.rereadBytes == unit)
        #expect(try work(["i2"], #"{"f":true}"#).work.rereadBytes == 0)
        #expect(try work(["i0", "i2", "i1"], #"{"f":true}"#).work.rereadBytes == 2 * unit)
    }

    @Test("The judgements of a request are limited, and what cannot be judged is not done")
    func limits() throws {
        // A unit of two items takes four judgements.
        let limits = SchemaLimits(subject: "request", maxJudgements: 8)
        #expect(try work(["i0", "i1"], #"{"f":true}"#, limits: limits).error == nil)
        for patch in [#"{"f":true}"#, #"{"f":1}"#] {
            let error = try work(["i0", "i1", "j0"], patch, limits: limits).error
            guard case .impossible(let pointer, let detail)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(pointer == (patch.contains("1") ? "/events/0" : "/events/2"))
            #expect(patch.contains("1") || detail.contains("its request takes more than the 8"))
        }
        #expect(SchemaLimits.ofRequest.maxJudgements == 10_000_000)
        #expect(SchemaLimits.ofRequest.maxSteps == 1_000_000_000)
    }

    @Test(
        "What actions leave is judged within the budget of the request, too",
        arguments: [0, 3, 100])
    func budget(count: Int) throws {
        let limits = SchemaLimits(subject: "request", maxJudgements: count)
        let registry = try Catalog(Array(Self.catalog.utf8)).registry
            .limited(to: JudgementBudget(limits: limits))
        var updater = ScreenUpdater(try editor(registry))
        let target = ActionTarget(section: .id("A"), part: .item(.id("i0")))
        let patch = try JSONDocument(Array(#"{"f":true}"#.utf8)).root
        let action = PreparedAction(
            event: 3, target: target,
            operations: [.patchItem(section: target.section, item: target.item ?? "", patch: patch)]
        )
        do throws(EditError) {
            _ = try updater.apply(action)
            _ = try updater.changedPages()
            #expect(count == 100)
        } catch {
            #expect(count < 100)
            #expect("\(error)".contains("/events/3"))
        }
    }
}
