import Broadsheet
import TestSupport

extension FuzzTarget {
    /// The contract of pages, and everything behind it up to the tree; a page in a set of pages
    /// reads as it does alone.
    static let page = FuzzTarget(
        "page",
        [
            #"""
            {"page":3,"layout":{"spacing":4},"sections":[{"id":"a","header":{"unitType":"Title",
            "unitData":{"text":"x"}},"layout":{"type":"list","spacing":8,"insets":{"top":1}},
            "units":[{"id":"u","unitType":"Banner","unitData":{"height":7}},
            {"unitType":"Nothing","unitData":[]}]}]}
            """#,
            #"{"sections":[[{"unitType":"Title","unitData":{}}],[]],"next":true}"#,
            #"""
            {"sections":[{"id":"g","layout":{"type":"grid","columns":3,"lineSpacing":-2},
            "units":[{"unitType":"Product","unitData":{}},{"unitType":"Product","unitData":{}}]},
            {"layout":{"type":"carousel","itemWidth":{"fraction":0.5}},"units":[]},
            {"layout":{"type":"flow","alignment":"center"},"units":[]}]}
            """#,
        ]
    ) { input, random in
        try requireSameInSet(input)
        let composer = Composer(registry: Catalog.storefront.registry)
        let tree: [UInt8]
        do throws(ComposeError) {
            tree = try composer.compose(input)
        } catch {
            guard case .invalidContract(let contract, _) = error else { return }
            try require(contract.total >= contract.violations.count, "a total too small")
            try require(!contract.violations.isEmpty, "an error without violations")
            return
        }
        let root = try JSONDocument(tree, maxDepth: 200).root
        try require(root.kind == .object, "the tree is not an object")
        guard random.next() % 8 == 0 else { return }
        let again = try composer.compose(input)
        try require(again == tree, "two different trees")
    }

    /// Catalogs: one that compiles keeps its bytes, and compiles again.
    static let catalog = FuzzTarget(
        "catalog",
        [
            #"""
            {"units":{"A":{"header":{"type":"H"},"cell":{"type":"C"},"footer":{"type":"F"}}},
            "cellTypes":{"H":{"size":{"height":10,"width":{"fraction":1}}},
            "C":{"size":{"height":{"stack":[{"value":"/h"},{"sum":[1,2]}],"spacing":4}}},
            "F":{"size":{"height":{"switch":"/s","cases":{"a":1,"true":{"product":[2,0.5]}},
            "default":{"min":1,"max":2,"of":{"ratio":0.5}}}}}}}
            """#,
            #"{"units":{},"cellTypes":{}}"#, #"{"units":{"A":{"cell":{"type":"C"}}}}"#,
            #"""
            {"sections":{"S":{"kind":"masonry","gridColumnCount":{"minItemWidth":90,"max":4},
            "placement":"inOrder","maxWidth":600,"contentInsetsReference":"layoutMargins"}},
            "cellTypes":{"C":{"span":{"value":"/c","default":"all"}},"D":{"span":2}}}
            """#,
        ]
    ) { input, _ in
        let catalog: Catalog
        do throws(CatalogError) {
            catalog = try Catalog(input)
        } catch {
            guard case .violations(let violations, let total) = error else { return }
            try require(total >= violations.count && total > 0, "a wrong number of violations")
            for violation in violations {
                try require((0...input.count).contains(violation.offset), "an offset outside")
            }
            return
        }
        let again = try Catalog(catalog.bytes)
        try require(again.diagnostics == catalog.diagnostics, "other diagnostics")
        try require(again.bytes == catalog.bytes, "other bytes")
    }
}

/// Requires that the element of a set, in a document of its own, has the text and the violations
/// of the page alone.
private func requireSameInSet(_ input: [UInt8]) throws {
    guard !input.starts(with: [0xEF, 0xBB, 0xBF]), let page = try? JSONDocument(input) else {
        return
    }
    let body = Array(#"{"pages":["#.utf8) + input + Array("]}".utf8)
    let pages = try JSONDocument(body, maxDepth: 130).root["pages"]
    try require(pages?.count == 1, "not one page")
    for element in pages?.elements.map(\.self) ?? [] {
        let own = Array(body[element.byteRange])
        try require(own == Array(input[page.root.byteRange]), "another text")
        let set = try JSONDocument(own).root
        let (one, other) = (violations(of: page.root, ""), violations(of: set, "/pages/0"))
        try require(one == other, "other violations")
    }
}

/// Returns the number of violations of a page.
private func violations(of page: JSONValue, _ pointer: String) -> Int {
    do throws(ContractError) {
        _ = try ServerStatePage(page, at: pointer)
        return 0
    } catch {
        return error.total
    }
}
