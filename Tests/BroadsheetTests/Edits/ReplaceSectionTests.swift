import Broadsheet
import Testing

/// Returns a section of an id with one list of ids, and a condition if there is one.
private func section(_ id: String, _ item: String = "", when: String? = nil) -> String {
    let data = item.isEmpty ? "" : #"{"id":"\#(item)"}"#
    let condition = when.map { #","when":\#($0)"# } ?? ""
    return #"{"id":"\#(id)","u":[{"t":"LIST","d":[\#(data)]}]\#(condition)}"#
}

/// Returns a page of sections.
private func page(_ sections: String...) -> String {
    #"{"s":[\#(sections.joined(separator: ","))]}"#
}

/// Returns an operation that replaces a section, with the members of a place.
private func replace(_ section: String, _ place: String = "") -> String {
    #"{"op":"replaceSection","section":\#(section)\#(place.isEmpty ? "" : ",\(place)")}"#
}

@Suite("Updates: replaceSection (docs/edits.md, Sections)") struct ReplaceSectionTests {
    private func check(
        _ example: UpdateCase, _ parameters: LayoutParameters = LayoutParameters()
    ) throws {
        let catalog = try updateCatalog()
        let outcome = try updated(
            example.pages, example.operations, by: catalog, for: parameters)
        #expect(outcome == example.outcome)
        guard case .pages(let pages) = outcome else { return }
        let again = try updated(pages, example.operations, by: catalog, for: parameters)
        #expect(again == .pages(pages), "a second time changes something")
    }

    private static let flag = #"{"flags":["x"]}"#

    static let examples: [UpdateCase] = [
        UpdateCase(
            "in its place", page(section("A"), section("B", "old"), section("C")),
            replace(section("B", "new")), page(section("A"), section("B", "new"), section("C"))),
        UpdateCase(
            "the first part, in page order; the other parts go, and the pages stay",
            pages: [
                page(section("A"), section("B", "1"), "[]", section("B", "2")),
                page(section("B", "3"), section("C")), page(section("B", "4")),
            ],
            replace(section("B", "new")),
            .pages([
                page(section("A"), section("B", "new"), "[]"), page(section("C")), page(),
            ])),
        UpdateCase(
            "no part of its members remains, and the white space around it stays",
            #"{"s":[ {"id":"B","collapsed":true,"layout":{},"u":[]} , {"id":"A","u":[]}]}"#,
            replace(#"{"id": "B", "u": [ ]}"#),
            #"{"s":[ {"id": "B", "u": [ ]} , {"id":"A","u":[]}]}"#),
        UpdateCase(
            "an id that the screen does not have: at the end of the last page",
            pages: [page(section("A")), page(section("B"))], replace(section("C", "new")),
            .pages([page(section("A")), page(section("B"), section("C", "new"))])),
        UpdateCase(
            "an id that the screen does not have: at the place",
            pages: [page(section("A")), page(section("B"))],
            replace(section("C"), #""before":"B""#) + "," + replace(section("D"), #""after":0"#),
            .pages([page(section("A"), section("D")), page(section("C"), section("B"))])),
        UpdateCase(
            "an id that was posted as a number is its text", page(section("7", "old")),
            replace(#"{"id":7,"u":[]}"#), page(#"{"id":7,"u":[]}"#)),
        UpdateCase(
            "with a place it moves there, into the page of the place",
            pages: [page(section("A"), section("B", "1")), page(section("C"), section("B", "2"))],
            replace(section("B", "new"), #""after":"C""#),
            .pages([page(section("A")), page(section("C"), section("B", "new"))])),
        UpdateCase(
            "a place in front of it, in its own page",
            page(section("A"), section("B"), section("C", "old"), section("A", "2")),
            replace(section("C", "new"), #""before":"A""#),
            page(section("C", "new"), section("A"), section("B"), section("A", "2"))),
        UpdateCase(
            "before the number of sections is the end",
            pages: [page(section("A", "old"), section("B")), page(section("C"))],
            replace(section("A", "new"), #""before":3"#),
            .pages([page(section("B")), page(section("C"), section("A", "new"))])),
        UpdateCase(
            "an index of its own leaves it in its place",
            page(section("A"), section("B", "old"), section("C")),
            replace(section("B", "new"), #""after":1"#),
            page(section("A"), section("B", "new"), section("C"))),
        UpdateCase(
            "indexes mean the sections before the operation",
            page(section("A", "old"), section("B"), section("C")),
            replace(section("A", "new"), #""after":1"#),
            page(section("B"), section("A", "new"), section("C"))),
        UpdateCase(
            "the operations after it find its items",
            page(section("A"), section("B", "old")),
            replace(section("B", "new")) + "," + replace(section("C", "c"))
                + #",{"op":"patchItem","section":"B","item":"new","patch":{"v":1}}"#
                + #",{"op":"upsertItems","section":"C","unitType":"LIST","data":[{"id":"d"}]}"#
                + #",{"op":"moveItems","section":"C","items":["c"],"toSection":"B","before":0}"#
                + #","# + replace(section("C", "e")) + #","# + replace(section("B", "f")),
            page(section("A"), section("B", "f"), section("C", "e"))),
    ]

    @Test(
        "A section takes the place of the parts of its id, and twice the same is the same",
        arguments: examples)
    func replaces(_ example: UpdateCase) throws { try check(example) }

    @Test("Equal bytes in the same place are no change, and an edit of one part is")
    func unchanged() throws {
        let catalog = try updateCatalog()
        let pages = [
            #"{"s":[ {"id": "A", "u": []} ,{"id":"B","u":[]}]}"#, page(section("C"), section("D")),
        ]
        var model = try viewModel(pages, by: catalog)
        func changed(_ section: String, _ place: UpdatePlace? = nil) throws -> [Int] {
            let value = try JSONDocument(Array(section.utf8)).root
            return try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.replaceSection(value, place)
            }
        }
        for place in [nil, .before("B"), .before(0), .before(1), .after(0)] as [UpdatePlace?] {
            #expect(try changed(#"{"id": "A", "u": []}"#, place) == [], "\(place as Any)")
        }
        #expect(try changed(section("D"), .end) == [])
        #expect(texts(model) == pages)
        #expect(try changed(#"{"id":"A","u":[]}"#) == [0])
        #expect(try changed(section("C"), .end) == [1])
        #expect(texts(model)[1] == page(section("D"), section("C")))
    }

    static let failures: [UpdateCase] = [
        UpdateCase(
            "a screen without pages", pages: [], replace(section("A")),
            .impossible("/operations/0")),
        UpdateCase(
            "a place that is not there", page(section("A")),
            replace(section("A"), #""before":"Z""#), .impossible("/operations/0/before")),
        UpdateCase(
            "a place that is not there, of a new section", page(section("A")),
            replace(section("B"), #""after":1"#), .impossible("/operations/0/after")),
        UpdateCase(
            "a place that is the section, as for moveSection", page(section("A"), section("B")),
            replace(section("B"), #""before":"B""#), .impossible("/operations/0/before")),
        UpdateCase(
            "an array of units", page(section("A")), replace("[]"),
            .violations(["/operations/0/section"])),
        UpdateCase(
            "a name instead of a section", page(section("A")), replace(#""A""#),
            .violations(["/operations/0/section"])),
        UpdateCase(
            "a section without an id", page(section("A")), replace(#"{"u":[]}"#),
            .violations(["/operations/0/section/id"])),
        UpdateCase(
            "an id that is null, and what else is wrong", page(section("A")),
            replace(#"{"id":null,"layout":{"inset":"x"},"u":[{}]}"#, #""before":true"#),
            .violations([
                "/operations/0/section/id", "/operations/0/section/layout/inset",
                "/operations/0/section/u/0/t", "/operations/0/before",
            ])),
        UpdateCase(
            "no section at all", page(section("A")), #"{"op":"replaceSection","sektion":1}"#,
            .violations(["/operations/0/section", "/operations/0/sektion"])),
        UpdateCase(
            "two places", page(section("A")),
            replace(section("A"), #""before":0,"after":0"#),
            .violations(["/operations/0/after"])),
    ]

    @Test("A section that cannot be replaced is named, and nothing changes", arguments: failures)
    func failure(_ example: UpdateCase) throws {
        let outcome = try updated(example.pages, example.operations, by: updateCatalog())
        if case .violations(let found) = outcome, case .violations(let expected) = example.outcome {
            #expect(Set(found) == Set(expected))
        } else {
            #expect(outcome == example.outcome)
        }
    }

    @Test("A page cannot exceed its limits; parts that go make space in it first")
    func limits() throws {
        let old = page(section("A", "old"), section("A", "old"))
        func outcome(
            _ new: String, _ maxPageBytes: Int, _ maxDepth: Int = 9
        ) throws
            -> UpdateOutcome
        {
            try updated(
                [old], replace(section("B")) + "," + replace(new), by: updateCatalog(),
                limits: EditLimits(
                    maxPageBytes: maxPageBytes, page: ScreenLimits(maxDepth: maxDepth, maxItems: 3))
            )
        }
        let long = section("A", String(repeating: "x", count: 40))
        let fits = page(long, section("B"))
        let before = page(section("A", "old"), section("A", "old"), section("B")).utf8.count
        #expect(try outcome(long, before - 1) == .tooLarge("/operations/0"))
        #expect(try outcome(long, before) == .pages([fits]))
        let longer = section("A", String(repeating: "x", count: 200))
        #expect(try outcome(longer, before) == .tooLarge("/operations/1"))
        let deep = #"{"id":"A","u":[{"t":"LIST","d":[[[[]]]]}]}"#
        #expect(try outcome(deep, 1_000, 8) == .tooLarge("/operations/1"))
        #expect(try outcome(deep, 1_000, 9) == .pages([page(deep, section("B"))]))
        let many = #"{"id":"A","u":[{"t":"LIST","d":[1,2,3,4]}]}"#
        #expect(try outcome(many, 1_000) == .invalid(["/s/0/u/0"]))
    }
}

// MARK: - Conditions

extension ReplaceSectionTests {
    /// A case with the flags of the request.
    struct Variant: Sendable, CustomTestStringConvertible {
        let flags: [String]
        let example: UpdateCase
        var testDescription: String { example.testDescription }
    }

    static let variants: [Variant] = [
        Variant(
            flags: [],
            example: UpdateCase(
                "the parts that this client does not get stay",
                page(section("A", "1", when: flag), section("B"), section("A", "2")),
                replace(section("A", "new")),
                page(section("A", "1", when: flag), section("B"), section("A", "new")))),
        Variant(
            flags: ["x"],
            example: UpdateCase(
                "with its flags, all parts that it gets go",
                page(section("A", "1", when: flag), section("B"), section("A", "2")),
                replace(section("A", "new", when: flag)),
                page(section("A", "new", when: flag), section("B")))),
        Variant(
            flags: [],
            example: UpdateCase(
                "a section that this client does not get replaces the one that it gets",
                page(section("A", "old"), section("B")), replace(section("A", "new", when: flag)),
                page(section("A", "new", when: flag), section("B")))),
        Variant(
            flags: [],
            example: UpdateCase(
                "a section that this client does not get finds itself by its condition",
                page(
                    section("A", "1", when: #"{"flags":["y"]}"#),
                    section("A", "2", when: #"{"without":null, "flags":["x","x"]}"#)),
                replace(section("A", "new", when: flag)),
                page(
                    section("A", "1", when: #"{"flags":["y"]}"#),
                    section("A", "new", when: flag)))),
        Variant(
            flags: [],
            example: UpdateCase(
                "a section that this client does not get is inserted at an index",
                page(section("A"), section("B")),
                replace(section("C", when: flag), #""before":1"#),
                page(section("A"), section("C", when: flag), section("B")))),
        Variant(
            flags: [],
            example: UpdateCase(
                "a section that is left out because of an essential unit is found",
                page(#"{"id":"A","u":[{"t":"NONE","essential":true}]}"#, section("B")),
                replace(#"{"id":"A","u":[{"t":"NONE","d":1,"essential":true}]}"#, #""after":0"#),
                page(section("B"), #"{"id":"A","u":[{"t":"NONE","d":1,"essential":true}]}"#))),
    ]

    @Test("The first part is one that the client gets")
    func firstPart() throws {
        let missing = #"{"id":"A","u":[{"t":"NONE","essential":true}]}"#
        try check(
            UpdateCase(
                "a part in front of it is left out",
                page(missing, section("B"), section("A"), section("A")),
                replace(section("A", "new"), #""before":1"#),
                page(section("B"), section("A", "new"))))
    }

    @Test("The parts are those that the client of the request gets", arguments: variants)
    func conditions(_ variant: Variant) throws {
        var parameters = LayoutParameters()
        parameters.flags = IdentifierList(variant.flags)
        try check(variant.example, parameters)
    }

    @Test("An index cannot be the place of a section that the client gets no more")
    func lostSection() throws {
        let pages = [page(section("A"), section("B"), section("C"))]
        func outcome(_ place: String) throws -> UpdateOutcome {
            try updated(
                pages, replace(section("A", when: Self.flag), place), by: updateCatalog())
        }
        #expect(try outcome(#""after":1"#) == .impossible("/operations/0/after"))
        #expect(try outcome(#""before":3"#) == .impossible("/operations/0/before"))
        #expect(
            try outcome(#""after":"B""#)
                == .pages([page(section("B"), section("A", when: Self.flag), section("C"))]))
    }
}
