import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

/// The numbers of calls of a measurer and its texts.
private struct TextCalls: Equatable {
    /// The texts that were shaped.
    var shaped = 0
    /// The times that a text was broken into lines.
    var broken = 0
    /// The times that the natural width of a text was taken.
    var natural = 0
}

/// A measurer that counts the calls of its texts.
private final class CountingMeasurer: TextMeasurer {
    private let calls = LockedValue(TextCalls())

    func open(_ declaration: FontDeclaration) throws(FontFailure) -> any TextFont {
        CountingFont(try SimpleMeasurer().open(declaration), self)
    }

    /// Returns the numbers of calls since the last time.
    func take() -> TextCalls {
        calls.withLock { calls in
            let taken = calls
            calls = TextCalls()
            return taken
        }
    }

    func addShaped() { calls.withLock { $0.shaped += 1 } }

    func add(_ request: TextRequest) {
        let isNatural = request.width == Length.limit
        calls.withLock { calls in
            if isNatural { calls.natural += 1 } else { calls.broken += 1 }
        }
    }
}

private final class CountingFont: TextFont {
    private let font: any TextFont
    private let measurer: CountingMeasurer

    init(_ font: any TextFont, _ measurer: CountingMeasurer) {
        self.font = font
        self.measurer = measurer
    }

    var naturalLineHeight: Double { font.naturalLineHeight }
    var contentHash: UInt64 { font.contentHash }

    func shape(_ text: UnsafeRawBufferPointer, _ options: ShapingOptions) -> any ShapedText {
        measurer.addShaped()
        return CountingText(font.shape(text, options), measurer)
    }
}

private final class CountingText: ShapedText {
    private let text: any ShapedText
    private let measurer: CountingMeasurer

    init(_ text: any ShapedText, _ measurer: CountingMeasurer) {
        self.text = text
        self.measurer = measurer
    }

    var byteCount: Int { text.byteCount }
    var missingCharacters: [Unicode.Scalar] { text.missingCharacters }

    func measure(_ request: TextRequest) -> TextMeasurement {
        measurer.add(request)
        return text.measure(request)
    }

    func lineRanges(_ request: TextRequest) -> [Range<Int>] { text.lineRanges(request) }
}

@Suite("The cost of contents: what is measured, and how often") struct ContentCostTests {
    private static let count = 20
    /// Two texts below each other, which read no natural width.
    private static let column = #"{"column": [\#(texts)]}"#
    private static let texts = #"{"text": "/t", "font": "f"}, {"text": "/u", "font": "f"}"#

    /// Items with two texts each, whose measurements are counted.
    private struct Measured {
        let measurer = CountingMeasurer()
        var screen: ContentScreen
        let composer: Composer

        init(content: String, layout: String = "{}") throws {
            screen = ContentScreen(content: content, layout: layout)
            composer = Composer(
                registry: try Catalog(
                    Array(screen.catalogJSON.utf8), measuringWith: measurer
                ).registry)
        }

        /// Returns the writer of the tree of items, which are laid out.
        func writer(_ items: [String]) throws -> TreeWriter {
            var model = PaginatedViewModel()
            try model.load(resolved(ContentScreen.page(items), by: composer.registry))
            return composer.writer(of: model, screen.parameters)
        }
    }

    private static func item(_ index: Int, _ text: String = "a title") -> String {
        #"{"id": \#(index), "t": "\#(text) \#(index)", "u": "a note of \#(index)"}"#
    }

    private static var items: [String] { (0..<count).map { item($0) } }

    @Test("A text is shaped once, when its page is read")
    func shaping() throws {
        let measured = try Measured(content: Self.column)
        let writer = try measured.writer(Self.items)
        #expect(measured.measurer.take().shaped == 2 * Self.count)
        var parts = TreeParts(writer)
        _ = parts.written()
        #expect(measured.measurer.take().shaped == 0)
    }

    @Test(
        "A text is broken into lines at most once for a layout, and once more when it is written",
        arguments: [
            "{}", #"{"kind": "list"}"#, #"{"gridColumnCount": 2, "itemAlignment": "stretch"}"#,
            #"{"kind": "masonry"}"#,
            #"{"kind": "compositional", "itemSize": "dynamic", "direction": "vertical"}"#,
            #"""
            {"kind": "compositional", "itemSize": {"uniform": {"columns": 2}},
             "isUniformAcrossSiblings": true}
            """#,
        ])
    func lines(layout: String) throws {
        let measured = try Measured(content: Self.column, layout: layout)
        var model = PaginatedViewModel()
        try model.load(
            resolved(ContentScreen.page(Self.items), by: measured.composer.registry))
        let parameters = measured.screen.parameters
        let screen = measured.composer.screen(of: model, parameters)
        _ = measured.measurer.take()
        let frames = measured.composer.frames(of: screen, parameters)
        #expect(measured.measurer.take() == TextCalls(broken: 2 * Self.count))
        _ = measured.composer.tree(of: screen, frames, parameters)
        #expect(measured.measurer.take() == TextCalls(broken: 2 * Self.count))
    }

    @Test(
        "A natural width is taken only where something reads it, and once for an arrangement",
        arguments: [
            (#"{"column": [\#(texts)]}"#, 0), (#"{"align": "start", "column": [\#(texts)]}"#, 2),
            (#"{"row": [\#(texts)]}"#, 2), (#"{"width": "natural", "row": [\#(texts)]}"#, 2),
            (
                #"{"row": [{"text": "/t", "font": "f", "fill": 1}, {"text": "/u", "font": "f"}]}"#,
                1
            ),
            (
                #"""
                {"row": [{"text": "/t", "font": "f", "fill": 1},
                         {"text": "/u", "font": "f", "width": 40}]}
                """#, 0
            ),
        ] as [(String, Int)])
    func naturalWidths(content: String, perItem: Int) throws {
        let measured = try Measured(content: content)
        let writer = try measured.writer(Self.items)
        _ = measured.measurer.take()
        var parts = TreeParts(writer)
        _ = parts.written()
        #expect(measured.measurer.take().natural == perItem * Self.count)
        _ = measured.composer.frames(of: writer.screen, measured.screen.parameters)
        #expect(measured.measurer.take().natural == perItem * Self.count)
    }

    @Test("Items outside of a rectangle cost nothing when a part of a tree is written")
    func rectangles() throws {
        let measured = try Measured(content: Self.column)
        let writer = try measured.writer(Self.items)
        let found = VisibilityIndex(writer.frames).elements(
            in: Frame(x: 0, y: 0, width: 100, height: 60))
        _ = measured.measurer.take()
        var parts = TreeParts(
            TreeWriter(
                found, of: writer.screen, writer.frames,
                viewport: measured.screen.parameters.viewport))
        _ = parts.written()
        #expect(found.count == 2)
        #expect(measured.measurer.take() == TextCalls(broken: 2 * 2))
    }

    @Test("A comparison lays out the parts of an item only if its size or its data differ")
    func comparisons() throws {
        var measured = try Measured(
            content: Self.column,
            layout: #"""
                {"kind": "compositional", "itemSize": {"uniform": {"columns": 2}},
                 "isUniformAcrossSiblings": true}
                """#)
        // Items whose data differ are reloaded without a comparison, unless trees have none.
        measured.screen.parameters.options.fields = .frames
        let old = try measured.writer(Self.items)
        /// Returns the calls of a comparison with other items.
        func calls(_ items: [String]) throws -> TextCalls {
            let new = try measured.writer(items)
            _ = measured.measurer.take()
            #expect(!ScreenComparison(from: old, to: new).frames.isEmpty)
            return measured.measurer.take()
        }
        // All but the first two move up by a row.
        #expect(try calls(Array(Self.items.dropFirst(2))) == TextCalls())
        // The first item is taller, and so is the one beside it: both texts of both, in both trees.
        let taller = [Self.item(0, "a title of many words")] + Self.items.dropFirst()
        #expect(try calls(taller) == TextCalls(broken: 2 * 2 * 2))
    }
}
