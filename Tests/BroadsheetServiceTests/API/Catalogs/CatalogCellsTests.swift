import Broadsheet
import BroadsheetHTTP
import Testing
import TestSupport
import TextTestSupport

@testable import BroadsheetService

/// A measurer whose fonts have a file for each that is declared, of 40 bytes, or of 4000 for
/// TrueType.
struct FileMeasurer: TextMeasurer {
    func open(_ declaration: FontDeclaration) throws(FontFailure) -> any TextFont {
        FileFont(try SimpleMeasurer().open(declaration), declaration)
    }
}

private final class FileFont: TextFont {
    private let font: any TextFont
    let files: [TextFontFile]

    init(_ font: any TextFont, _ declaration: FontDeclaration) {
        self.font = font
        files = declaration.files.enumerated().map { index, file in
            let count = index == 0 ? 40 : 4000
            return TextFontFile(
                family: "Family \(index)", weight: 400 + 100 * index, isItalic: index == 1,
                content: .init(
                    index == 0 ? .otf : .ttf, byteCount: count, checksum: 0xAB + UInt64(index),
                    isCollection: file.path.hasSuffix(".ttc")
                ) { [UInt8](repeating: UInt8(index), count: count) })
        }
    }

    var naturalLineHeight: Double { font.naturalLineHeight }
    var contentHash: UInt64 { font.contentHash }

    func shape(_ text: UnsafeRawBufferPointer, _ options: ShapingOptions) -> any ShapedText {
        font.shape(text, options)
    }
}

@Suite("What clients draw parts by (docs/api.md, \"Drawing\")") struct CatalogCellsTests {
    static let catalog = #"""
        {"fonts": {
          "a b": {"files": ["a.otf", {"file": "b.ttf", "axes": {"wght": 650}}, "c.ttc"], "size": 17,
                  "features": ["tnum"], "letterSpacing": 0.5, "scales": false},
          "unused": {"files": ["a.otf"], "size": 10}},
         "units": {"U": {"cells": {"type": "C"}}},
         "cellTypes": {"C": {"content": { "text" : "/t", "font": "a b", "name": "t"}},
                       "D": {"size": {"height": {"text": "/t", "font": "unused"}}}}}
        """#

    private func service(servesFonts: Bool = true) async throws -> TestService {
        try await TestService(
            catalog: Self.catalog, named: ["other": Self.catalog], measurer: FileMeasurer(),
            servesFonts: servesFonts)
    }

    @Test(
        "The contents are as they were written, with the fonts that they use and no paths of files")
    func cells() async throws {
        let received = try await service(servesFonts: false).send("GET", "/v1/catalog/cells")
        #expect(received.status == 200)
        #expect(received.response.headers[.cacheControl] == "no-cache")
        #expect(
            received.text == #"""
                {"cellTypes":{"C":{"content":{ "text" : "/t", "font": "a b", "name": "t"}}},\#
                "fonts":{"a b":{"size":17,"lineHeight":21.25,"letterSpacing":0.5,\#
                "features":["tnum"],"scales":false,"families":[\#
                {"family":"Family 0","weight":400,"italic":false,"axes":{}},\#
                {"family":"Family 1","weight":500,"italic":true,"axes":{"wght":650}},\#
                {"family":"Family 2","weight":600,"italic":false,"axes":{}}]}}}
                """#)
    }

    @Test("The numbers of fonts are exact")
    func numbers() async throws {
        let service = try await TestService(
            catalog: #"""
                {"fonts": {"f": {"files": [{"file": "a.otf", "axes": {"slnt": -0.00004}}],
                  "size": 16.66667, "lineHeight": 20.12345, "letterSpacing": -0.0004},
                 "g": {"files": ["a.otf"], "size": 17.0, "lineHeight": 0.1e2}},
                 "cellTypes": {"C": {"content": {"column": [
                  {"text": "/t", "font": "f"}, {"text": "/t", "font": "g"}]}}}}
                """#, measurer: FileMeasurer())
        let cells = try await service.send("GET", "/v1/catalog/cells")
        #expect(
            cells.text.contains(#""size":16.66667,"lineHeight":20.12345,"letterSpacing":-0.0004,"#))
        #expect(cells.text.contains(#""size":17,"lineHeight":10,"letterSpacing":0,"#))
        #expect(try cells.number("/fonts/f/families/0/axes/slnt") == -0.00004)
    }

    @Test("A client that has the contents receives 304")
    func conditional() async throws {
        let service = try await service()
        let tag = try #require(try await service.send("GET", "/v1/catalog/cells").etag)
        let again = try await service.send(
            "GET", "/v1/catalog/cells", headers: [.ifNoneMatch: tag])
        #expect(again.status == 304)
        #expect(again.response.headers[.cacheControl] == "no-cache")
    }

    @Test("A served font has paths, and its files are immutable under their checksums")
    func fonts() async throws {
        let service = try await service()
        let cells = try await service.send("GET", "/v1/catalog/cells")
        let path = "/v1/fonts/a%20b/0?v=00000000000000ab"
        #expect(cells.text.contains(#""file":"\#(path)""#))
        #expect(cells.text.ranges(of: #""file":"#).count == 2)
        let file = try await service.send("GET", path)
        #expect(file.status == 200)
        #expect(file.response.body == [UInt8](repeating: 0, count: 40))
        #expect(file.response.headers[.contentType] == "font/otf")
        #expect(file.response.headers[.cacheControl] == "max-age=31536000, immutable")
        let second = try await service.send("GET", "/v1/fonts/a%20b/1?v=00000000000000ac")
        #expect(second.response.headers[.contentType] == "font/ttf")
        let named = try await service.send("GET", "/v1/catalog/cells?catalog=other")
        #expect(named.text.contains(#"v=00000000000000ab&catalog=other""#))
        #expect(try await service.send("GET", path + "&catalog=other").status == 200)
    }

    @Test("A file is compressed for clients that accept gzip, with a tag of its own")
    func compressedFonts() async throws {
        let service = try await service()
        let path = "/v1/fonts/a%20b/1?v=00000000000000ac"
        let plain = try await service.send("GET", path)
        let packed = try await service.send("GET", path, headers: [.acceptEncoding: "gzip"])
        #expect(plain.response.headers[.contentEncoding] == nil)
        #expect(packed.response.headers[.contentEncoding] == "gzip")
        #expect(try gunzip(packed.response.body) == plain.response.body)
        #expect(packed.response.body.count < 100)
        #expect(packed.response.headers[.contentType] == "font/ttf")
        #expect(packed.response.headers[.cacheControl] == "max-age=31536000, immutable")
        #expect(packed.response.headers.values(of: .vary) == ["Accept", "Accept-Encoding"])
        #expect(packed.etag != plain.etag)
    }

    @Test("A file of two fonts has one path, so that it is loaded once")
    func sharedFile() async throws {
        let service = try await TestService(
            catalog: #"""
                {"fonts": {"f": {"files": ["a.otf"], "size": 10},
                           "g": {"files": ["a.otf"], "size": 20}},
                 "cellTypes": {"C": {"content": {"column": [
                  {"text": "/t", "font": "f"}, {"text": "/t", "font": "g"}]}}}}
                """#, measurer: FileMeasurer(), servesFonts: true)
        let cells = try await service.send("GET", "/v1/catalog/cells")
        for font in ["f", "g"] {
            #expect(
                try cells.string("/fonts/\(font)/families/0/file")
                    == "/v1/fonts/f/0?v=00000000000000ab")
        }
    }

    @Test("With `types` all cell types and the kinds of the catalog's decorations are listed")
    func types() async throws {
        let service = try await TestService(
            catalog: #"""
                {"sections": {"s": {"decoration": {"kind": "glow"}}},
                 "units": {"U": {"cells": {"type": "B"}, "layout": {"decoration": {"kind": "card"}}}},
                 "cellTypes": {"B": {"size": {"height": 1}}, "A": {"content": {"box": ""}}}}
                """#)
        let path = "/v1/catalog/cells"
        #expect(try await service.send("GET", path).value("/types") == nil)
        let listed = try await service.send("GET", "\(path)?types=true")
        #expect(listed.text.contains(#""types":["A","B","card","glow"]}"#))
        #expect(listed.etag != (try await service.send("GET", path).etag))
        #expect(try await service.send("GET", "\(path)?types=1").code == "INVALID_PARAMETER")
    }

    @Test(
        "Other fonts, files, checksums and collections are 404",
        arguments: [
            "a%20b/0?v=00000000000000ac", "a%20b/0", "a%20b/3?v=00000000000000ab",
            "a%20b/2?v=00000000000000ad", "unused/0?v=00000000000000ab", "x/0?v=1",
            "a%20b/00?v=00000000000000ab",
        ])
    func missing(path: String) async throws {
        let received = try await service().send("GET", "/v1/fonts/\(path)")
        #expect(received.status == 404)
        #expect(received.code == "NOT_FOUND")
    }

    @Test("Without the flag no font is served")
    func notServed() async throws {
        let service = try await service(servesFonts: false)
        #expect(
            try await service.send("GET", "/v1/fonts/a%20b/0?v=00000000000000ab").status == 404)
    }

    @Test("A catalog in a request may have contents, with violations like any other")
    func requests() async throws {
        let service = try await service()
        let page = #"{"sections":[[{"unitType":"U","unitData":[{"t":"abc"}]}]]}"#
        let content = { (text: String) in
            #"""
            {"pages":[\#(page)],"catalog":{"units":{"U":{"cells":{"type":"C"}}},
             "cellTypes":{"C":{"content":\#(text)}}}}
            """#
        }
        let laidOut = try await service.send(
            "POST", "/v1/layout", content(#"{"text":"/t","font":"a b","name":"t"}"#))
        #expect(try laidOut.number("/sections/0/items/0/parts/t/lines") == 1)
        let refused = try await service.send("POST", "/v1/layout", content(#"{"row":[]}"#))
        #expect(refused.status == 422)
        #expect(refused.code == "INVALID_CATALOG")
        #expect(refused.text.contains("/catalog/cellTypes/C/content/row"))
    }
}
