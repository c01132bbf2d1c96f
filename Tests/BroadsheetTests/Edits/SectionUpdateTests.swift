import Broadsheet
import Testing

/// Returns a section of an id with one list of ids.
private func section(_ id: String, _ items: String...) -> String {
    let elements = items.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    return #"{"id":"\#(id)","u":[{"t":"LIST","d":[\#(elements)]}]}"#
}

/// Returns a page of sections.
private func page(_ sections: String...) -> String {
    #"{"s":[\#(sections.joined(separator: ","))]}"#
}

@Suite("Updates of sections") struct SectionUpdateTests {
    private func check(_ example: UpdateCase) throws {
        #expect(
            try updated(example.pages, example.operations, by: updateCatalog()) == example.outcome)
    }

    static let insertions: [UpdateCase] = [
        UpdateCase(
            "before a section: into the page of its first appearance",
            pages: [page(section("A")), page(section("B"), section("C")), page(section("B"))],
            #"{"op":"insertSections","before":"B","sections":[\#(section("X")),\#(section("Y"))]}"#,
            .pages([
                page(section("A")),
                page(section("X"), section("Y"), section("B"), section("C")), page(section("B")),
            ])),
        UpdateCase(
            "after a section: directly behind its first part",
            pages: [page(section("A"), section("B")), page(section("A"))],
            #"{"op":"insertSections","after":0,"sections":[[]]}"#,
            .pages([page(section("A"), "[]", section("B")), page(section("A"))])),
        UpdateCase(
            "at the end, also before the count", pages: [page(section("A")), page(section("B"))],
            #"{"op":"insertSections","sections":[\#(section("X"))]},"#
                + #"{"op":"insertSections","before":3,"sections":[\#(section("Y"))]}"#,
            .pages([page(section("A")), page(section("B"), section("X"), section("Y"))])),
        UpdateCase(
            "an id that the screen has", pages: [page(section("A")), page(section("7"))],
            #"{"op":"insertSections","before":"A","sections":[\#(section("X")),{"id":7,"u":[]}]}"#,
            .impossible("/operations/0/sections/1/id")),
        UpdateCase(
            "an id that stands twice", page(section("A")),
            #"{"op":"insertSections","sections":[\#(section("X")),\#(section("X"))]}"#,
            .impossible("/operations/0/sections/1/id")),
        UpdateCase(
            "a screen without pages", pages: [],
            #"{"op":"insertSections","sections":[]}"#, .impossible("/operations/0")),
        UpdateCase(
            "a place that is not there", page(section("A")),
            #"{"op":"insertSections","sections":[],"after":"B"}"#,
            .impossible("/operations/0/after")),
        UpdateCase(
            "extendSections: a known id takes on the items",
            pages: [page(section("A", "a")), page(section("B"))],
            #"{"op":"extendSections","sections":[\#(section("A", "b")),\#(section("X"))]},"#
                + #"{"op":"deleteItems","section":"A","items":[1]}"#,
            .pages([page(section("A", "a")), page(section("B"), section("A"), section("X"))])),
        UpdateCase(
            "extendSections of a screen without pages", pages: [],
            #"{"op":"extendSections","sections":[[]]}"#, .impossible("/operations/0")),
    ]

    @Test("Updates: insertSections and extendSections", arguments: insertions)
    func insert(_ example: UpdateCase) throws { try check(example) }

    static let moves: [UpdateCase] = [
        UpdateCase(
            "deleteSections in all pages, by ids and indexes",
            pages: [page(section("A"), "[]", section("B")), page(section("A"), section("C"))],
            #"{"op":"deleteSections","sections":["A",1]}"#,
            .pages([page(section("B")), page(section("C"))])),
        UpdateCase(
            "deleteSections named twice", page(section("A")),
            #"{"op":"deleteSections","sections":["A",0]}"#,
            .impossible("/operations/0/sections/1")),
        UpdateCase(
            "moveSection before another", page(section("A"), section("B"), section("C", "c")),
            #"{"op":"moveSection","section":"C","before":"A"}"#,
            page(section("C", "c"), section("A"), section("B"))),
        UpdateCase(
            "moveSection: all parts before the place move side by side, later ones stay",
            pages: [
                page(section("A", "1"), section("B")), page(section("A", "2"), section("C")),
                page(section("A", "3")),
            ],
            #"{"op":"moveSection","section":"A","after":"C"}"#,
            .pages([
                page(section("B")), page(section("C"), section("A", "1"), section("A", "2")),
                page(section("A", "3")),
            ])),
        UpdateCase(
            "moveSection to the end", page(section("A"), section("B")),
            #"{"op":"moveSection","section":0}"#, page(section("B"), section("A"))),
        UpdateCase(
            "moveSection to where it is: every byte stays",
            #"{"s":[ {"id":"A","u":[]} , {"id":"B","u":[]} ]}"#,
            #"{"op":"moveSection","section":"B","after":"A"}"#,
            #"{"s":[ {"id":"A","u":[]} , {"id":"B","u":[]} ]}"#),
        UpdateCase(
            "moveSection beside itself", page(section("A"), section("B")),
            #"{"op":"moveSection","section":"A","after":0}"#, .impossible("/operations/0/after")),
    ]

    @Test("Updates: deleteSections and moveSection", arguments: moves)
    func move(_ example: UpdateCase) throws { try check(example) }

    static let patches: [UpdateCase] = [
        UpdateCase(
            "collapsed is written into the last part",
            pages: [page(section("A")), page(#"{"id":"A", "collapsed":false ,"u":[]}"#)],
            #"{"op":"patchSection","section":"A","patch":{"collapsed":true}}"#,
            .pages([page(section("A")), page(#"{"id":"A", "collapsed":true ,"u":[]}"#)])),
        UpdateCase(
            "null takes away in all parts",
            pages: [
                page(#"{"collapsed":true,"id":"A","u":[]}"#),
                page(#"{"id":"A","u":[],"collapsed":null}"#), page(section("A")),
            ],
            #"{"op":"patchSection","section":"A","patch":{"collapsed":null,"layout":null}}"#,
            .pages([
                page(#"{"id":"A","u":[]}"#), page(#"{"id":"A","u":[],"collapsed":null}"#),
                page(section("A")),
            ])),
        UpdateCase(
            "each member of layout is what the parts say together, whole, in the last part",
            pages: [
                page(
                    #"{"id":"A","u":[],"layout":{"inset":{"top":1,"left":2},"gridColumnCount":2}}"#),
                page(section("A")),
            ],
            #"{"op":"patchSection","section":"A","patch":{"layout":{"inset":{"top":3,"left":null},"gridColumnCount":null}}}"#,
            .pages([
                page(#"{"id":"A","u":[],"layout":{"inset":{"top":1,"left":2}}}"#),
                page(#"{"id":"A","u":[{"t":"LIST","d":[]}],"layout":{"inset":{"top":3}}}"#),
            ])),
        UpdateCase(
            "data is merged with that of the last part that has some",
            pages: [page(#"{"id":"A","u":[],"data":{"x":1,"y":{"z":2}}}"#), page(section("A"))],
            #"{"op":"patchSection","section":"A","patch":{"data":{"x":null,"y":{"w":3}}}}"#,
            .pages([
                page(#"{"id":"A","u":[],"data":{"x":1,"y":{"z":2}}}"#),
                page(#"{"id":"A","u":[{"t":"LIST","d":[]}],"data":{"y":{"z":2,"w":3}}}"#),
            ])),
        UpdateCase(
            "a section that is just an array becomes an object",
            page(#"[{"t":"ONE", "id":1}]"#),
            #"{"op":"patchSection","section":0,"patch":{"data":[1],"collapsed":true}}"#,
            page(#"{"u":[{"t":"ONE", "id":1}],"data":[1],"collapsed":true}"#)),
        UpdateCase(
            "a header and a footer",
            page(#"{"id":"A","u":[],"header":{"t":"HEAD","d":{"a":1,"b":2}}}"#),
            #"{"op":"patchSection","section":"A","patch":{"header":{"d":{"a":null}},"footer":{"t":"HEAD"}}}"#,
            page(#"{"id":"A","u":[],"header":{"t":"HEAD","d":{"b":2}},"footer":{"t":"HEAD"}}"#)),
        UpdateCase(
            "a header that is not a unit", page(section("A")),
            #"{"op":"patchSection","section":"A","patch":{"header":{"d":1}}}"#,
            .impossible("/operations/0/patch/header")),
        UpdateCase(
            "null takes the section's own header away",
            page(#"{"id":"A","header":{"t":"HEAD","d":1},"u":[]}"#),
            #"{"op":"patchSection","section":"A","patch":{"header":null}}"#,
            page(#"{"id":"A","u":[]}"#)),
        UpdateCase(
            "a header that a unit makes stays",
            pages: [page(#"{"id":"A","u":[{"t":"HEAD","d":1}]}"#), page(section("A"))],
            #"{"op":"patchSection","section":"A","patch":{"header":null}}"#,
            .impossible("/operations/0/patch/header")),
        UpdateCase(
            "a member of layout that does not fit the contract", page(section("A")),
            #"{"op":"patchSection","section":"A","patch":{"layout":{"gridColumnCount":"x"}}}"#,
            .violations(["/operations/0/patch/layout/gridColumnCount"])),
        UpdateCase(
            "toggleSection, both ways", page(section("A")),
            #"{"op":"toggleSection","section":"A"},{"op":"toggleSection","section":0},{"op":"toggleSection","section":"A"}"#,
            page(#"{"id":"A","u":[{"t":"LIST","d":[]}],"collapsed":true}"#)),
        UpdateCase(
            "toggleSection of what an earlier page collapses",
            pages: [page(#"{"id":"A","collapsed":true,"u":[]}"#), page(section("A"))],
            #"{"op":"toggleSection","section":"A"}"#,
            .pages([
                page(#"{"id":"A","collapsed":true,"u":[]}"#),
                page(#"{"id":"A","u":[{"t":"LIST","d":[]}],"collapsed":false}"#),
            ])),
    ]

    @Test("Updates: patchSection and toggleSection", arguments: patches)
    func patch(_ example: UpdateCase) throws { try check(example) }

    @Test(
        "What does not fit the contract: all violations with pointers into the request",
        arguments: [
            ("7", ["/operations/0"]), ("{}", ["/operations/0/op"]),
            (#"{"op":"insertItem"}"#, ["/operations/0/op"]),
            (
                #"{"op":"insertItems","section":"A"}"#, ["/operations/0"]
            ),
            (#"{"op":"insertItems","section":"A","units":[],"data":[]}"#, ["/operations/0"]),
            (
                #"{"op":"insertItems","section":"A","units":[{"t":"X"},{"d":1},3]}"#,
                ["/operations/0/units/1/t", "/operations/0/units/2"]
            ),
            (
                #"{"op":"insertItems","section":-1,"data":[],"before":1.5,"after":true}"#,
                ["/operations/0/section", "/operations/0/before", "/operations/0/after"]
            ),
            (
                #"{"op":"insertItems","section":1,"data":[],"before":1,"after":2}"#,
                ["/operations/0/after"]
            ),
            (
                #"{"op":"upsertItems","section":"A"}"#,
                ["/operations/0/unitType", "/operations/0/data"]
            ),
            (
                #"{"op":"replaceItem","section":"A","item":1,"data":null}"#,
                ["/operations/0/data"]
            ),
            (#"{"op":"patchItem","section":"A","item":1,"patch":[]}"#, ["/operations/0/patch"]),
            (#"{"op":"deleteItems","section":"A"}"#, ["/operations/0"]),
            (#"{"op":"deleteItems","section":"A","items":[1],"all":true}"#, ["/operations/0"]),
            (#"{"op":"deleteItems","section":"A","all":false}"#, ["/operations/0/all"]),
            (#"{"op":"moveItems","section":"A","items":[null]}"#, ["/operations/0/items/0"]),
            (
                #"{"op":"insertSections","sections":[{"id":[],"u":[]},{}]}"#,
                ["/operations/0/sections/0/id", "/operations/0/sections/1/u"]
            ),
            (
                #"{"op":"toggleSection","sektion":"A"}"#,
                ["/operations/0/section", "/operations/0/sektion"]
            ),
            (
                #"{"op":"patchSection","section":"A","patch":{"colapsed":true,"layout":1,"collapsed":2}}"#,
                [
                    "/operations/0/patch/colapsed", "/operations/0/patch/layout",
                    "/operations/0/patch/collapsed",
                ]
            ),
            (
                #"{"op":"toggleSection","section":"A"},{"op":"x"},4"#,
                ["/operations/1/op", "/operations/2"]
            ),
        ])
    func violations(operations: String, pointers: [String]) throws {
        let outcome = try updated([page(section("A"))], operations, by: updateCatalog())
        guard case .violations(let found) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(Set(found) == Set(pointers))
    }

    @Test("An update has 1 to 1,000 operations; members of others are ignored")
    func requests() throws {
        func violations(_ request: String) throws -> [String] {
            let document = try JSONDocument(Array(request.utf8))
            do throws(ContractError) {
                _ = try ScreenUpdate(document)
                return []
            } catch {
                return error.violations.map(\.pointer)
            }
        }
        let toggle = #"{"op":"toggleSection","section":"A","comment":1}"#
        func request(_ count: Int) -> String {
            let operations = Array(repeating: toggle, count: count).joined(separator: ",")
            return #"{"x-id":1,"note":2,"operations":[\#(operations)]}"#
        }
        #expect(try violations(request(0)) == ["/operations"])
        #expect(try violations(request(1_000)) == [])
        #expect(try violations(request(1_001)) == ["/operations"])
        #expect(try violations(#"{"operation":[\#(toggle)]}"#).contains("/operation"))
        #expect(try violations("[]") == [""])
    }

    @Test("A page cannot exceed its limits, and the operation that would do it is named")
    func limits() throws {
        let limits = EditLimits(maxPageBytes: 80, page: ScreenLimits(maxDepth: 7, maxItems: 3))
        func outcome(_ data: String) throws -> UpdateOutcome {
            try updated(
                [page(section("A", "a"))],
                #"{"op":"toggleSection","section":"A"},{"op":"insertItems","section":"A","data":[\#(data)]}"#,
                by: updateCatalog(), limits: limits)
        }
        #expect(
            try outcome(#""\#(String(repeating: "x", count: 40))""#) == .tooLarge("/operations/1"))
        #expect(try outcome("[[[]]]") == .tooLarge("/operations/1"))
        #expect(try outcome("1,2,3") == .invalid(["/s/0/u/0"]))
        #expect(
            try outcome("1")
                == .pages([
                    page(#"{"id":"A","u":[{"t":"LIST","d":[{"id":"a"},1]}],"collapsed":true}"#)
                ]))
    }

    @Test("Units that Swift code registers are edited by what the code makes of them")
    func registeredByCode() throws {
        enum Card: CellType {
            static var id: JSONPointer? { "/id" }
            static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
                nil
            }
        }
        var registry = CellRegistry()
        registry.register("CARDS") { unit, section in
            section.header(Card.self, data: unit.data["title"])
            section.cells(Card.self, data: unit.data["cards"])
        }
        registry.register("LIST") { unit, section in section.cells(Card.self, data: unit.data) }
        let text =
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"CARDS","cards":[{"id":1}]}]}]}"#
        var model = PaginatedViewModel()
        try model.load(resolved(text, by: registry))
        let values = try JSONDocument(Array(#"[{"v":2},{"id":2},{"id":1,"w":3}]"#.utf8)).root
            .elements
        let (patch, new, changed) = try #require(Array(values).triple)
        let pages = try model.updatePages(registry: registry) { updater throws(EditError) in
            try updater.patchItem(section: "A", item: "1", patch: patch)
            try updater.insertItems(section: "A", .data([new]), .before(0))
            try updater.moveItems(section: "A", items: ["1"], .before("2"))
            try updater.upsertItems(section: 0, unitType: "LIST", data: [changed])
            try updater.toggleSection(section: "A")
        }
        #expect(pages == [0])
        #expect(
            texts(model) == [
                #"{"sections":[{"sectionId":"A","units":[{"unitType":"CARDS","cards":[{"id":1,"w":3},{"id":2}]}],"collapsed":true}]}"#
            ])
    }

    @Test("A section of units that becomes an object may be nested too deep for the page")
    func deepObject() throws {
        let page = #"{"s":[[{"t":"ONE","d":{"id":"a"}}]]}"#
        let operation = #"{"op":"toggleSection","section":0}"#
        func outcome(_ maxDepth: Int) throws -> UpdateOutcome {
            try updated(
                [page], operation, by: updateCatalog(),
                limits: EditLimits(page: ScreenLimits(maxDepth: maxDepth)))
        }
        #expect(try outcome(5) == .tooLarge("/operations/0"))
        #expect(
            try outcome(6)
                == .pages([#"{"s":[{"u":[{"t":"ONE","d":{"id":"a"}}],"collapsed":true}]}"#]))
    }

    @Test("An update whose error the caller ignores is without effect")
    func ignoredError() throws {
        let catalog = try updateCatalog()
        var model = try viewModel([page(section("A"))], by: catalog)
        #expect(throws: EditError.self) {
            try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.toggleSection(section: "A")
                try? updater.toggleSection(section: "B")
                try? updater.toggleSection(section: "A")
            }
        }
        #expect(texts(model) == [page(section("A"))])
        let unchanged = try model.updatePages(registry: catalog.registry) {
            updater throws(EditError) in
            try updater.moveSection(section: "A")
        }
        #expect(unchanged.isEmpty)
    }
}

extension [JSONValue] {
    /// The elements of an array of three.
    fileprivate var triple: (JSONValue, JSONValue, JSONValue)? {
        count == 3 ? (self[0], self[1], self[2]) : nil
    }
}
