import Broadsheet
import TestSupport

extension FuzzTarget {
    /// Patches, in arrays of a text and a patch.
    ///
    /// The outcome is JSON within the limits, and the same merge patch changes nothing in it.
    static let patch = FuzzTarget(
        "patch",
        [
            #"""
            [{"a":[1,{"b":null}, 3 ],"c":{"d":"x","d":2}},
            [{"op":"add","path":"/a/-","value":[[]]},{"op":"copy","from":"","path":"/c/e"},
            {"op":"move","from":"/a/1","path":"/a/0"},{"op":"remove","path":"/c/d"},
            {"op":"test","path":"/a/0/b","value":null},{"op":"replace","path":"/a/0","value":0}]]
            """#,
            #"[[1.0,{"x":2}],[{"op":"test","path":"","value":[10e-1,{"x":2}]}]]"#,
            #"[{"a":{"b":1,"c":[null]}},{"a":{"b":null,"d":{"e":null}},"f":[{"g":null}]}]"#,
        ]
    ) { input, _ in
        guard let root = try? JSONDocument(input, maxDepth: 32).root, root.kind == .array,
            root.count == 2
        else { return }
        let parts = root.elements.map { Array(input[$0.byteRange]) }
        let document = try JSONDocument(parts[1], maxDepth: 32)
        let limits = EditLimits(maxPageBytes: 1 << 16, page: ScreenLimits(maxDepth: 40))
        if let patch = try? JSONPatch(document) {
            let outcome = try? PagePatch.operations(patch).applied(to: parts[0], limits: limits)
            if let outcome { try requireJSON(outcome, atMost: max(1 << 16, parts[0].count)) }
        }
        let merge = PagePatch.merge(document)
        guard let merged = try? merge.applied(to: parts[0], limits: limits) else { return }
        try requireJSON(merged, atMost: max(1 << 16, parts[0].count))
        let again = try merge.applied(to: merged, limits: limits)
        try require(again == merged, "a merge patch that is applied again changes something")
    }

    /// Updates, in objects of sections and operations.
    ///
    /// Operations in one update leave what they leave in updates of their own, and a section that
    /// replaces another one changes nothing a second time.
    static let update = FuzzTarget(
        "update",
        [
            #"""
            {"sections":[{"sectionId":"A","units":[{"unitType":"SS_PRODUCT_LIST","unitData":[
            {"id":"a"},{"id":"b"}]},{"unitType":"SS_TOP_BANNER","title":"x"}]},[]],"operations":[
            {"op":"insertItems","section":"A","after":"a","data":[{"id":"c"}]},
            {"op":"insertItems","section":"A","before":1,"units":[{"unitType":"SS_TOP_BANNER"}]},
            {"op":"moveItems","section":"A","items":["b",0],"toSection":1},
            {"op":"deleteItems","section":1,"items":["a"]}]}
            """#,
            #"""
            {"sections":[{"sectionId":"A","collapsed":true,"units":[{"unitType":"SS_MY_FAVORITES",
            "unitData":{"titleInfo":{},"productList":[{"id":1}]}}]}],"operations":[
            {"op":"toggleSection","section":"A"},
            {"op":"upsertItems","section":"A","unitType":"SS_MY_FAVORITES","data":[{"id":2}]},
            {"op":"patchItem","section":"A","item":"1","patch":{"x":{"y":null}}},
            {"op":"patchSection","section":0,"patch":{"layout":{"inset":{"top":1}},"data":[]}},
            {"op":"insertSections","sections":[[]],"before":0},
            {"op":"moveSection","section":"A","before":0},{"op":"extendSections","sections":[]},
            {"op":"replaceItem","section":"A","item":0,"data":7},
            {"op":"deleteSections","sections":[1]}]}
            """#,
            #"""
            {"sections":[{"sectionId":"A","units":[]},[],{"sectionId":"B","when":{"flags":["x"]},
            "units":[]},{"sectionId":"A","units":[]}],"operations":[
            {"op":"replaceSection","section":{"sectionId":"A","units":[]},"after":1},
            {"op":"replaceSection","section":{"sectionId":"B","units":[],"when":{"flags":["x"]}}},
            {"op":"replaceSection","section":{"sectionId":"B","units":[{"unitType":"SS_TOP_BANNER"}]},
            "before":"A"},{"op":"replaceSection","section":{"sectionId":7,"units":[]},"before":0},
            {"op":"moveItems","section":"B","items":[],"toSection":"A","after":0}]}
            """#,
        ]
    ) { input, _ in
        let registry = Catalog.storefront.registry
        guard let document = try? JSONDocument(input, maxDepth: 64),
            let page = try? ServerStatePage(document),
            let operations = document.root["operations"],
            let request = try? JSONDocument(
                Array(#"{"operations":"#.utf8) + input[operations.byteRange] + Array("}".utf8)),
            let update = try? ScreenUpdate(request)
        else { return }
        var single = PaginatedViewModel()
        try single.load(ResolvedPage(page: page, number: 0, registry: registry))
        var together = single
        for operation in update.operations {
            let changed = try? single.updatePages(registry: registry) { updater throws(EditError) in
                try updater.apply(operation)
            }
            guard changed != nil else { return }
            guard case .replaceSection = operation else { continue }
            let again = try single.updatePages(registry: registry) { updater throws(EditError) in
                try updater.apply(operation)
            }
            try require(again.isEmpty, "a section that replaces itself changes something")
        }
        try together.updatePages(registry: registry) { updater throws(EditError) in
            for operation in update.operations { try updater.apply(operation) }
        }
        try require(
            together.pages.map(\.bytes) == single.pages.map(\.bytes),
            "an update of several operations differs from several updates")
    }

    private static func requireJSON(_ bytes: [UInt8], atMost limit: Int) throws {
        try require(bytes.count <= limit, "beyond the limit")
        _ = try JSONDocument(bytes, maxDepth: 40)
    }
}
