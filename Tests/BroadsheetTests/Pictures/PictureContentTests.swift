@testable import Broadsheet
import Foundation
import Testing

@Suite("Pictures that show an app (docs/catalog.md, Pictures)")
struct PictureContentTests {
    private static func catalog(axis: String = "vertical", height: Double = 186) -> String {
        """
        {"screen": {"direction": "\(axis)"},
         "units": {"T": {"cells": {"type": "Card"}},
                   "H": {"header": {"type": "Header"}}, "P": {"cells": {"type": "Plain"}}},
         "cellTypes": {
           "Card": {"id": "/id", "size": {"width": 110, "height": \(height)},
                    "picture": {"title": "/title", "subtitle": "/brand", "image": "/image"}},
           "Plain": {"id": "/id", "size": {"width": 110, "height": 60}},
           "Header": {"size": {"height": 40}, "picture": {"title": ""}}}}
        """
    }

    private static func draw(
        _ units: String, axis: String = "vertical", height: Double = 186,
        viewport: Viewport = Viewport(), options: PictureOptions = PictureOptions()
    ) throws -> PictureReader {
        let picture = try PictureWriterTests.picture(
            "{\"sections\": [{\"sectionId\": \"S\", \(units)}]}", viewport: viewport,
            options: options, catalog: catalog(axis: axis, height: height))
        let reader = PictureReader(picture)
        #expect(reader.isWellFormed)
        return reader
    }

    private static func cells(_ data: String, count: Int = 1) -> String {
        let all = Array(repeating: data, count: count).joined(separator: ",")
        return "\"units\": [{\"unitType\": \"T\", \"unitData\": [\(all)]}]"
    }

    @Test("An item shows the texts and the image of its data instead of its type and its id")
    func contents() throws {
        let reader = try Self.draw(
            #""header": {"unitType": "H", "unitData": "Winter"}, "#
                + Self.cells(
                    #"{"id": "mug", "title": "Mug", "brand": "Clay", "image": "https://x/y.webp"}"#)
        )
        #expect(reader.words("heading") == ["Winter"])
        #expect(reader.words("words") == ["Mug"])
        #expect(reader.words("more") == ["Clay"])
        #expect(reader.words("type").isEmpty && reader.words("id").isEmpty)
        #expect(reader.elements["use"] == 1)
        // No address of the data is in the picture, so that viewers request nothing.
        #expect(reader.elements["image"] == nil)
        #expect(!reader.text.contains("webp"))
        #expect(reader.titles.contains("Card mug"))
        #expect(reader.titles.contains("Header header"))
        #expect(reader.clippedTexts == 3)
    }

    @Test("Items without these values, and types without a picture, show their type and id")
    func fallback() throws {
        let reader = try Self.draw(
            #"""
            "units": [{"unitType": "T", "unitData": [{"id": "a", "title": null, "image": ""}]},
                      {"unitType": "P", "unitData": [{"id": "b", "title": "hidden"}]}]
            """#)
        #expect(reader.words("type") == ["Card", "Plain"])
        #expect(reader.words("id") == ["a", "b"])
        #expect(reader.elements["use"] == nil)
        #expect(reader.clippedTexts == 0)
    }

    @Test(
        "A picture is well-formed XML for every text of the data",
        arguments: [
            "<script>alert('1')</script>", "\"quoted\" & 'so on'", "]]></style>", "<!--",
            "&amp;&lt;", "nul \u{0} bell \u{7} escape \u{1B}", "\u{FFFE}\u{FFFF}",
            "가 ✓ 👩‍👩‍👧 \u{202E}x",
        ])
    func wellFormed(text: String) throws {
        let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let cell = "{\"id\": \(json), \"title\": \(json), \"brand\": \(json), \"image\": \(json)}"
        for style in PictureOptions.Style.allCases {
            var options = PictureOptions()
            options.style = style
            let reader = try Self.draw(Self.cells(cell), options: options)
            #expect(reader.elements["script"] == nil)
            #expect(reader.words("more").count == 1)
        }
    }

    @Test("Data as deeply nested as a page may be has its texts")
    func nested() throws {
        let deep = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
        let reader = try Self.draw(Self.cells("{\"deep\": \(deep), \"title\": \"Deep\"}"))
        #expect(reader.words("words") == ["Deep"])
    }

    @Test("The app style is the screen alone: no names, measures, heading, legend and ids")
    func app() throws {
        var options = PictureOptions()
        options.style = .app
        let cells = Self.cells(#"{"id": "a", "title": "Mug"}"#)
        let reader = try Self.draw(cells, options: options)
        #expect(reader.texts.map(\.words) == ["Mug"])
        #expect(reader.titles == ["a screen"])
        #expect(reader.width == 390 + 2 * PictureGeometry.appMargin)
        #expect(reader.height == 844 + 2 * PictureGeometry.appMargin)
        #expect(try Self.draw(cells).texts.count > 8)
    }

    @Test(
        "A screen longer than the limit is cut with a note, on both axes and in both directions",
        arguments: [
            ("vertical", LayoutDirection.ltr), ("vertical", .rtl), ("horizontal", .ltr),
            ("horizontal", .rtl),
        ])
    func cut(axis: String, direction: LayoutDirection) throws {
        let cells = Self.cells("{}", count: 1_000)
        let viewport = Viewport(width: 120, height: 200, direction: direction)
        for style in PictureOptions.Style.allCases {
            var options = PictureOptions()
            options.style = style
            options.maxLength = 1_000
            let reader = try Self.draw(cells, axis: axis, viewport: viewport, options: options)
            let note = try #require(reader.words("note").last)
            #expect(note.hasPrefix("cut here: "))
            #expect(note.hasSuffix("more items"))
            let drawn = reader.classes["item"] ?? 0
            #expect(drawn < 20, "\(drawn)")
            #expect(reader.classes["cut"] == 1)
            let length = axis == "vertical" ? reader.height : reader.width
            #expect(length < 1_400)
        }
    }

    @Test("A screen as long as the limit is whole, and a longer one is cut, item or not")
    func limit() throws {
        var options = PictureOptions()
        #expect(options.maxLength == PictureOptions.defaultMaxLength)
        options.maxLength = 844
        let short = try Self.draw(Self.cells("{}"), options: options)
        #expect(short.classes["cut"] == nil && short.classes["fold"] == 1)
        options.maxLength = 843
        let long = try Self.draw(Self.cells("{}"), options: options)
        #expect(long.words("note").last == "cut here: 1 more points")
        #expect(long.classes["fold"] == nil)
        // One absurd height in the data of a page.
        let tall = try Self.draw(Self.cells(#"{"title": "Tall"}"#), height: 1e9)
        #expect(tall.height < PictureOptions.defaultMaxLength + 200)
        #expect(tall.words("words") == ["Tall"])
        #expect(tall.words("note").last == "cut here: 999980000 more points")
    }

    @Test("A picture is never larger than its limit, and says what it leaves out")
    func byteCount() throws {
        let text = String(repeating: #"\""#, count: 300)
        let cell = "{\"id\": \"\(text)\", \"title\": \"\(text)\", \"brand\": \"\(text)\"}"
        let catalog = Self.catalog().replacing(#""width": 110"#, with: #""width": 9000"#)
        let page = "{\"sections\": [{\(Self.cells(cell, count: 5_000))}]}"
        let picture = try PictureWriterTests.picture(
            page, viewport: Viewport(width: 10_000, height: 844),
            options: {
                var options = PictureOptions()
                options.maxLength = 1e9
                return options
            }(), catalog: catalog)
        #expect(picture.count <= PictureWriter.maxByteCount)
        #expect(picture.count > PictureWriter.maxByteCount - (128 << 10))
        let reader = PictureReader(picture)
        #expect(reader.isWellFormed)
        #expect(reader.words("sub").first?.hasSuffix(" not drawn)") == true)
    }

    @Test("A Swift type has its picture too")
    func swiftTypes() throws {
        var registry = CellRegistry()
        registry.register("T") { unit, section in section.cells(Note.self, data: unit.data) }
        let document = try JSONDocument(
            Array(#"{"sections":[{"units":[{"unitType":"T","unitData":[{"text":"Hi"}]}]}]}"#.utf8))
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage(
                page: ServerStatePage(document, names: registry.names), number: 0,
                registry: registry))
        let screen = model.merged(registry: registry)
        let frames = screen.laidOut(by: LayoutParameters())
        let picture = PictureWriter.write(
            screen, frames, viewport: Viewport(), title: "a screen")
        #expect(PictureReader(picture).words("words") == ["Hi"])
    }

    private enum Note: CellType {
        static let picture: CellPicture? = CellPicture(title: "/text")

        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
            Size(width: 200, height: 80)
        }
    }
}
