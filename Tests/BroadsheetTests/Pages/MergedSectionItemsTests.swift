import TestSupport
import Testing

@testable import Broadsheet

@Suite("Items of a merged section by index") struct MergedSectionItemsTests {
    /// Returns a section merged from sections of random lengths, some of them empty.
    private func section(_ random: inout SeededGenerator) throws -> MergedSection {
        var model = PaginatedViewModel()
        let registry = try sampleCatalog().registry
        for number in 0..<9 {
            let count = Int.random(in: 0...4, using: &random)
            let items = (0..<count).map { _ in
                #"{"id": \#(Int.random(in: 0...5, using: &random))}"#
            }.joined(separator: ",")
            try model.load(
                resolved(
                    #"{"sections": [{"sectionId": "S", "units": [{"unitType": "U", "unitData": [\#(items)]}]}]}"#,
                    number: number, by: registry))
        }
        return try #require(model.merged(registry: registry).sections.first)
    }

    @Test("Parts, suffixes and runs equal those of a linear search", arguments: 1...20)
    func walk(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let section = try section(&random)
        let owners = section.parts.enumerated().flatMap { part in
            part.element.cells.map { _ in part.offset }
        }
        #expect(owners.count == section.itemCount)
        for index in -1...section.itemCount {
            let owner = owners.indices.contains(index) ? owners[index] : nil
            #expect(section.partIndex(ofItem: index) == owner, "seed \(seed), item \(index)")
            #expect(
                Array(section.suffixes(fromItem: index))
                    == section.suffixes.filter { $0.item >= index }, "seed \(seed)")
        }
        let places = section.parts.flatMap { part in
            part.cells.map { "\(part.page.number) \($0.dataRange)" }
        }
        for start in 0...section.itemCount {
            for end in start...section.itemCount + 2 {
                var found: [String] = []
                section.forEachPage(of: start..<end) { page, cells in
                    #expect(!cells.isEmpty)
                    found += cells.map { "\(page.number) \($0.dataRange)" }
                }
                #expect(found == Array(places[start..<min(end, places.count)]), "seed \(seed)")
            }
        }
    }
}
