import Broadsheet
import Testing

@Suite("Updates: patchSection (docs/edits.md, Sections)") struct PatchSectionTests {
    private static let page = #"{"s":[{"id":"A","u":[]}]}"#

    private func operation(_ patch: String) -> String {
        #"{"op":"patchSection","section":"A","patch":\#(patch)}"#
    }

    private func violations(
        _ operations: String, names: ContractNames = ContractNames()
    ) throws -> [ContractViolation] {
        let document = try JSONDocument(Array(#"{"operations":[\#(operations)]}"#.utf8))
        do throws(ContractError) {
            _ = try ScreenUpdate(document, names: names)
            return []
        } catch {
            return error.violations
        }
    }

    @Test("Violations inside of a layout are reported with all others of the request")
    func allViolations() throws {
        let layout = #"""
            {"kind":"gird","inset":{"top":"x","left":null},"gridColumnCount":{"max":0},
            "paging":{"isEnabled":1},"itemSize":{"uniform":{"columns":"2","width":{"fraction":""}}},
            "decoration":[{"inset":3},{"kind":"k"}],"orthogonalScrollingProperties":[]}
            """#
        let found = try violations(
            #"{"op":"toggleSection"},"#
                + operation(#"{"layout":\#(layout),"collapsed":2,"headr":null}"#)
                + #",{"op":"deleteItems","section":"A","items":7}"#)
        let patch = "/operations/1/patch"
        #expect(
            found.map(\.pointer) == [
                "/operations/0/section", "\(patch)/layout/kind", "\(patch)/layout/inset/top",
                "\(patch)/layout/gridColumnCount/max", "\(patch)/layout/paging/isEnabled",
                "\(patch)/layout/itemSize/uniform/columns",
                "\(patch)/layout/itemSize/uniform/width/fraction",
                "\(patch)/layout/decoration/0/kind",
                "\(patch)/layout/orthogonalScrollingProperties", "\(patch)/collapsed",
                "\(patch)/headr", "/operations/2/items",
            ])
    }

    @Test(
        "A layout in a patch may lack what the section has",
        arguments: [
            (#""itemSize":{"uniform":{"columns":2}}"#, #""itemSize":{"uniform":{"height":5}}"#),
            (#""decoration":{"kind":"card"}"#, #""decoration":{"zIndex":1}"#),
            (#""gridColumnCount":{"minItemWidth":150}"#, #""gridColumnCount":{"max":3}"#),
            (#""gridColumnCount":{"default":2}"#, #""gridColumnCount":{"600":3}"#),
            (
                #""gridColumnCount":{"default":2}"#,
                #""gridColumnCount":{"default":null,"minItemWidth":9}"#
            ),
            (#""itemSize":{"uniform":{"width":{"fraction":1}}}"#, #""itemSize":{"uniform":{}}"#),
        ])
    func partial(_ layout: String, _ patch: String) throws {
        let page = #"{"s":[{"id":"A","u":[],"layout":{\#(layout)}}]}"#
        let outcome = try updated(
            [page], operation(#"{"layout":{\#(patch)}}"#), by: updateCatalog())
        guard case .pages(let pages) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let pointer: JSONPointer = "/s/0/layout"
        let merged = try #require(pointer.evaluate(on: JSONDocument(Array(pages[0].utf8)).root))
        let expected = try JSONDocument(Array("{\(layout)}".utf8)).root
        #expect(merged.members.map { $0.name.string } == expected.members.map { $0.name.string })
        // Without the member that the section has, the outcome is not a layout.
        let alone = try updated(
            [Self.page], operation(#"{"layout":{\#(patch)}}"#), by: updateCatalog())
        let isWhole = patch.contains("minItemWidth") || patch.contains("uniform")
        if case .invalid(let pointers) = alone, !isWhole {
            #expect(pointers.allSatisfy { $0.hasPrefix("/s/0/layout/") } && !pointers.isEmpty)
        } else {
            #expect(isWhole, "\(alone)")
        }
    }

    @Test(
        "A member that a patch cannot change is a violation, with the nearest name",
        arguments: [
            ("colapsed", #"did you mean "collapsed"?"#), ("heder", #"did you mean "header"?"#),
            ("layouts", #"did you mean "layout"?"#),
            ("units", #"it takes "layout", "collapsed", "header", "footer" or "data""#),
            ("sectionId", #"it takes "#), ("when", #"it takes "#), ("essential", #"it takes "#),
        ])
    func unknown(_ name: String, _ advice: String) throws {
        let found = try violations(operation(#"{"\#(name)":null,"data":1}"#))
        #expect(found.map(\.pointer) == ["/operations/0/patch/\(name)"])
        #expect(found[0].detail.contains(advice), "\(found[0].detail)")
    }

    @Test("The members are those of the contract, and of other programs nothing is said")
    func names() throws {
        let names = ContractNames(sectionId: "data")
        let found = try violations(operation(#"{"data":1}"#), names: names)
        #expect(found.map(\.pointer) == ["/operations/0/patch/data"])
        #expect(try violations(operation(#"{"x-note":1,"$schema":""}"#)).isEmpty)
        #expect(
            try updated([Self.page], operation(#"{"x-note":1}"#), by: updateCatalog())
                == .pages([Self.page]))
    }

    @Test(
        "A patch in Swift is judged by its members as well",
        arguments: [(#"{"units":[]}"#, "/units"), (#"{"layout":7}"#, "/layout")])
    func inSwift(_ patch: String, _ pointer: String) throws {
        let catalog = try updateCatalog()
        var model = try viewModel([Self.page], by: catalog)
        let value = try JSONDocument(Array(patch.utf8)).root
        let error = #expect(throws: EditError.self) {
            try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
                try updater.patchSection(section: "A", patch: value)
            }
        }
        guard case .impossible(let found, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == "/operations/0/patch\(pointer)")
        #expect(texts(model) == [Self.page])
    }

    @Test(
        "Null for the layout removes it from all parts, also one that says nothing",
        arguments: ["{}", #"{"x-note":1}"#, #"{"inset":null}"#, #"{"inset":3}"#])
    func emptyLayout(_ layout: String) throws {
        func page(_ layout: String) -> String {
            #"{"s":[{"id":"A","u":[]\#(layout)},{"id":"B","u":[]}]}"#
        }
        let posted = page(#","layout":\#(layout)"#)
        let outcome = try updated(
            [posted, Self.page, posted], operation(#"{"layout":null}"#), by: updateCatalog())
        #expect(outcome == .pages([page(""), Self.page, page("")]))
    }
}
