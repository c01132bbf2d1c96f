import Testing

extension EndToEnd {
    @Suite struct Checking {
        private func check(_ catalog: String, _ pages: String...) throws -> Shell.Outcome {
            let folder = try ScratchFolder()
            try folder.write(catalog, to: "catalog.json")
            var words = ["check", "catalog.json"]
            for (index, page) in pages.enumerated() {
                words.append("page-\(index).json")
                try folder.write(page, to: "page-\(index).json")
            }
            return try Shell.run([Repository.binary] + words, directory: folder.path)
        }

        private let catalog =
            #"{"units":{"A":{"cells":{"type":"T"}}},"cellTypes":{"T":{"size":{"height":9}}}}"#

        @Test("For valid pages the status is 0, and lint diagnostics are printed")
        func fixtures() throws {
            let name = "storefront"
            let files = ["catalog", "page-0", "page-1", "page-2"].map {
                Repository.path("Fixtures/\(name)/\($0).json")
            }
            let outcome = try Shell.run([Repository.binary, "check"] + files)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 1, "\(outcome.output)")
            #expect(lines.first?.contains("page-2.json:5:5 /sections/0 RAGGED_LAST_ROW ") == true)
        }

        @Test("Every violation in the catalog is a line on standard output, with status 1")
        func invalidCatalog() throws {
            let outcome = try check(
                """
                {"units": {"A": {"cell": {"type": "Missing"}},
                           "B": {"cell": {"type": "T", "data": "no pointer"}}},
                 "cellTypes": {"T": {"size": {"width": {"fraction": "half"}}}}}
                """)
            #expect(outcome.status == 1 && outcome.errors == "")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("catalog.json:1:35 /units/A/cell/type ") })
            #expect(lines.contains { $0.hasPrefix("catalog.json:2:48 /units/B/cell/data ") })
            #expect(lines.contains { $0.contains(" /cellTypes/T/size/width/fraction ") })
        }

        @Test("Violations and diagnostics of pages are lines on standard output too")
        func invalidPages() throws {
            let outcome = try check(
                catalog, #"{"sections":[{"units":[{"unitType":"X"}]}]}"#, #"{"sections":3}"#,
                "{\n]", #"{"sections":[{"units":[{"unitType":"A","unitData":{}}]}]}"#)
            #expect(outcome.status == 1)
            let lines = outcome.output.split(separator: "\n")
            try #require(lines.count == 6, "\(outcome.output)")
            #expect(lines[0].hasPrefix("page-0.json:1:36 /sections/0/units/0/unitType "))
            #expect(lines[0].contains("UNKNOWN_UNIT_TYPE"))
            #expect(lines[1].hasPrefix("page-1.json:1:13 /sections "))
            #expect(lines[2].hasPrefix("page-2.json:2:1 "))
            #expect(lines[3].hasPrefix("page-3.json:1:51 /sections/0/units/0/unitData "))
            #expect(lines[3].contains("NOT_AN_ARRAY"))
            // Lint diagnostics come last: two sections are empty, because their units are invalid.
            #expect(lines[4...].allSatisfy { $0.contains(" /sections/0 EMPTY_SECTION ") })
        }

        @Test("Pages are checked for JSON and contract even if the catalog is invalid")
        func invalidCatalogAndPage() throws {
            let outcome = try check("{]", #"{"sections":3}"#)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("catalog.json:1:2 "))
            #expect(outcome.output.contains("page-0.json:1:13 /sections "))
        }

        @Test("A missing file is reported on standard error, with status 1")
        func missingFile() throws {
            let outcome = try Shell.broadsheet("check", "/nowhere.json")
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(outcome.errors.contains("/nowhere.json: No such file or directory"))
        }

        @Test("Without a catalog the status is 2")
        func nothing() throws {
            let outcome = try Shell.broadsheet("check")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("CATALOG"))
        }
    }
}
