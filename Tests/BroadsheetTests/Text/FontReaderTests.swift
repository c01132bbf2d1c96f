import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Fonts of a catalog (docs/catalog.md, \"Fonts\")") struct FontReaderTests {
    private func violations(
        _ json: String, limits: CatalogLimits = CatalogLimits(), hasMeasurer: Bool = true
    ) throws -> [ContractViolation] {
        do throws(CatalogError) {
            _ = try Catalog(
                Array(json.utf8), limits: limits,
                measuringWith: hasMeasurer ? SimpleMeasurer() : nil)
            return []
        } catch {
            guard case .violations(let violations, _) = error else { throw error }
            return violations
        }
    }

    /// Returns the pointers of the violations of a font with these members.
    private func pointers(
        _ members: String, limits: CatalogLimits = CatalogLimits()
    ) throws -> [String] {
        try violations(#"{"fonts": {"f": {\#(members)}}}"#, limits: limits).map(\.pointer)
    }

    @Test("All members are read")
    func members() throws {
        let catalog = try catalog(
            """
            {"fonts": {"title": {
               "files": ["a.ttf", {"file": "b/c.ttc", "index": 1, "axes": {"wght": 600, "opsz": 9}}],
               "size": 17, "lineHeight": 22.5, "letterSpacing": -0.25,
               "features": ["tnum", "kern=0"], "scales": false}}}
            """)
        let font = try #require(catalog.registry.fonts["title"])
        #expect(
            font.declaration
                == FontDeclaration(
                    files: [
                        FontDeclaration.File(path: "a.ttf"),
                        FontDeclaration.File(
                            path: "b/c.ttc", index: 1,
                            axes: [.init(tag: "opsz", value: 9), .init(tag: "wght", value: 600)]),
                    ],
                    size: 17, lineHeight: 22.5, letterSpacing: -0.25, features: ["tnum", "kern=0"],
                    scales: false))
        #expect(catalog.diagnostics.isEmpty)
    }

    @Test(
        "An invalid member is a violation at its pointer",
        arguments: [
            (#""size": 9"#, ["/fonts/f/files"]), (#""files": ["a"]"#, ["/fonts/f/size"]),
            (#""files": [], "size": 9"#, ["/fonts/f/files"]),
            (#""files": "a", "size": 9"#, ["/fonts/f/files"]),
            (#""files": ["a", 1], "size": 9"#, ["/fonts/f/files/1"]),
            (#""files": [{}], "size": 9"#, ["/fonts/f/files/0/file"]),
            (#""files": [{"file": "a", "index": -1}], "size": 9"#, ["/fonts/f/files/0/index"]),
            (#""files": [{"file": "a", "index": 65536}], "size": 9"#, ["/fonts/f/files/0/index"]),
            (
                #""files": [{"file": "a", "axes": {"wght": "b"}}], "size": 9"#,
                ["/fonts/f/files/0/axes/wght"]
            ),
            (
                #""files": [{"file": "a", "axes": {"weight": 1}}], "size": 9"#,
                ["/fonts/f/files/0/axes/weight"]
            ),
            (
                #""files": [{"file": "a", "axes": {"wght": 1e9}}], "size": 9"#,
                ["/fonts/f/files/0/axes/wght"]
            ),
            (#""files": ["a"], "size": 0.9"#, ["/fonts/f/size"]),
            (#""files": ["a"], "size": 1001"#, ["/fonts/f/size"]),
            (#""files": ["a"], "size": 9, "lineHeight": 0"#, ["/fonts/f/lineHeight"]),
            (#""files": ["a"], "size": 9, "lineHeight": "1""#, ["/fonts/f/lineHeight"]),
            (#""files": ["a"], "size": 9, "letterSpacing": -101"#, ["/fonts/f/letterSpacing"]),
            (#""files": ["a"], "size": 9, "features": "tnum""#, ["/fonts/f/features"]),
            (#""files": ["a"], "size": 9, "features": ["tabular"]"#, ["/fonts/f/features/0"]),
            (#""files": ["a"], "size": 9, "features": ["tnum=x"]"#, ["/fonts/f/features/0"]),
            (#""files": ["a"], "size": 9, "scales": 1"#, ["/fonts/f/scales"]),
            (#""files": ["missing.ttf"], "size": 9"#, ["/fonts/f/files/0"]),
        ])
    func invalid(members: String, pointers: [String]) throws {
        #expect(try self.pointers(members) == pointers)
    }

    @Test(
        "A path that is not below the folder of fonts is a violation",
        arguments: [
            "", "/etc/a.ttf", "../a.ttf", "a/../../b.ttf", "a//b.ttf", "./a.ttf", #"a\u0000b"#,
        ])
    func paths(path: String) throws {
        #expect(try pointers(#""files": ["\#(path)"], "size": 9"#) == ["/fonts/f/files/0"])
        #expect(
            try pointers(#""files": [{"file": "\#(path)"}], "size": 9"#)
                == ["/fonts/f/files/0/file"])
    }

    @Test("The path of a file has at most 1024 bytes")
    func longPath() throws {
        let path = String(repeating: "a", count: CatalogLimits.maxPathBytes)
        #expect(try pointers(#""files": ["\#(path)"], "size": 9"#).isEmpty)
        #expect(try pointers(#""files": ["\#(path)b"], "size": 9"#) == ["/fonts/f/files/0"])
    }

    @Test("Fonts, files, axes and features have limits")
    func limits() throws {
        var limits = CatalogLimits()
        (limits.maxFonts, limits.maxFontFiles) = (1, 1)
        (limits.maxFontAxes, limits.maxFontFeatures) = (1, 1)
        let font =
            #""files": [{"file": "a", "axes": {"wght": 1}}], "size": 9, "features": ["tnum"]"#
        #expect(try pointers(font, limits: limits).isEmpty)
        #expect(
            try violations(#"{"fonts": {"a": {\#(font)}, "b": {\#(font)}}}"#, limits: limits)
                .map(\.pointer) == ["/fonts"])
        #expect(
            try pointers(#""files": ["a", "b"], "size": 9"#, limits: limits) == ["/fonts/f/files"])
        #expect(
            try pointers(
                #""files": [{"file": "a", "axes": {"wght": 1, "wdth": 2}}], "size": 9"#,
                limits: limits) == ["/fonts/f/files/0/axes"])
        #expect(
            try pointers(
                #""files": ["a"], "size": 9, "features": ["tnum", "kern"]"#, limits: limits)
                == ["/fonts/f/features"])
    }

    @Test("A rule that names an invalid font is not a second violation")
    func invalidFontInRule() throws {
        let json = #"""
            {"fonts": {"f": {"files": ["missing.ttf"], "size": 9}}, "cellTypes": {"C": {"size":
             {"height": {"text": "/t", "font": "f"}}}}}
            """#
        #expect(try violations(json).map(\.pointer) == ["/fonts/f/files/0"])
    }

    @Test("A program without a measurer refuses fonts")
    func withoutMeasurer() throws {
        let json = #"{"fonts": {"f": {"files": ["a"], "size": 9}}}"#
        let violations = try violations(json, hasMeasurer: false)
        #expect(violations.map(\.pointer) == ["/fonts/f"])
        #expect(violations.first?.detail.contains("text measurer") == true)
        #expect(try self.violations(#"{"fonts": {}}"#, hasMeasurer: false).isEmpty)
    }

    @Test(
        "A rule names a font of the catalog, and its members have their types",
        arguments: [
            (#"{"text": "/t", "font": "g"}"#, "/font"), (#"{"text": "/t"}"#, "/font"),
            (#"{"text": "t", "font": "f"}"#, "/text"), (#"{"text": 1, "font": "f"}"#, "/text"),
            (#"{"text": {"join": "/a"}, "font": "f"}"#, "/text/join"),
            (#"{"text": {"join": []}, "font": "f"}"#, "/text/join"),
            (#"{"text": {"by": " "}, "font": "f"}"#, "/text/join"),
            (#"{"text": {"join": ["/a", 1]}, "font": "f"}"#, "/text/join/1"),
            (#"{"text": {"join": ["/a"], "by": 1}, "font": "f"}"#, "/text/by"),
            (#"{"text": "/t", "font": "f", "maxLines": 0}"#, "/maxLines"),
            (#"{"text": "/t", "font": "f", "maxLines": 10001}"#, "/maxLines"),
            (#"{"text": "/t", "font": "f", "minLines": -1}"#, "/minLines"),
            (#"{"text": "/t", "font": "f", "overflow": "hide"}"#, "/overflow"),
            (#"{"text": "/t", "font": "f", "hangul": "words"}"#, "/hangul"),
        ])
    func rules(rule: String, pointer: String) throws {
        for axis in ["width", "height"] {
            let json = #"""
                {"fonts": {"f": {"files": ["a"], "size": 9}},
                 "cellTypes": {"C": {"size": {"\#(axis)": \#(rule)}}}}
                """#
            #expect(
                try violations(json).map(\.pointer) == ["/cellTypes/C/size/\(axis)\(pointer)"])
        }
    }

    @Test("A size reads at most 16 values, those of texts included")
    func inputs() throws {
        func json(_ count: Int) -> String {
            let parts = (0..<count).map { "\"/\($0)\"" }.joined(separator: ",")
            return #"""
                {"fonts": {"f": {"files": ["a"], "size": 9}}, "cellTypes": {"C": {"size":
                 {"height": {"text": {"join": [\#(parts)]}, "font": "f"}}}}}
                """#
        }
        #expect(try violations(json(16)).isEmpty)
        #expect(try violations(json(17)).map(\.pointer) == ["/cellTypes/C/size"])
    }

    @Test("A catalog of a request uses the fonts of the active one, and no others")
    func requestCatalogs() throws {
        let font = #"{"files": ["a"], "size": 9}"#
        let active = try catalog(#"{"fonts": {"f": \#(font)}}"#).registry
        func pointers(_ fonts: String, font: String = "f") throws -> [String] {
            let json = """
                {"fonts": {\(fonts)}, "cellTypes": {"C": {"size": {"height":
                 {"text": "/t", "font": "\(font)"}}}}}
                """
            let value = try JSONDocument(Array(json.utf8)).root
            do throws(CatalogError) {
                let own = try Catalog(value, at: "/catalog", usingFontsOf: active).registry
                #expect(own.fonts["f"] === active.fonts["f"])
                return []
            } catch {
                guard case .violations(let violations, _) = error else { throw error }
                return violations.map(\.pointer)
            }
        }
        #expect(try pointers("").isEmpty)
        #expect(try pointers("\"f\": \(font)").isEmpty)
        #expect(try pointers("", font: "g") == ["/catalog/cellTypes/C/size/height/font"])
        #expect(try pointers(#""f": {"files": ["a"], "size": 8}"#) == ["/catalog/fonts/f"])
        #expect(try pointers("\"h\": \(font)") == ["/catalog/fonts/h"])
    }

    @Test("A text with a separator of more than 256 bytes is a violation")
    func separator() throws {
        func json(_ count: Int) -> String {
            let text = #"{"join": ["/a"], "by": "\#(String(repeating: "-", count: count))"}"#
            return #"""
                {"fonts": {"f": {"files": ["a"], "size": 9}},
                 "cellTypes": {"C": {"size": {"height": {"text": \#(text), "font": "f"}}}}}
                """#
        }
        #expect(try violations(json(256)).isEmpty)
        #expect(try violations(json(257)).map(\.pointer) == ["/cellTypes/C/size/height/text"])
    }
}
