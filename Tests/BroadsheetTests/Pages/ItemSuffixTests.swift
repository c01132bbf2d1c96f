import Broadsheet
import TestSupport
import Testing

@Suite("Items of the same id in a section (docs/catalog.md, id)") struct ItemSuffixTests {
    /// Returns the ids of a section whose items have these ids as JSON, one string for each page.
    private func ids(_ pages: [String]) throws -> [String] {
        let catalog = try sampleCatalog()
        var model = PaginatedViewModel()
        for (number, ids) in pages.enumerated() {
            let items = ids.split(separator: " ").map { #"{"id": \#($0)}"# }.joined(separator: ",")
            try model.load(
                resolved(
                    #"{"sections": [{"sectionId": "S", "units": [{"unitType": "U", "unitData": [\#(items)]}]}]}"#,
                    number: number, by: catalog))
        }
        return model.merged(registry: catalog.registry).sections.first?.items.map(\.id) ?? []
    }

    @Test(
        "Later items of the same id get the suffixes #2, #3",
        arguments: [
            ([#""a" "b" "a" "a""#], ["a", "b", "a#2", "a#3"]),
            ([#""a" 1"#, #""1" "a""#], ["a", "1", "1#2", "a#2"]),
            ([#""a" "\u0061" "\u0061""#], ["a", "a#2", "a#3"]),
            ([#""" """#], ["", "#2"]),
        ])
    func numbers(pages: [String], ids: [String]) throws {
        #expect(try self.ids(pages) == ids)
    }

    @Test(
        "Suffixes skip ids that were posted",
        arguments: [
            ([#""a#2" "a" "a""#], ["a#2", "a", "a#3"]),
            ([#""a" "a" "a#2""#], ["a", "a#2", "a#2#2"]),
            ([#""a" "a#3" "a" "a""#], ["a", "a#3", "a#2", "a#4"]),
            ([#""a" "a" "a#2" "a#2" "a#2#2""#], ["a", "a#2", "a#2#2", "a#2#3", "a#2#2#2"]),
            ([#""p0.u0.e1" null"#], ["p0.u0.e1", "p0.u0.e1#2"]),
            ([#"null "p0.u0.e0""#], ["p0.u0.e0", "p0.u0.e0#2"]),
        ])
    func collisions(pages: [String], ids: [String]) throws {
        #expect(try self.ids(pages) == ids)
    }

    @Test("Suffixes are counted by section and by code points")
    func scope() throws {
        #expect(try ids([#""\u00e9" "e\u0301" "E""#]).count == 3)
        #expect(try ids([#""\u00e9" "e\u0301" "E""#]).allSatisfy { !$0.contains("#") })
        let catalog = try sampleCatalog()
        var model = PaginatedViewModel()
        let unit = #"[{"unitType": "U", "unitData": [{"id": 1}]}]"#
        try model.load(resolved(#"{"sections": [\#(unit), \#(unit)]}"#, by: catalog))
        let screen = model.merged(registry: catalog.registry)
        #expect(screen.sections.map { $0.items.map(\.id) } == [["1"], ["1"]])
    }

    @Test("A later page does not rename earlier items")
    func stability() throws {
        let first = try ids([#""a" "a" "b""#])
        #expect(try Array(ids([#""a" "a" "b""#, #""a#2" "b" "a""#]).prefix(3)) == first)
    }

    @Test("Equal places of several placements and of repeated sections get suffixes")
    func places() throws {
        let catalog = try catalog(
            """
            {"units": {"U": {"cell": [{"type": "A"}, {"type": "A"}]}}, "cellTypes": {"A": {}}}
            """)
        var model = PaginatedViewModel()
        let section = #"{"sectionId": 1, "units": [{"unitType": "U", "unitData": 1}]}"#
        try model.load(resolved(#"{"sections": [\#(section), \#(section)]}"#, by: catalog))
        #expect(
            model.merged(registry: catalog.registry).sections.map { $0.items.map(\.id) } == [
                ["p0.u0.e0", "p0.u0.e0#2", "p0.u0.e0#3", "p0.u0.e0#4"]
            ])
    }

    @Test("All ids are different, and equal those of a simple implementation", arguments: 1...30)
    func againstReference(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = ["a", "a#2", "a#3", "a#2#2", "b", "b#2", "", "#2", "p0.u0.e3", "p1.u0.e0"]
        let pages = (0..<3).map { _ in
            (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                let id = alphabet.randomElement(using: &generator) ?? ""
                return Bool.random(using: &generator) ? "\"\(id)\"" : "null"
            }
        }
        let posted = pages.enumerated().flatMap { page, ids in
            ids.enumerated().map { index, id in
                id == "null" ? "p\(page).u0.e\(index)" : String(id.dropFirst().dropLast())
            }
        }
        let actual = try ids(pages.map { $0.joined(separator: " ") })
        #expect(actual == Self.reference(posted), "seed \(seed)")
        #expect(Set(actual).count == actual.count, "seed \(seed)")
    }

    private static func reference(_ ids: [String]) -> [String] {
        var taken: Set<String> = []
        return ids.map { id in
            var candidate = id
            var number = 1
            while taken.contains(candidate) {
                number += 1
                candidate = "\(id)#\(number)"
            }
            taken.insert(candidate)
            return candidate
        }
    }
}
