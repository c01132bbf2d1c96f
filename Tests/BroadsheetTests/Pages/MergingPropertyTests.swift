import Broadsheet
import TestSupport
import Testing

@Suite("Properties of merging random pages") struct MergingPropertyTests {
    /// Returns a page of random sections with few ids, so that sections merge.
    private func page(_ generator: inout SeededGenerator) -> String {
        func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "" }
        let sections = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            let units = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                pick([
                    #"{"unitType": "U", "unitData": [{"id": 1}, {"id": 2}, {}]}"#,
                    #"{"unitType": "ONE", "unitData": {"id": "1"}}"#, #"{"unitType": "?"}"#,
                    #"{"unitType": "H", "unitData": "\#(Int.random(in: 0...9, using: &generator))"}"#,
                    #"{"unitType": "P", "unitData": [0]}"#, #"{"unitType": "U", "unitData": null}"#,
                ])
            }.joined(separator: ",")
            if Int.random(in: 0...5, using: &generator) == 0 { return "[\(units)]" }
            let id = pick([#""A""#, #""B""#, "1", #""\u0031""#, "null"])
            let more = pick([
                "", #""collapsed": true,"#, #""collapsed": false,"#,
                #""layout": {"gridColumnCount": \#(Int.random(in: 0...9, using: &generator))},"#,
                #""layout": {"inset": 3},"#, #""footer": {"unitType": "F", "unitData": 5},"#,
            ])
            return #"{"sectionId": \#(id), \#(more) "units": [\#(units)]}"#
        }
        let hasNext = Bool.random(using: &generator)
        return #"{"hasNext": \#(hasNext), "sections": [\#(sections.joined(separator: ","))]}"#
    }

    private func pages(_ seed: UInt64) throws -> (pages: [ResolvedPage], registry: CellRegistry) {
        var generator = SeededGenerator(seed: seed)
        let registry = try sampleCatalog().registry
        let pages = try (0..<8).map { index in
            try resolved(page(&generator), number: index * index, by: registry)
        }
        return (pages, registry)
    }

    @Test("Any order of loading gives the same screen", arguments: 1...25)
    func order(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var generator = SeededGenerator(seed: seed &* 31)
        var ordered = PaginatedViewModel()
        for page in pages { try ordered.load(page) }
        var shuffled = PaginatedViewModel()
        for page in pages.shuffled(using: &generator) { try shuffled.load(page) }
        for last in [0, 3, 9, 49, 100] {
            #expect(
                shuffled.summary(upTo: last, by: registry)
                    == ordered.summary(upTo: last, by: registry), "seed \(seed), up to \(last)")
        }
    }

    @Test("Replacing a page equals removing it and loading the new one", arguments: 1...25)
    func replacing(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var generator = SeededGenerator(seed: seed &* 37)
        let new = try resolved(page(&generator), number: 9, by: registry)
        var replaced = PaginatedViewModel()
        var reloaded = PaginatedViewModel()
        for page in pages {
            try replaced.load(page)
            try reloaded.load(page)
        }
        try replaced.load(new)
        reloaded.removePage(9)
        try reloaded.load(new)
        #expect(replaced.summary(by: registry) == reloaded.summary(by: registry), "seed \(seed)")
        #expect(replaced.itemCount == reloaded.itemCount, "seed \(seed)")
        #expect(replaced.sectionCount == reloaded.sectionCount, "seed \(seed)")
    }

    @Test("A removed page does not affect the screen", arguments: 1...25)
    func removing(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var without = PaginatedViewModel()
        var removed = PaginatedViewModel()
        for page in pages {
            if page.number != 16 { try without.load(page) }
            try removed.load(page)
        }
        removed.removePage(16)
        #expect(removed.summary(by: registry) == without.summary(by: registry), "seed \(seed)")
        #expect(removed.itemCount == without.itemCount, "seed \(seed)")
    }

    @Test("No item is lost, and no two items of a section have the same id", arguments: 1...25)
    func items(seed: UInt64) throws {
        let (pages, registry) = try pages(seed)
        var model = PaginatedViewModel()
        for page in pages { try model.load(page) }
        let screen = model.merged(registry: registry)
        let hidden = screen.sections.filter(\.collapsed).compactMap(\.id)
        let shown = pages.flatMap(\.sections).filter { !hidden.contains($0.identifier ?? "-") }
        let unnamedHidden = pages.flatMap(\.sections).filter {
            $0.identifier == nil && $0.collapsed == true
        }
        #expect(
            screen.itemCount
                == shown.reduce(0) { $0 + $1.cells.count }
                - unnamedHidden.reduce(0) { $0 + $1.cells.count }, "seed \(seed)")
        for section in screen.sections {
            #expect(Set(section.itemIds).count == section.itemCount, "seed \(seed)")
        }
    }
}
