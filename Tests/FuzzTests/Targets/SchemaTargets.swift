import Broadsheet
import TestSupport

extension FuzzTarget {
    /// Schemas and values: a schema that compiles judges any value, twice alike, and accepts all
    /// that it accepts itself.
    static let schema = FuzzTarget(
        "schema",
        [
            ##"[{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]},{"a":{"a":1}}]"##,
            #"[{"allOf":[{"items":{"minimum":1.5}},{"contains":{"const":2}}]},[2,3,2.0]]"#,
            #"[{"anyOf":[{"patternProperties":{"^a+$":{"enum":[1,"b"]}}},{"not":{}}]},{"aa":1}]"#,
            ##"[{"$id":"http://x/y","$defs":{"z":{"$anchor":"q","multipleOf":0.01}},"$ref":"#q"},1e400]"##,
            #"[{"if":{"maxLength":3},"then":{"pattern":"(a|b)*c"},"else":{"type":"null"}},"aabc"]"#,
            #"[{"oneOf":[{"prefixItems":[true,false]},{"unevaluatedItems":{"minLength":1}}]},[1,{"a":1}]]"#,
            #"[{"unevaluatedProperties":{"dependentRequired":{"a":["b"]}},"uniqueItems":true},{"a":[0,-0]}]"#,
        ]
    ) { input, _ in
        guard let document = try? JSONDocument(input, maxDepth: 64), document.root.kind == .array,
            document.root.count == 2
        else { return }
        let parts = document.root.elements.map { Array(input[$0.byteRange]) }
        let catalog: Catalog
        do throws(CatalogError) {
            catalog = try SchemaFuzzing.catalog(schema: parts[0])
        } catch {
            guard case .violations(let violations, let total) = error else { return }
            try require(total > 0 && !violations.isEmpty, "an error without violations")
            return
        }
        let judged = try (0..<2).map { _ in try SchemaFuzzing.judge(parts[1], by: catalog) }
        try require(judged[0] == judged[1], "two different judgements")
        let ofItem = try SchemaFuzzing.catalog(itemSchema: parts[0])
        let isNull = parts[1] == Array("null".utf8)
        try require(
            isNull || SchemaFuzzing.judge(parts[1], by: ofItem) == judged[0],
            "another judgement of the same data as that of an item")
        try require(
            SchemaFuzzing.itemCount(parts[1], by: ofItem) == (judged[0] == nil && !isNull ? 1 : 0),
            "an item that strict mode refuses, or none that it accepts")
        if let error = judged[0] {
            try require(error.total >= error.violations.count, "a total too small")
            try require(!error.violations.isEmpty, "an error without violations")
        }
        for catalog in [catalog, ofItem] {
            try require(catalog.differences(since: catalog).isEmpty, "narrower than itself")
        }
    }

    /// Patterns: one that compiles finds the same if it is written in another way.
    static let pattern = FuzzTarget(
        "pattern",
        [
            "^(a|b)*abb$\naabb", "[^\\w-]{2,3}?\\b\n a-b", "(?:\\p{Lu}|\\u{1F4A9})+\nÄ💩",
            "^$|\\Bx\nxx", "(a*)*(b+)?c{0,4}\naaab", "(a|b)*a(a|b){12}\nabababababababab",
        ]
    ) { input, _ in
        let parts = input.text.split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = String(parts[0])
        let forms = [pattern, "(?:\(pattern))", "(?:\(pattern))|(?:\(pattern))"]
        var text = JSONWriter()
        text.string(parts.count > 1 ? String(parts[1]) : "")
        var results: [Bool] = []
        for form in forms {
            var schema = JSONWriter()
            schema.raw("{\"pattern\":")
            schema.string(form)
            schema.raw("}")
            // The longer forms may be too long, or nested too deep, where the first is not.
            guard let catalog = try? SchemaFuzzing.catalog(schema: schema.bytes) else { return }
            results.append(try SchemaFuzzing.judge(text.bytes, by: catalog) == nil)
        }
        try require(Set(results).count == 1, "the forms of \(pattern) differ: \(results)")
    }
}

/// Schemas and values in the least catalog and page that have them.
private enum SchemaFuzzing {
    static func catalog(schema: [UInt8]) throws(CatalogError) -> Catalog {
        try Catalog(
            Array(#"{"cellTypes":{"C":{}},"units":{"U":{"cell":{"type":"C"},"schema":"#.utf8)
                + schema + Array("}}}".utf8))
    }

    /// Returns the catalog whose cell type has the schema.
    static func catalog(itemSchema: [UInt8]) throws(CatalogError) -> Catalog {
        try Catalog(
            Array(#"{"units":{"U":{"cell":{"type":"C"}}},"cellTypes":{"C":{"schema":"#.utf8)
                + itemSchema + Array("}}}".utf8))
    }

    /// Returns the number of items that a value makes.
    static func itemCount(_ value: [UInt8], by catalog: Catalog) throws -> Int {
        try ResolvedPage(
            page: page(value), number: 0, registry: catalog.registry
        ).itemCount
    }

    private static func page(_ value: [UInt8]) throws -> ServerStatePage {
        let page =
            Array(#"{"sections":[[{"unitType":"U","unitData":"#.utf8) + value + Array("}]]}".utf8)
        return try ServerStatePage(JSONDocument(page))
    }

    /// Returns the violations of a value; `nil` if it keeps the schema.
    static func judge(_ value: [UInt8], by catalog: Catalog) throws -> ContractError? {
        let posted = try page(value)
        do throws(ContractError) {
            try posted.checkStrictly(by: catalog.registry)
            return nil
        } catch {
            return error
        }
    }
}
