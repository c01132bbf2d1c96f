@testable import Broadsheet
import BroadsheetClient
import Foundation
import Testing

@Suite("Pictures of screens")
struct PictureWriterTests {
    @Test(
        "A picture is well-formed XML for every id, type and title",
        arguments: [
            "<script>alert('1')</script>", "\"quoted\" & 'so on'", "]]>", "<!--", "&amp;&lt;",
            "nul \u{0} bell \u{7} escape \u{1B}", "\u{FFFE}\u{FFFF}", "한국어 제목 ✓ 👩‍👩‍👧", "",
        ])
    func wellFormed(text: String) throws {
        let json = try String(
            decoding: JSONEncoder().encode([text]).dropFirst().dropLast(), as: UTF8.self)
        let picture = try Self.picture(
            """
            {"sections": [{"sectionId": \(json), "units": [{"unitType": "T", "unitData": [{"id": \(json)}]}]}]}
            """, title: text)
        let reader = PictureReader(picture)
        #expect(reader.isWellFormed, "\(String(decoding: picture, as: UTF8.self))")
        #expect(reader.elements["script"] == nil)
    }

    @Test("A picture has each item once, and headers only where the layout has them")
    func boxes() throws {
        let picture = try Self.picture(
            """
            {"sections": [
              {"sectionId": "A", "header": {"unitType": "H", "unitData": {}},
               "units": [{"unitType": "T", "unitData": [{"id": 1}, {"id": 2}, {"id": 2}]}]},
              {"sectionId": "B", "units": [{"unitType": "T", "unitData": [{"id": 9}]}]}]}
            """)
        let reader = PictureReader(picture)
        // The legend has one more of each kind.
        #expect(reader.classes["item"] == 4 + 1)
        #expect(reader.classes["header"] == 1 + 1)
        #expect(reader.classes["footer"] == 1)
        #expect(reader.text.contains("2#2"))
    }

    @Test("A picture has at most 5000 items, and the number of items that are left out")
    func limit() throws {
        let cells = Array(repeating: "{}", count: PictureWriter.maxItems + 7).joined(separator: ",")
        let picture = try Self.picture(
            "{\"sections\": [{\"units\": [{\"unitType\": \"T\", \"unitData\": [\(cells)]}]}]}",
            viewport: Viewport(width: 10_000, height: 844))
        let reader = PictureReader(picture)
        #expect(reader.classes["item"] == PictureWriter.maxItems + 1)
        #expect(reader.text.contains("(7 not drawn)"))
    }

    @Test("A picture has the whole of a screen that begins with infinite cards (P13)")
    func endlessCards() {
        var paging = PagingOptions()
        paging.isInfinitePage = true
        let cards = compositional(count: 3, .uniform(columns: nil, width: 200, height: 90)) {
            $0.compositional.scrolling = .paging
            $0.flow.paging = paging
        }
        let frames = layOut([cards, StubSection(count: 20, 300, 50)])
        #expect(frames.sections[0].paging?.copies == 3)
        let geometry = PictureGeometry(
            frames, viewport: Viewport(width: 375, height: 667), options: PictureOptions())
        #expect(geometry.screen.height == frames.contentSize.height)
    }

    @Test("A picture of an infinite carousel has one copy, and the next items in the gutter (P1)")
    func endless() throws {
        let reader = PictureReader(
            try Self.picture(
                #"""
                {"sections": [{"sectionId": "posters",
                  "layout": {"paging": {"isEnabled": true, "isInfinitePage": true}},
                  "units": [{"unitType": "T", "unitData": [{}, {}, {}, {}]}]}]}
                """#, axis: "horizontal", viewport: Viewport(width: 390, height: 100)))
        // Four pages of 100 points and the spacing between them, not three times that.
        #expect(reader.widths["paper"] == [430])
        #expect(reader.classes["beyond"] == 1 + 1)
        #expect(reader.text.contains("4 pages without end"))
    }

    @Test(
        "A picture of a horizontal screen names every section in both directions",
        arguments: ["ltr", "rtl"])
    func sidewaysNames(direction: String) throws {
        let reader = PictureReader(
            try Self.picture(
                #"""
                {"sections": [{"sectionId": "A", "units": [{"unitType": "T", "unitData": [{}]}]},
                              {"sectionId": "B", "units": [{"unitType": "T", "unitData": [{}]}]}]}
                """#, axis: "horizontal",
                viewport: Viewport(direction: direction == "rtl" ? .rtl : .ltr)))
        #expect(reader.classes["name"] == 2)
    }

    @Test("Labels are limited to the visible part of an item, and hidden items have none")
    func cutLabels() throws {
        let reader = PictureReader(
            try Self.picture(
                #"""
                {"sections": [{"layout": {"kind": "compositional", "scrolling": "continuous", "lineSpacing": 10,
                    "itemSize": {"uniform": {"columns": 1, "height": 60}}, "sectionInset": {"right": 60}},
                  "units": [{"unitType": "T", "unitData": [{"id": "whole"}, {"id": "partly-in-sight"}, {"id": "hidden"}]}]}]}
                """#))
        #expect(reader.text.contains("whole"))
        #expect(reader.text.contains("part"))
        #expect(!reader.text.contains("partly-in-sight"))
        #expect(!reader.text.contains("hidden"))
    }

    @Test("A picture has every decoration of a section, those in front last (D7, G8)")
    func decorations() throws {
        let reader = PictureReader(
            try Self.picture(
                #"""
                {"sections": [{"sectionId": "A", "layout": {"inset": 30, "decoration": [
                    {"kind": "front", "inset": 5, "zIndex": 2}, {"kind": "back", "mode": "section"},
                    {"kind": "middle", "inset": 10}]},
                  "units": [{"unitType": "T", "unitData": [{}, {}, {}, {}]}]}]}
                """#))
        // Then the legend.
        #expect(reader.widths["decoration"] == [390, 370, 380, 16])
        for name in ["behind: front", "behind: back", "behind: middle"] {
            #expect(reader.text.contains(name))
        }
    }

    @Test("Equal screens give equal bytes")
    func repeatable() throws {
        let page = #"{"sections": [{"units": [{"unitType": "T", "unitData": [{"id": "a"}]}]}]}"#
        #expect(try Self.picture(page) == Self.picture(page))
    }

    @Test("A picture of an empty screen has the end of the viewport")
    func empty() throws {
        let reader = PictureReader(try Self.picture(#"{"sections": []}"#))
        #expect(reader.isWellFormed)
        #expect(reader.text.contains("fold 844"))
    }
}

extension PictureWriterTests {
    static func picture(
        _ page: String, title: String = "a screen", axis: String = "vertical",
        viewport: Viewport = Viewport(), options: PictureOptions = PictureOptions(),
        catalog: String? = nil
    ) throws -> [UInt8] {
        let catalog = try Catalog(Array((catalog ?? self.catalog(axis)).utf8))
        let posted = try ServerStatePage(
            JSONDocument(Array(page.utf8)), names: catalog.registry.names)
        var model = PaginatedViewModel()
        try model.load(ResolvedPage(page: posted, number: 0, registry: catalog.registry))
        let screen = model.merged(registry: catalog.registry)
        let frames = screen.laidOut(by: LayoutParameters(viewport: viewport))
        return PictureWriter.write(
            screen, frames, viewport: viewport, title: title, options: options)
    }

    static func catalog(_ axis: String) -> String {
        """
        {"screen": {"direction": "\(axis)"},
         "units": {"T": {"cells": {"type": "Cell"}}, "H": {"header": {"type": "Header"}}},
         "cellTypes": {"Cell": {"id": "/id", "size": {"width": 100, "height": 60}},
                       "Header": {"size": {"height": 40}}}}
        """
    }
}
