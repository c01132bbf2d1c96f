import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Pictures of measured texts (docs/catalog.md, \"Pictures\")")
struct MeasuredPictureTests {
    private func picture(
        _ screen: MeasuredScreen, _ items: [String], style: PictureOptions.Style = .app
    ) throws -> String {
        let registry = try catalog(screen.catalogJSON).registry
        var model = PaginatedViewModel()
        try model.load(resolved(MeasuredScreen.page(items), by: registry))
        let composer = Composer(registry: registry)
        let merged = composer.screen(of: model, screen.parameters)
        var options = PictureOptions()
        options.style = style
        return String(
            decoding: PictureWriter.write(
                merged, composer.frames(of: merged, screen.parameters),
                viewport: screen.parameters.viewport, title: "T", options: options), as: UTF8.self)
    }

    @Test("The lines that were measured are drawn, at their size and line height")
    func lines() throws {
        let svg = try picture(MeasuredScreen(), ["one two three four five"])
        #expect(svg.contains(#"<text font-size="10" x="0" y="9.5">one two three four</text>"#))
        #expect(svg.contains(#"<text font-size="10" x="0" y="21.5">five</text>"#))
    }

    @Test("The text size, the padding of a stack and maxLines have their effect")
    func stacks() throws {
        var screen = MeasuredScreen(
            item: #"""
                {"height": {"stack": [30, {"text": "/t", "font": "f", "maxLines": 1}],
                 "padding": {"top": 2, "left": 10}, "spacing": 4}}
                """#)
        screen.parameters.viewport.textScale = 2
        let svg = try picture(screen, ["one two three"])
        // 2 + 30 + 4 is the top of the line, which is 24 points high.
        #expect(svg.contains(#"<text font-size="20" x="10" y="55">one two</text>"#))
        #expect(!svg.contains(">three<"))
    }

    @Test("A text that determines only the width is in the middle")
    func chips() throws {
        let text = #"{"text": "/t", "font": "f"}"#
        let chip = #"{"width": {"sum": [\#(text), 20]}, "height": 32}"#
        let svg = try picture(MeasuredScreen(item: chip), ["abcd"])
        #expect(svg.contains(#"<text font-size="10" x="10" y="19.5">abcd</text>"#))
    }

    @Test("From right to left lines end where reading starts")
    func rightToLeft() throws {
        var screen = MeasuredScreen()
        screen.parameters.viewport.direction = .rtl
        let svg = try picture(screen, ["one"])
        #expect(svg.contains(#"<text font-size="10" x="100" y="9.5" text-anchor="end">one</text>"#))
    }

    @Test("T8: texts are drawn with the direction of their first letter, each line of them")
    func baseDirection() throws {
        var screen = MeasuredScreen()
        let end = #" text-anchor="end""#
        for (direction, x, mirrored, other) in [
            (LayoutDirection.ltr, 0, end, ""), (.rtl, 100, "", end),
        ] {
            screen.parameters.viewport.direction = direction
            let svg = try picture(screen, ["אב one two three four 20 %", "1 h ago אב"])
            for line in [
                #"y="9.5" direction="rtl"\#(mirrored)>אב one two three"#,
                "y=\"21.5\" direction=\"rtl\"\(mirrored)>\u{200F}four 20 %",
                #"y="9.5"\#(other)>1 h ago אב"#,
            ] {
                #expect(svg.contains(#"<text font-size="10" x="\#(x)" \#(line)</text>"#), "\(line)")
            }
        }
    }

    @Test("An item without a text has its type and its id")
    func labels() throws {
        let svg = try picture(MeasuredScreen(), [#"{"id": "P1"}"#, "a"], style: .wireframe)
        #expect(!svg.contains(#"<text font-size="10" x="0" y="9.5">P1"#))
        #expect(svg.contains(">a</text>"))
    }
}
