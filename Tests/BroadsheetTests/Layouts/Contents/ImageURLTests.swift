import BroadsheetClient
import Testing
import TestSupport
import TextTestSupport

@testable import Broadsheet

@Suite("URLs of images (docs/catalog.md, \"URLs of images\")") struct ImageURLTests {
    /// A URL of an image, and what it is made of.
    struct Case: Sendable {
        var template = "/{value}"
        var widths: [Int] = []
        /// The value, JSON.
        var value = #""a""#
        var width = 10.0
        var height = 10.0
        var scale = 1.0
        var rounding = Rounding.pixel
        /// The URL; `nil` without one.
        var url: String?

        /// The screen of an image with this URL.
        var screen: ContentScreen {
            let list = widths.isEmpty ? "" : #", "widths": \#(widths)"#
            var screen = ContentScreen(
                content: #"""
                    {"width": \#(width), "height": \#(height), "image": "/v", "name": "i",
                     "url": "\#(template)"\#(list)}
                    """#)
            screen.layout = #"{"minimumLineSpacing": 0}"#
            screen.parameters.viewport = Viewport(width: 30_000, height: 400, scale: scale)
            screen.parameters.rounding = rounding
            return screen
        }

        var data: String { #"{"id": 1, "v": \#(value)}"# }
    }

    private static let long = String(repeating: "ü", count: 682)

    private static let cases: [Case] = [
        // The example of the page.
        Case(
            template: "/{value}?w={width}&h={height}", widths: [320, 640], value: #""a b/ü.jpg""#,
            width: 160, height: 120.333, scale: 3, url: "/a%20b%2F%C3%BC.jpg?w=640&h=481"),
        // Bytes of the value.
        Case(value: #""AZaz09-._~""#, url: "/AZaz09-._~"),
        Case(
            value: #"":/?#[]@!$&'()*+,;=""#,
            url: "/%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        Case(template: "/{+value}", value: #"":/?#[]@!$&'()*+,;=""#, url: "/:/?#[]@!$&'()*+,;="),
        Case(value: #""\"<>\\^`{|}%\u0000\n""#, url: "/%22%3C%3E%5C%5E%60%7B%7C%7D%25%00%0A"),
        Case(
            template: "/{+value}", value: #""\"<>\\^`{|}\u0000\n ""#,
            url: "/%22%3C%3E%5C%5E%60%7B%7C%7D%00%0A%20"),
        Case(
            template: "/{+value}", value: #""%2F%2f%zz%4%%41%""#, url: "/%2F%2f%25zz%254%25%41%25"),
        Case(template: "/{+value}", value: #""%\u0032\u0046""#, url: "/%2F"),
        Case(value: #""%2F""#, url: "/%252F"),
        Case(value: #""\u00fc\ud83d\ude00""#, url: "/%C3%BC%F0%9F%98%80"),
        Case(value: #""\/""#, url: "/%2F"), Case(value: #""你""#, url: "/%E4%BD%A0"),
        // Numbers as they were posted.
        Case(value: "17", url: "/17"), Case(value: "-1.50E+3", url: "/-1.50E%2B3"),
        Case(template: "/{+value}", value: "1e+3", url: "/1e+3"), Case(value: "-0", url: "/-0"),
        // Lengths.
        Case(
            template: "{value}/{width}x{height}", width: 10.4, height: 0.4, scale: 2, url: "a/21x1"),
        Case(template: "{value}/{width}", width: 10.25, scale: 2, rounding: .none, url: "a/21"),
        Case(template: "{value}/{width}", width: 10.24, scale: 2, rounding: .none, url: "a/20"),
        Case(template: "{value}/{width}", width: 0.01, scale: 1, rounding: .none, url: "a/1"),
        Case(template: "{width}{value}{width}", width: 7, url: "7a7"),
        Case(template: "{value}/{width}", width: 20_000, url: "a/20000"),
        // Widths.
        Case(template: "{value}/{width}", widths: [10, 20], width: 10, url: "a/10"),
        Case(template: "{value}/{width}", widths: [10, 20], width: 11, url: "a/20"),
        Case(template: "{value}/{width}", widths: [10, 20], width: 21, url: "a/20"),
        Case(template: "{value}/{height}", widths: [20], width: 10, height: 15, url: "a/30"),
        Case(template: "{value}/{height}", widths: [15], width: 10, height: 3, url: "a/5"),
        Case(template: "{value}/{height}", widths: [1], width: 10, height: 4, url: "a/1"),
        // Schemes.
        Case(template: "{+value}", value: #""https://a/b?c#d""#, url: "https://a/b?c#d"),
        Case(template: "{+value}", value: #""HTTP:a""#, url: "HTTP:a"),
        Case(template: "{+value}", value: #""//a/b""#, url: "//a/b"),
        Case(template: "{+value}", value: #""a/b:c""#, url: "a/b:c"),
        Case(template: "{+value}", value: #""1a:b""#, url: "1a:b"),
        Case(template: "{+value}", value: #"":a""#, url: ":a"),
        Case(template: "{value}", value: #""javascript:a""#, url: "javascript%3Aa"),
        Case(template: "{+value}", value: #""\tjavascript:a""#, url: "%09javascript:a"),
        Case(template: "./{+value}", value: #""javascript:a""#, url: "./javascript:a"),
        Case(template: "https://a/{+value}", value: #""b:c""#, url: "https://a/b:c"),
        Case(template: "ht{value}://a", value: #""tps""#, url: "https://a"),
        Case(template: "https:{+value}", value: #""//a""#, url: "https://a"),
        Case(template: "{+value}", value: #""javascript:a""#),
        Case(template: "{+value}", value: #""JaVaScRiPt:a""#),
        Case(template: "{+value}", value: #""data:image/png,a""#),
        Case(template: "{+value}", value: #""a+b-c.1:d""#),
        Case(template: "{+value}", value: #""httpx:a""#),
        Case(template: "{+value}", value: #""http1:a""#),
        Case(template: "{+value}", value: #""htt:a""#),
        Case(template: "java{+value}", value: #""script:a""#),
        Case(template: "{value}:a", value: #""mailto""#),
        Case(template: "{value}{width}:a", value: #""http""#),
        // Values that cannot be used.
        Case(value: "true"), Case(value: "{}"), Case(value: "[1]"),
        Case(value: "\"\(long)aaaa\"", url: "/" + String(repeating: "%C3%BC", count: 682) + "aaaa"),
        Case(value: "\"\(long)aaaaa\""),
        // Frames without area.
        Case(width: 0), Case(height: 0), Case(width: 0.4),
    ]

    @Test("B10: The URL of a part is its template with the value and the lengths", arguments: cases)
    func urls(example: Case) throws {
        let part = try example.screen.tree([example.data]).sections[0].items[0].parts["i"]
        let found = try #require(part)
        #expect(found.url == example.url, "\(example.template) \(example.value)")
    }

    @Test("A value without a URL is a diagnostic, unless the frame has no area", arguments: cases)
    func diagnostics(example: Case) throws {
        let found = try example.screen.diagnostics([example.data]).filter {
            $0.code == .unusableValue
        }
        let hasArea = example.width >= 0.5 && example.height > 0
        #expect(found.isEmpty == (example.url != nil || !hasArea), "\(example.value)")
        #expect(found.allSatisfy { $0.pointer == "/sections/0/units/0/unitData/0/v" })
    }

    @Test("A value that is not there has neither", arguments: ["null", "false", #""""#])
    func absent(value: String) throws {
        let example = Case(value: value)
        let root = try example.screen.tree([example.data]).sections[0].items[0].parts["i"]
        #expect(root != nil && root?.url == nil)
        let codes = try example.screen.diagnostics([example.data]).map(\.code)
        #expect(!codes.contains(.unusableValue))
        var inner = example.screen
        inner.content = #"{"column": [\#(inner.content)]}"#
        #expect(try inner.tree([example.data]).sections[0].items[0].parts.isEmpty)
    }

    private static let two = #"""
        {"column": [{"image": "/a/b", "name": "i", "height": 10, "url": "/{value}?w={width}"},
         {"text": "/t", "font": "f", "name": "t"}]}
        """#

    @Test("The URL is the last member of its part, without white space in compact trees")
    func bytes() throws {
        var screen = ContentScreen(content: Self.two)
        screen.parameters.viewport.scale = 2
        let item = #"{"id": 1, "a": {"b": "x y"}, "t": "one"}"#
        func written() throws -> String {
            var parts = TreeParts(try screen.writer([item]))
            return String(decoding: parts.written(), as: UTF8.self)
        }
        let part =
            #""i":{"frame":{"x":0,"y":0,"width":100,"height":10},"url":"/x%20y?w=200"},"t":"#
        #expect(try written().contains(part))
        screen.parameters.options.pretty = true
        #expect(try written().contains(#""height": 10}, "url": "/x%20y?w=200"},"#))
        screen.parameters.options.fields = .frames
        #expect(try !written().contains("url"))
    }

    @Test("Headers and footers have URLs, and all options of trees keep them")
    func views() throws {
        let screen = ContentScreen(content: Self.two, header: Self.two)
        let section = try screen.tree(
            [], header: #"{"a": {"b": 1}, "t": "one"}"#, footer: #"{"a": {"b": 2}, "t": "two"}"#
        ).sections[0]
        #expect(section.header?.parts["i"]?.url == "/1?w=300")
        #expect(section.footer?.parts["i"]?.url == "/2?w=300")
    }

    private static let places: [(pointer: String, data: String, url: String?)] = [
        ("/a", #"{ "a" : 1 , "b" : 2 }"#, "/1"), ("/a", #"{"a": 1, "a": "last"}"#, "/last"),
        ("/a", #"{"\u0061": "escaped", "b": {"a": 1}}"#, "/escaped"),
        ("/a/b", #"{"b": {"a": 0}, "a": {"c": [{"b": 1}], "b": "x"}}"#, "/x"),
        ("/a/1", #"{"a": [ 0 , "x" , 2 ]}"#, "/x"), ("/a/0", #"{"a": {"0": "name"}}"#, "/name"),
        ("/a/2", #"{"a": [[1, 2], {"b": "]"}, 3]}"#, "/3"), ("/a/3", #"{"a": [0, 1, 2]}"#, nil),
        ("/a/0", #"{"a": []}"#, nil), ("/a/x", #"{"a": [1]}"#, nil), ("/a", "{}", nil),
        ("/a", #"{"b": "}\"a\": 1"}"#, nil), ("/~1~0", #"{"/~": "x"}"#, "/x"),
        ("/ü", #"{"ü": "x"}"#, "/x"), ("/a/b", #"{"a": "b"}"#, nil), ("/", #"{"": 1}"#, "/1"),
    ]

    @Test("A value is found wherever it is in the data", arguments: places)
    func search(pointer: String, data: String, url: String?) throws {
        let screen = ContentScreen(
            content: #"{"image": "\#(pointer)", "name": "i", "height": 10, "url": "/{value}"}"#)
        let items = try screen.tree([#"{"a": "other"}"#, data]).sections[0].items
        #expect(items[1].parts["i"]?.url == url, "\(pointer) \(data)")
    }

    @Test("An item is reloaded if its URL differs, and not for other widths in the same list")
    func changes() throws {
        var screen = ContentScreen(content: Self.two)
        screen.parameters.viewport.scale = 2
        let composer = Composer(registry: try screen.registry())
        let items = (0..<3).map { #"{"id": \#($0), "a": {"b": "x"}, "t": "one"}"# }
        func writer(_ items: [String], scale: Double = 2) throws -> TreeWriter {
            var parameters = screen.parameters
            parameters.viewport.scale = scale
            var model = PaginatedViewModel()
            try model.load(resolved(ContentScreen.page(items), by: composer.registry))
            return composer.writer(of: model, parameters)
        }
        func reloads(_ old: TreeWriter, _ new: TreeWriter) throws -> [Int] {
            var tree = Tree(old)
            try Changes(from: old, to: new).apply(to: &tree)
            #expect(tree.sections == Tree(new).sections)
            return ScreenComparison(from: old, to: new).stages.flatMap(\.reloadItems).flatMap {
                Array($0.first..<$0.first + $0.from.count)
            }
        }
        let other = [items[0], #"{"id": 1, "a": {"b": "y"}, "t": "one"}"#, items[2]]
        #expect(try reloads(writer(items), writer(other)) == [1])
        #expect(try reloads(writer(items), writer(items)).isEmpty)
        // The frames are the same, and the pixels are not.
        #expect(try reloads(writer(items), writer(items, scale: 3)) == [0, 1, 2])
        screen.parameters.options.fields = .frames
        #expect(try reloads(writer(items), writer(items, scale: 3)).isEmpty)
    }

    @Test("A tree that is written in parts of any length has the same bytes")
    func parts() throws {
        let screen = ContentScreen(content: Self.two)
        let items = (0..<40).map {
            #"{"id": \#($0), "a": {"b": "\#(String(repeating: "é", count: $0))"}, "t": "one"}"#
        }
        let writer = try screen.writer(items)
        var whole = TreeParts(writer)
        let expected = whole.written()
        for length in [1, 100, 1000, 100_000] {
            var parts = TreeParts(writer)
            var found: [UInt8] = []
            while let part = parts.next(byteCount: length) { found += part }
            #expect(found == expected, "\(length)")
        }
    }
}
