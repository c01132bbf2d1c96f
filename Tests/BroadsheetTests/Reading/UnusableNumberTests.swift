import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Values that are valid and cannot be used as they are (docs/layout.md, G2)")
struct UnusableNumberTests {
    private func diagnostics(ofPage layout: String) throws -> [String] {
        let text = #"{"sections":[{"layout":\#(layout),"units":[]}]}"#
        let page = try ServerStatePage(try JSONDocument(Array(text.utf8)))
        let resolved = try ResolvedPage(page: page, number: 0, registry: CellRegistry())
        return resolved.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" }
    }

    @Test(
        "G2: A number beyond all that a computer has counts as 0 and is reported, wherever it is",
        arguments: [
            (#"{"minimumLineSpacing":1e400}"#, "/minimumLineSpacing"),
            (#"{"minimumLineSpacing":-1e400}"#, "/minimumLineSpacing"),
            (#"{"inset":1e400}"#, "/inset"), (#"{"inset":{"top":1e400}}"#, "/inset/top"),
            (#"{"maxWidth":1e400}"#, "/maxWidth"),
            (
                #"{"kind":"compositional","itemSize":{"uniform":{"width":1e400}}}"#,
                "/itemSize/uniform/width"
            ),
            (
                #"{"kind":"compositional","scrolling":"paging","itemSize":{"uniform":{"width":{"fraction":1e400}}}}"#,
                "/itemSize/uniform/width/fraction"
            ),
            (#"{"decoration":{"kind":"a","inset":1e400}}"#, "/decoration/inset"),
            (#"{"decoration":{"kind":""}}"#, "/decoration/kind"),
            (#"{"decoration":[{"kind":"a"},{"kind":" \t"}]}"#, "/decoration/1/kind"),
            (#"{"minimumLineSpacing":1e308,"inset":-0}"#, nil),
        ])
    func layouts(_ layout: String, _ pointer: String?) throws {
        let found = try diagnostics(ofPage: layout).filter { $0.hasPrefix("UNUSABLE_VALUE") }
        #expect(found == (pointer.map { ["UNUSABLE_VALUE /sections/0/layout\($0)"] } ?? []))
    }

    @Test("100 such values of a page have a diagnostic each, and the others are counted")
    func limit() throws {
        let decoration = #"{"kind":"a","inset":{"top":1e400,"left":1e400}}"#
        let all = Array(repeating: decoration, count: 16).joined(separator: ",")
        let section = #"{"layout":{"decoration":[\#(all)]},"units":[]}"#
        let sections = Array(repeating: section, count: 4).joined(separator: ",")
        let text = #"{"sections":[\#(sections)]}"#
        let page = try ServerStatePage(try JSONDocument(Array(text.utf8)))
        let resolved = try ResolvedPage(page: page, number: 0, registry: CellRegistry())
        #expect(resolved.diagnostics.count == MemberDiagnostics.maxNames + 1)
        #expect(resolved.diagnosticCounts.total == 128)
    }

    @Test(
        "A catalog reports numbers that are none, and minLines above maxLines",
        arguments: [
            (#"{"size":{"height":1e400}}"#, "/size/height"),
            (#"{"size":{"height":{"ratio":1e400}}}"#, "/size/height/ratio"),
            (#"{"size":{"height":{"product":[1,1e400]}}}"#, "/size/height/product/1"),
            (#"{"size":{"height":{"value":"/h","default":1e400}}}"#, "/size/height/default"),
            (#"{"content":{"column":[{"box":"/b"}],"spacing":1e400}}"#, "/content/spacing"),
            (
                #"{"size":{"height":{"text":"/t","font":"f","maxLines":2,"minLines":3}}}"#,
                "/size/height/minLines"
            ),
            (
                #"{"content":{"text":"/t","font":"f","maxLines":1,"minLines":2}}"#,
                "/content/minLines"
            ),
            (#"{"content":{"text":"/t","font":"f","maxLines":2,"minLines":2}}"#, nil),
        ])
    func catalogs(_ type: String, _ pointer: String?) throws {
        let text = #"{"fonts":{"f":{"files":["f.ttf"],"size":10}},"cellTypes":{"C":\#(type)}}"#
        let catalog = try Catalog(Array(text.utf8), measuringWith: SimpleMeasurer())
        #expect(
            catalog.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" }
                == (pointer.map { ["UNUSABLE_VALUE /cellTypes/C\($0)"] } ?? []))
    }

    @Test(
        "The value of an image is an address that clients load, or a diagnostic",
        arguments: [
            (#""https://shop.example/a.webp""#, true), (#""HTTP://shop.example""#, true),
            (#""/images/a.png""#, true), (#""a.png?x=1:2""#, true), (#""//cdn.example/a""#, true),
            ("null", true), ("false", true), (#""""#, true), (#""a\/b.png""#, true),
            (#"{"url":"https://shop.example/a.webp"}"#, false), ("[]", false), ("true", false),
            ("3", false), (#""javascript:alert(1)""#, false), (#""java\u0073cript:1""#, false),
            (#""ftp://shop.example/a""#, false), (#""data:image/png;base64,AA""#, false),
            (#""https:""#, false), (#""http:///a""#, false), (#""file:///a.png""#, false),
            (#""a photo.png""#, true), (#""a\u000ab""#, false),
        ])
    func images(_ value: String, _ isUsable: Bool) throws {
        let text = #"""
            {"units":{"U":{"cell":{"type":"C"}}},"cellTypes":{"C":{"content":
              {"column":[{"image":"/i","name":"i"},{"box":"/i","name":"b"}]}}}}
            """#
        let catalog = try Catalog(Array(text.utf8))
        let page = #"{"sections":[[{"unitType":"U","unitData":{"i":\#(value)}}]]}"#
        let posted = try ServerStatePage(try JSONDocument(Array(page.utf8)))
        let resolved = try ResolvedPage(page: posted, number: 0, registry: catalog.registry)
        #expect(
            resolved.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" }
                == (isUsable ? [] : ["UNUSABLE_VALUE /sections/0/0/unitData/i"]))
    }

    @Test(
        "A name that a catalog does not have is refused with the nearest one",
        arguments: [
            (
                #"{"content":{"text":"/t","font":"bodi"}}"#,
                #"names no entry of fonts; did you mean "body"?"#
            ),
            (
                #"{"size":{"height":{"text":"/t","font":"bodi"}}}"#,
                #"names no entry of fonts; did you mean "body"?"#
            ),
            (
                #"{"fallback":"ProdctRow"}"#,
                #"names no entry of cellTypes; did you mean "ProductRow"?"#
            ),
            (#"{"fallback":"Other"}"#, "names no entry of cellTypes"),
        ])
    func nearest(_ type: String, _ detail: String) throws {
        let text = #"""
            {"fonts":{"body":{"files":["f.ttf"],"size":10}},"cellTypes":{"ProductRow":{},"C":\#(type)}}
            """#
        let error = #expect(throws: CatalogError.self) {
            try Catalog(Array(text.utf8), measuringWith: SimpleMeasurer())
        }
        guard case .violations(let violations, _)? = error else { return }
        #expect(violations.map(\.detail) == [detail])
    }

    @Test("A placement's type is refused with the nearest cell type")
    func placementType() throws {
        let text =
            #"{"units":{"U":{"cells":{"type":"ProdctRow"}}},"cellTypes":{"ProductRow":{}}}"#
        let error = #expect(throws: CatalogError.self) { try Catalog(Array(text.utf8)) }
        guard case .violations(let violations, _)? = error else { return }
        #expect(
            violations.map(\.detail)
                == [#"names no entry of cellTypes; did you mean "ProductRow"?"#])
    }

    @Test(
        "A name that is the last word of longer ones was meant to be one of these",
        arguments: [
            (
                "spacing",
                #""minimumLineSpacing", "minimumInteritemSpacing", "itemSpacing" or "lineSpacing""#
            ), ("columnCount", #""gridColumnCount""#), ("pagin", #""paging""#),
        ])
    func endings(_ name: String, _ meant: String) throws {
        let guess = SectionLayout.knownNames.guess(name)
        #expect(guess?.hint == "; did you mean \(meant)?")
        #expect(guess?.isMisspelling == (name == "pagin"))
    }
}
