import Broadsheet
import BroadsheetHTTP
@testable import BroadsheetService
import BroadsheetStores
import Testing

@Suite("The judgements of a request (docs/schemas.md, \"The dialect\")")
struct JudgementLimitTests {
    /// The steps of judging one item.
    private static let steps = 100_000
    /// A catalog by which each item takes ``steps`` and two judgements, and is right.
    private static let catalog: String = {
        let names = (0..<steps).map { "\"n\($0)\"" }.joined(separator: ",")
        return #"""
            {"units": {"U": {"cells": {"type": "C"},
                             "schema": {"items": {"not": {"required": [\#(names)]}}}}},
             "cellTypes": {"C": {"id": "/i"}}}
            """#
    }()
    /// The items of a page with nine tenths of the steps of a page.
    private static let many = 9_000
    private static let screen = "/v1/screens/home"

    private static func page(_ number: Int, items: Int) -> String {
        let data = (0..<items).map { #"{"i":"\#(number)-\#($0)"}"# }.joined(separator: ",")
        let unit = #"{"unitType":"U","unitData":[\#(data)]}"#
        return #"{"sections":[{"sectionId":"S\#(number)","units":[\#(unit)]}]}"#
    }

    private static func pages(_ count: Int, items: Int = many) -> String {
        let pages = (0..<count).map { page($0, items: items) }
        return #"[\#(pages.joined(separator: ","))]"#
    }

    private func refuses(
        _ response: ReceivedResponse, at pointer: String, _ limit: String = "3000000000 steps",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == 422, sourceLocation: sourceLocation)
        #expect(response.code == "INVALID_CONTRACT", sourceLocation: sourceLocation)
        #expect(
            response.text.contains(#""pointer":"\#(pointer)""#), "\(response.text.prefix(500))",
            sourceLocation: sourceLocation)
        #expect(
            response.text.contains("more than the \(limit) of schemas"),
            sourceLocation: sourceLocation)
    }

    @Test("The pages of a screen that is put have one budget, and nothing of them is stored")
    func screen() async throws {
        let service = try await TestService(catalog: Self.catalog)
        let refused = try await service.send(
            "PUT", Self.screen, #"{"pages":\#(Self.pages(4))}"#)
        refuses(refused, at: "/pages/3/sections/0/units/0/unitData")
        #expect(try await service.send("GET", Self.screen).status == 404)
        let strict = try await service.send(
            "PUT", Self.screen + "?strict=true", #"{"pages":\#(Self.pages(2))}"#)
        refuses(strict, at: "/pages/1/sections/0/units/0/unitData")
        let accepted = try await service.send(
            "PUT", Self.screen, #"{"pages":\#(Self.pages(3))}"#)
        #expect(accepted.status == 201)
    }

    @Test("A stored screen stays readable although its pages exceed the budget of a request")
    func stored() async throws {
        let store = ScreenStore.inMemory()
        let service = try await TestService(store: store, catalog: Self.catalog)
        for number in 0..<4 {
            let put = try await service.send(
                "PUT", "\(Self.screen)/pages/\(number)?strict=true",
                Self.page(number, items: Self.many))
            #expect(put.status == 201)
        }
        let other = try await TestService(store: store, catalog: Self.catalog)
        let layout = try await other.send("GET", "\(Self.screen)/layout?pages=all&fields=frames")
        #expect(layout.status == 200)
        #expect(layout.text.contains(#""id":"3-8999""#))
        #expect(!layout.text.contains("SCHEMA_VIOLATION"))
        func update(_ pages: Range<Int>) -> String {
            let operations = pages.map {
                #"{"op":"patchItem","section":"S\#($0)","item":"\#($0)-7","patch":{"n":1}}"#
            }
            return #"{"operations":[\#(operations.joined(separator: ","))]}"#
        }
        let updates = "\(Self.screen)/updates"
        #expect(try await other.send("POST", updates, update(2..<3)).status == 200)
        let refused = try await other.send("POST", updates, update(0..<4))
        #expect(refused.status == 422)
        #expect(refused.text.contains("a request may take") || refused.text.contains("3000000000"))
        let patch = #"[{"op":"add","path":"/sections/0/units/0/unitData/0/n","value":1}]"#
        let patched = try await other.send(
            "PATCH", "\(Self.screen)/pages/1?strict=true", patch,
            headers: [.contentType: "application/json-patch+json"])
        #expect(patched.status == 200)
    }

    @Test("Pages that come with a catalog have far less, strict or not, also to compare them")
    func postedCatalog() async throws {
        let service = try await TestService()
        let limit = "100000000 steps"
        func body(_ pages: String) -> String {
            #"{"catalog":\#(Self.catalog),"pages":\#(pages)}"#
        }
        let accepted = try await service.send(
            "POST", "/v1/layout", body(Self.pages(1, items: 900)))
        #expect(accepted.status == 200)
        #expect(!accepted.text.contains("SCHEMA_VIOLATION"))
        let refused = try await service.send(
            "POST", "/v1/layout", body(Self.pages(7, items: 600)))
        refuses(refused, at: "/pages/1/sections/0/units/0/unitData", limit)
        #expect(!refused.text.contains("/pages/2"))
        let strict = try await service.send(
            "POST", "/v1/layout?strict=true", body(Self.pages(1, items: 600)))
        refuses(strict, at: "/pages/0/sections/0/units/0/unitData", limit)
        let side = #"{"pages":\#(Self.pages(1, items: 600))}"#
        let compared = try await service.send(
            "POST", "/v1/changes", #"{"catalog":\#(Self.catalog),"from":\#(side),"to":\#(side)}"#)
        refuses(compared, at: "/to/pages/0/sections/0/units/0/unitData", limit)
    }

    @Test("Variants of posted pages for the clients of viewports have the budget of the request")
    func variants() async throws {
        let service = try await TestService()
        let page = Self.page(0, items: 400)
            .replacing(#"{"unitType":"U","#, with: #"{"unitType":"U","when":{"width":">=1"},"#)
        let narrow = page.replacing(">=1", with: ">=600")
        let widths = [700, 300]
        let viewports = widths.map { #"{"width":\#($0)}"# }.joined(separator: ",")
        let pages = "[\(page),\(narrow),\(narrow)]"
        let response = try await service.send(
            "POST", "/v1/layout",
            #"{"catalog":\#(Self.catalog),"viewports":[\#(viewports)],"pages":\#(pages)}"#)
        refuses(response, at: "/pages/2/sections/0/units/0/unitData", "100000000 steps")
    }
}
