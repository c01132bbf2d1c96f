import Broadsheet
import Testing

@Suite("Very large and unusual pages") struct LargePagesTests {
    /// The number of repeated elements: a million, or as many as an unoptimised build reads in
    /// about a second.
    #if DEBUG
        private static let many = 20_000
    #else
        private static let many = 1_000_000
    #endif

    private func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    private func merged(_ json: String) throws -> MergedScreen {
        let catalog = try sampleCatalog()
        var model = PaginatedViewModel()
        try model.load(resolved(json, by: catalog))
        return model.merged(registry: catalog.registry)
    }

    @Test("Very many units of one item each are resolved, merged and measured")
    func manyUnits() throws {
        let units = repeated(#"{"unitType":"ONE"}"#, Self.many)
        let screen = try merged(#"{"sections":[[\#(units)]]}"#)
        #expect(screen.itemCount == Self.many)
        let request = SizeRequest(
            container: Container(viewport: .zero, available: .zero), absent: .zero)
        #expect(screen.sections.first?.uniformItemSize(request) == Size(width: 10, height: 20))
        #expect(screen.sections.first?.suffixes.isEmpty == true)
    }

    @Test("Very many units of unknown types give a thousand diagnostics and one with the rest")
    func manyUnknownUnits() throws {
        let units = repeated(#"{"unitType":"?"}"#, Self.many)
        let screen = try merged(#"{"sections":[[\#(units)]]}"#)
        #expect(screen.diagnostics.count == 1_001)
        #expect(
            screen.diagnostics.last?.detail
                == "\(Self.many - 1_000) more diagnostics of this page are not shown")
    }

    @Test("Very many items of one id get their suffixes in one pass")
    func manyEqualIds() throws {
        let items = repeated(#"{"id":1}"#, Self.many)
        let screen = try merged(
            #"{"sections":[[{"unitType":"U","unitData":[\#(items)]}]]}"#)
        let suffixes = try #require(screen.sections.first?.suffixes)
        #expect(suffixes.count == Self.many - 1)
        #expect(suffixes.first?.number == 2)
        #expect(suffixes.last?.number == Self.many)
    }

    @Test("Very many ids that collide with suffixes of other ids take linear time")
    func interlockedIds() throws {
        let numbered = (2...Self.many / 2).map { #"{"id":"a#\#($0)"}"# }.joined(separator: ",")
        let equal = repeated(#"{"id":"a"}"#, Self.many / 2)
        let screen = try merged(
            #"{"sections":[[{"unitType":"U","unitData":[\#(numbered),\#(equal)]}]]}"#)
        let suffixes = try #require(screen.sections.first?.suffixes)
        #expect(suffixes.count == Self.many / 2 - 1)
        #expect(suffixes.first?.number == Self.many / 2 + 1)
    }

    @Test("Ten thousand empty sections are valid, and one more is a violation")
    func emptySections() throws {
        #expect(try merged(#"{"sections":[\#(repeated("[]", 10_000))]}"#).sections.count == 10_000)
        #expect(try violations(#"{"sections":[\#(repeated("[]", 10_001))]}"#) == ["/sections"])
    }

    @Test("Very many violations are counted, and the first hundred listed")
    func manyViolations() throws {
        let error = try #require(
            try contractError(#"{"sections":[[\#(repeated("0", Self.many))]]}"#))
        #expect(error.total == Self.many)
        #expect(error.violations.count == 100)
    }

    @Test(
        "Ids with quotes, control characters and emoji are kept and get suffixes",
        arguments: [
            #""\"""#, #""\u0000""#, #""\u0001\n\t""#, #""😀""#, #""\ud83d\ude00 \\""#, #""a,b""#,
            #""가나다""#, "-0.0e-0",
        ])
    func oddIds(id: String) throws {
        let screen = try merged(
            """
            {"sections": [{"sectionId": \(id), "units": [{"unitType": "U",
            "unitData": [{"id": \(id)}, {"id": \(id)}]}]}, {"sectionId": \(id), "units": []}]}
            """)
        #expect(screen.sections.count == 1)
        let text = try JSONDocument(Array(id.utf8)).root.text?.string
        #expect(screen.sections.first?.id == text)
        #expect(
            screen.sections.first?.items.map(\.id)
                == [text, text.map { "\($0)#2" }].compactMap { $0 })
    }

    @Test("A unit with very many members is read in one pass")
    func wideUnit() throws {
        let members = (0..<Self.many).map { "\"m\($0)\":0" }.joined(separator: ",")
        let screen = try merged(#"{"sections":[[{\#(members),"unitType":"ONE"}]]}"#)
        #expect(screen.itemCount == 1)
    }

    @Test("Ten thousand pages with distant numbers merge into one section in any order")
    func manyPages() throws {
        let catalog = try sampleCatalog()
        var model = PaginatedViewModel()
        for index in 0..<10_000 {
            let number = (index &* 7_919) % 10_000 * 200_000
            try model.load(
                resolved(
                    #"{"sections":[{"sectionId":1,"units":[{"unitType":"ONE","unitData":\#(number)}]}]}"#,
                    number: number, by: catalog))
        }
        let section = try #require(model.merged(registry: catalog.registry).sections.first)
        #expect(section.items.count == 10_000)
        #expect(section.itemTexts.first == "Item:p0.u0.e0=0")
        #expect(section.itemTexts.last == "Item:p1999800000.u0.e0=1999800000")
    }

    @Test("A catalog that reads many values of very small items uses memory in proportion")
    func manyInputs() throws {
        let rules = (0..<16).map { #"{"value":"/v\#($0)"}"# }.joined(separator: ",")
        let catalog = try catalog(
            """
            {"units": {"U": {"cells": {"type": "A"}}},
            "cellTypes": {"A": {"size": {"height": {"stack": [\(rules)]}}}}}
            """)
        var model = PaginatedViewModel()
        let items = repeated("0", Self.many)
        try model.load(
            resolved(#"{"sections":[[{"unitType":"U","unitData":[\#(items)]}]]}"#, by: catalog))
        let section = try #require(model.merged(registry: catalog.registry).sections.first)
        let request = SizeRequest(
            container: Container(viewport: .zero, available: .zero), absent: .zero)
        #expect(section.itemSizes(request) == Array(repeating: .zero, count: Self.many))
    }
}
