import Testing

extension EndToEnd {
    /// Tests of the main use case, with curl as in the README.
    @Suite struct Tour {
        private func curl(_ words: String...) throws -> String {
            let outcome = try Shell.run(
                ["curl", "-sS", "--max-time", "20"] + words, directory: Repository.folder)
            guard outcome.status == 0 else { throw HarnessError("curl: \(outcome.errors)") }
            return outcome.output
        }

        private func tree(_ words: String...) throws -> Tree {
            let outcome = try Shell.run(
                ["curl", "-sS", "--fail-with-body", "--max-time", "20"] + words,
                directory: Repository.folder)
            let body = Array(outcome.output.utf8)
            return try Response(status: 200, headers: [], body: body).tree()
        }

        private let json = ["-H", "Content-Type: application/json"]

        @Test("A stored page is laid out, and its page token returns the next page")
        func mainJob() throws {
            let daemon = try TestDaemon()
            let screen = "http://\(daemon.address)/v1/screens/home"
            for page in 0...1 {
                let stored = try tree(
                    "-X", "PUT", json[0], json[1], "--data-binary",
                    "@Fixtures/storefront/page-\(page).json", "\(screen)/pages/\(page)")
                #expect(stored.screen == "home")
                #expect(stored.revision == page + 1)
                #expect(stored.pageCount == page + 1)
                #expect(stored.diagnostics.isEmpty)
            }
            let first = try tree("\(screen)/layout")
            #expect(first.page == 0 && first.hasNext)
            #expect(first.items(of: "ProductList").count == 8)
            let token = try #require(first.nextPageToken)
            let second = try tree("\(screen)/layout?pageToken=\(token)")
            #expect(second.page == 1 && second.pageCount == 2)
            #expect(second.items(of: "ProductList").count == 16)
            #expect(
                second.items(of: "ProductList").prefix(8) == first.items(of: "ProductList")[...])
            #expect(second.contentSize.height > first.contentSize.height)
        }

        @Test("The tree depends on the viewport and the direction")
        func viewports() throws {
            let daemon = try TestDaemon()
            try Storefront.store(0..<1, as: "home", in: daemon)
            let layout = "http://\(daemon.address)/v1/screens/home/layout"
            let phone = try tree(layout)
            let tablet = try tree("\(layout)?width=768&height=1024&scale=2")
            let mirrored = try tree("\(layout)?direction=rtl")
            #expect(phone.contentSize.width == 390 && tablet.contentSize.width == 768)
            for (left, right) in zip(phone.sections, mirrored.sections) {
                #expect(left.items.map(\.frame.y) == right.items.map(\.frame.y))
                #expect(left.items.map(\.id) == right.items.map(\.id))
            }
            let list = try #require(phone.sections.first { $0.id == "ProductList" })
            let other = try #require(mirrored.sections.first { $0.id == "ProductList" })
            #expect(list.items[0].frame.x == other.items[1].frame.x)
        }

        @Test("An invalid unit has a diagnostic with its location, and the rest is laid out")
        func brokenUnit() throws {
            let daemon = try TestDaemon()
            let response = try tree(
                json[0], json[1], "--data-binary", "@Fixtures/hostile/broken-unit.json",
                "http://\(daemon.address)/v1/layout")
            #expect(
                response.diagnostics.map(\.code) == [
                    "UNKNOWN_UNIT_TYPE", "NOT_AN_ARRAY", "MISSING_DATA",
                ])
            #expect(response.diagnostics[0].pointer == "/sections/0/units/1/unitType")
            #expect(response.sections.flatMap(\.items).map(\.id) == ["P0000001"])
        }

        @Test("Health checks, metrics, the OpenAPI document and the catalog can be requested")
        func serviceEndpoints() throws {
            let daemon = try TestDaemon()
            let root = "http://\(daemon.address)"
            for path in ["/livez", "/readyz"] {
                #expect(
                    try curl("-o", "/dev/null", "-w", "%{http_code}", root + path) == "200")
            }
            #expect(try curl("\(root)/metrics").contains("\nbroadsheet_"))
            #expect(try curl("\(root)/openapi.json").contains("\"3.1."))
            #expect(
                try curl("\(root)/v1/catalog").utf8.elementsEqual(
                    try Repository.contents("Fixtures/storefront/catalog.json")))
        }
    }
}
