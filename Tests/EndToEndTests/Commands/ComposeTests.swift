import Testing

extension EndToEnd {
    @Suite struct Composing {
        private let page = #"{"sections":[[{"unitType":"SS_TOP_BANNER","unitData":{"a":1e2}}]]}"#

        @Test("A page on standard input becomes a tree on standard output")
        func standardInput() throws {
            let outcome = try Shell.broadsheet("compose", "-", input: Array(page.utf8))
            #expect(outcome.status == 0 && outcome.errors == "")
            #expect(outcome.output.hasPrefix(#"{"page":0,"pageCount":1,"hasNext":false,"#))
            #expect(outcome.output.hasSuffix("}\n"))
            #expect(outcome.output.contains(#""data":{"a":1e2}"#))
        }

        @Test("Several pages merge into one tree")
        func severalPages() throws {
            let outcome = try Shell.run(
                [Repository.binary, "compose"]
                    + Storefront.pages.reversed().map {
                        Repository.path("Fixtures/storefront/page-\($0).json")
                    })
            let tree = try Response(status: 200, headers: [], body: Array(outcome.output.utf8))
                .tree()
            #expect(tree.items(of: "ProductList").count == 21)
            #expect(tree.pageCount == 3 && tree.nextPageToken == nil)
        }

        @Test("Options have the same effect as the API's query parameters")
        func options() throws {
            let outcome = try Shell.broadsheet(
                "compose", "--width=100", "--height", "50", "--scale", "2", "--direction=rtl",
                "--fields=frames", "--coordinates", "content", "--rounding=none", "--pretty", "-",
                input: Array(page.utf8))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("\n"))
            #expect(!outcome.output.contains("\"data\""))
            let tree = try Response(status: 200, headers: [], body: Array(outcome.output.utf8))
                .tree()
            #expect(tree.contentSize.width == 100)
        }

        @Test(
            "An invalid page is reported with its location on standard error, with status 1",
            arguments: [
                ("{\"sections\":\n [}", "-:2:3 "),
                (#"{"sections":{}}"#, "-:1:13 /sections "),
                (#"{"sections":[{"units":[{"unitType":5}]}]}"#, "/sections/0/units/0/unitType "),
                ("", "-:1:1 "),
            ])
        func invalidPage(page: String, location: String) throws {
            let outcome = try Shell.broadsheet("compose", "-", input: Array(page.utf8))
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains(location), "\(outcome.errors)")
        }

        @Test("A repeated page number is reported with status 1")
        func sameNumberTwice() throws {
            let path = Repository.path("Fixtures/storefront/page-0.json")
            let outcome = try Shell.broadsheet("compose", path, path)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("\(path):"))
        }

        @Test(
            "An invalid command line is reported with its cause, with status 2",
            arguments: [
                ([], "PAGE"), (["--widht=1", "-"], "did you mean '--width'?"),
                (["--width", "0", "-"], "--width"), (["--scale=9", "-"], "--scale"),
                (["-", "-"], "standard input"), (["--direction=up", "-"], "ltr, rtl"),
            ])
        func commandLine(words: [String], mention: String) throws {
            let outcome = try Shell.run([Repository.binary, "compose"] + words)
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains(mention), "\(outcome.errors)")
        }

        @Test("A full disk is a failure with a message")
        func fullDisk() throws {
            let outcome = try Shell.run(
                ["/bin/sh", "-c", "exec \"$0\" compose - >/dev/full", Repository.binary],
                input: Array(page.utf8))
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("standard output"))
        }
    }
}
