import Broadsheet
import TestSupport

extension FuzzTarget {
    /// Reports of clients, for a screen whose cells have actions.
    ///
    /// A report is found equal when it is read again; actions leave pages that can be read, and
    /// whose units keep their schemas, or change nothing.
    static let events = FuzzTarget(
        "events",
        bytes: [
            #"""
            {"events":[{"type":"action","name":"patch","section":"A","item":"a#2","input":{"p":{}}},
            {"type":"willDisplay","section":0,"item":1,"at":1.5e9,"revision":3},
            {"type":"action","name":"any","section":"A","item":"p0.u1.e0","input":[1,{"op":"x"}]},
            {"type":"pageDidAppear","page":0},{"type":"scroll"},
            {"type":"action","name":"remove","section":"A","item":"b"}]}
            """#,
            #"""
            {"events":[{"type":"action","name":"into","section":"A","item":"a","input":
            {"to":"B","data":[{"id":"x"},null]}},{"type":"action","name":"remove","section":1,
            "item":0},{"type":"failed","section":"\u0041"}]}
            """#,
        ].map { Array($0.utf8) }
    ) {
        let catalog = try Catalog(Array(eventCatalog.utf8))
        let model = try screen(by: catalog.registry)
        return { input, _ in
            guard let document = try? JSONDocument(input, maxDepth: 64),
                let report = try? ClientReport(document)
            else { return }
            try check(report, in: model, by: catalog.registry)
        }
    }

    private static let eventCatalog = #"""
        {"units": {"U": {"cells": {"type": "C"}, "schema": {"maxItems": 9, "items": {
           "type": "object", "properties": {"id": {"type": ["string", "number"]}}}}}},
         "cellTypes": {"C": {"id": "/id", "actions": {
          "patch": {"operations": [{"op": "patchItem", "patch": {"$input": "/p"}}],
                    "input": {"required": ["p"], "properties": {"p": {"type": "object"}}}},
          "any": {"operations": [{"op": "replaceItem", "data": {"x": [{"$input": ""}]}}]},
          "remove": {"operations": [{"op": "deleteItems"}], "forward": true},
          "into": {"operations": [
            {"op": "moveItems", "toSection": {"$input": "/to"}},
            {"op": "insertItems", "section": {"$input": "/to"}, "data": {"$input": "/data"}}]}}}}}
        """#

    private static func screen(by registry: CellRegistry) throws -> PaginatedViewModel {
        let page = #"""
            {"sections":[{"sectionId":"A","units":[{"unitType":"U","unitData":[{"id":"a"},{"id":"b"},
            {"id":"a"}]},{"unitType":"U","unitData":[{}]}]},{"sectionId":"B","units":[{"unitType":"U",
            "unitData":[{"id":"z"}]}]}]}
            """#
        var model = PaginatedViewModel()
        for number in 0...1 {
            let posted = try ServerStatePage(JSONDocument(Array(page.utf8)))
            try model.load(ResolvedPage(page: posted, number: number, registry: registry))
        }
        return model
    }

    private static func check(
        _ report: ClientReport, in model: PaginatedViewModel, by registry: CellRegistry
    ) throws {
        let items = NamedItems(report.events, in: model, LayoutParameters(), registry)
        let actions = BoundActions(report.events, of: items)
        guard (try? actions.checkInputs()) != nil else { return }
        var edited = model
        guard let count = try? actions.byteCount(limit: 1 << 20),
            let document = try? actions.document(byteCount: count)
        else { return }
        try require(document.bytes.count <= count + 2, "more bytes than were counted")
        guard let prepared = try? actions.prepared(document, names: registry.names) else { return }
        let changed = try? edited.updatePages(registry: registry) { updater throws(EditError) in
            for action in prepared { _ = try updater.apply(action) }
        }
        guard changed != nil else {
            return try require(
                edited.pages.map(\.bytes) == model.pages.map(\.bytes),
                "actions that cannot be done change something")
        }
        for page in edited.pages {
            let page = try ServerStatePage(JSONDocument(page.bytes, maxDepth: 1 << 10))
            try require(
                page.strictDiagnostics(by: registry).total == 0, "actions that break a unit")
        }
    }
}
