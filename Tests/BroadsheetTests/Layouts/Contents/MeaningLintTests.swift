import BroadsheetClient
import Testing

@testable import Broadsheet

/// Returns the screen of a content whose type has an action.
private func actionScreen(_ content: String, textScale: Double = 1) -> ContentScreen {
    var screen = ContentScreen(
        content: content, members: #", "actions": {"like": {"forward": true}}"#)
    screen.parameters.viewport.textScale = textScale
    return screen
}

extension ContentScreen {
    /// Returns the details of a code in the screen of items.
    fileprivate func details(_ code: LayoutDiagnostic.Code, _ items: String...) throws -> [String] {
        try diagnostics(items).filter { $0.code.rawValue == code.rawValue }.map(\.detail)
    }

    /// Returns whether the screen of an item has a code.
    fileprivate func has(_ code: LayoutDiagnostic.Code, _ item: String) throws -> Bool {
        try !details(code, item).isEmpty
    }
}

@Suite("Lint of controls and labels (docs/layout.md, Lint)")
struct ControlLintTests {
    private static let like = #""action": "like", "label": {"constant": "Like"}"#

    @Test(
        "TARGET_TOO_SMALL: A control less than 44 points wide or high, by more than 0.001",
        arguments: [
            (#""width": 44, "height": 44, \#(like)"#, false),
            (#""width": 43.9995, "height": 43.9995, \#(like)"#, false),
            (#""width": 43.9985, "height": 44, \#(like)"#, true),
            (#""width": 44, "height": 43.9985, \#(like)"#, true),
            (#""width": 100, "height": 0, \#(like)"#, true),
            (#""width": 10, "height": 10, "link": "/href", "label": "/href""#, true),
            (#""width": 10, "height": 10, "link": "/no", "label": "/href""#, false),
            (#""width": 10, "height": 10, "link": "/n", "label": "/href""#, false),
            (#""width": 10, "height": 10, "link": "/empty", "label": "/href""#, false),
            (#""width": 10, "height": 10, "label": "/href""#, false),
        ])
    func targets(members: String, isSmall: Bool) throws {
        let screen = actionScreen(#"{"row": [{"box": "", "name": "b", \#(members)}]}"#)
        let item = #"{"href": "/tea", "n": 7, "empty": ""}"#
        #expect(try screen.has(.targetTooSmall, item) == isSmall)
    }

    @Test("TARGET_TOO_SMALL: Controls may touch, and a control in a labelled box is judged")
    func touchingTargets() throws {
        func content(_ height: Double) -> String {
            let boxes = ["a", "b"].map {
                #"{"box": "", "name": "\#($0)", "height": \#(height), \#(Self.like)}"#
            }
            return #"{"column": [\#(boxes.joined(separator: ","))], "label": {"constant": "C"}}"#
        }
        #expect(try actionScreen(content(44)).details(.targetTooSmall, "{}").isEmpty)
        let found = try actionScreen(content(43)).details(.targetTooSmall, #"{"id": "P1"}"#, "{}")
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                #"(2 items, this is the first): the box "a" in the item "P1""#) == true)
    }

    @Test("TARGET_TOO_SMALL: Of a header, with its part")
    func headers() throws {
        var screen = actionScreen(#"{"box": "", "height": 1}"#)
        screen.header =
            #"{"row": [{"box": "", "name": "b", "width": 20, "height": 20, "link": "/l", "label": "/l"}]}"#
        let found = try screen.diagnostics([], header: #"{"l": "/tea"}"#)
            .filter { $0.code.rawValue == "TARGET_TOO_SMALL" }
        #expect(found.map(\.pointer) == ["/sections/0"])
        #expect(found.first?.detail.hasSuffix(#": the box "b" in the header"#) == true)
    }

    private static let text = #"{"text": "/t", "font": "f", "name": "t"}"#

    @Test(
        "LABEL_MISSING: A control with nothing to say, or an image or a box without a label",
        arguments: [
            // Controls.
            (#"{"box": "", "name": "b", "action": "like"}"#, true),
            (#"{"box": "", "name": "b", "action": "like", "label": "/no"}"#, true),
            (#"{"box": "", "name": "b", "action": "like", "label": "/t"}"#, false),
            (#"{"row": [\#(text)], "name": "b", "action": "like"}"#, false),
            (#"{"row": [{"text": "/t", "font": "f"}], "name": "b", "action": "like"}"#, true),
            (
                #"{"row": [{"text": "/blank", "font": "f", "name": "t"}], "name": "b", "action": "like"}"#,
                true
            ),
            (
                #"{"row": [{"text": "/t", "font": "f", "name": "t", "hidden": true}], "name": "b", "action": "like"}"#,
                true
            ),
            (
                #"{"row": [{"image": "", "name": "i", "role": "none", "label": "/t"}], "name": "b", "action": "like"}"#,
                true
            ),
            (
                #"{"row": [{"image": "", "name": "i", "label": "/t"}], "name": "b", "action": "like"}"#,
                false
            ),
            (#"{"text": "/t", "font": "f", "name": "b", "action": "like"}"#, false),
            (#"{"text": "/blank", "font": "f", "name": "b", "action": "like"}"#, true),
            // Images and boxes.
            (#"{"image": "", "name": "i"}"#, true),
            (#"{"box": "", "name": "i"}"#, true),
            (#"{"image": ""}"#, false),
            (#"{"image": "", "name": "i", "label": "/t"}"#, false),
            (#"{"image": "", "name": "i", "label": "/no"}"#, true),
            (#"{"image": "", "name": "i", "label": "/blank"}"#, true),
            (#"{"image": "", "name": "i", "role": "image"}"#, true),
            (#"{"image": "", "name": "i", "role": "none"}"#, false),
            (#"{"image": "", "name": "i", "hidden": true}"#, false),
            (#"{"column": [{"image": "", "name": "i"}], "hidden": true}"#, false),
            (#"{"image": "/no", "name": "i"}"#, false),
            (
                #"{"row": [{"image": "", "name": "i"}, \#(text)], "name": "b", "action": "like"}"#,
                false
            ),
            (#"{"row": [{"image": "", "name": "i"}], "name": "b", "link": "/no"}"#, true),
            (#"{"row": [{"image": "", "name": "i"}], "name": "b", "label": "/t"}"#, false),
            (#"{"row": [{"image": "", "name": "i"}], "name": "b", "label": "/no"}"#, true),
            (#"{"text": "/t", "font": "f", "name": "t"}"#, false),
        ])
    func labels(box: String, isMissing: Bool) throws {
        let heading = #"{"text": "/t", "font": "f", "name": "h", "role": "heading"}"#
        let screen = actionScreen(#"{"column": [\#(heading), \#(box)]}"#)
        let item = #"{"t": "Tea", "blank": "\n"}"#
        #expect(try screen.has(.labelMissing, item) == isMissing, "\(box)")
    }

    @Test("LABEL_MISSING: Not of images in a cell whose label is there")
    func labelledCells() throws {
        let screen = actionScreen(#"{"row": [{"image": "", "name": "i"}], "label": "/t"}"#)
        #expect(try !screen.has(.labelMissing, #"{"t": "Tea"}"#))
        let found = try screen.details(.labelMissing, #"{"id": "P1"}"#)
        #expect(found.first?.hasSuffix(#": the image "i" in the item "P1""#) == true)
        let root = actionScreen(#"{"image": "", "name": "i", "label": "/t"}"#)
        #expect(try !root.has(.labelMissing, #"{"t": "Tea"}"#))
        #expect(try root.has(.labelMissing, "{}"))
    }
}

@Suite("Lint of the reading order and of larger texts (docs/layout.md, Lint)")
struct ReadingLintTests {
    /// Returns a text of a frame in an overlay.
    private static func text(
        _ name: String, _ x: Double, _ y: Double, _ width: Double = 50, _ height: Double = 20,
        _ members: String = #", "role": "heading""#
    ) -> String {
        let text =
            #"{"text": "/t", "font": "f", "name": "\#(name)", "width": \#(width), "height": \#(height)\#(members)}"#
        return #"{"column": [\#(text)], "padding": {"left": \#(x), "top": \#(y)}}"#
    }

    private func isReported(_ boxes: String..., data: String = #"{"t": "a"}"#) throws -> Bool {
        let content = #"{"overlay": [\#(boxes.joined(separator: ","))], "height": 200}"#
        return try actionScreen(content).has(.readingOrder, data)
    }

    @Test(
        "READING_ORDER: In one line the later one begins further left, else it is higher",
        arguments: [
            // The example of docs/layout.md: an overlap of 10 and of 9, with heights of 20.
            ((0, 60, 50, 20), (50, 50, 50, 20), false), ((0, 60, 50, 20), (50, 49, 50, 20), true),
            // Below, and above.
            ((0, 0, 50, 20), (0, 20, 50, 20), false), ((0, 20, 50, 20), (0, 0, 50, 20), true),
            // Side by side.
            ((0, 0, 50, 20), (50, 0, 50, 20), false), ((50, 0, 50, 20), (0, 0, 50, 20), true),
            ((50, 0, 50, 20), (0, 9, 50, 20), true), ((50, 0, 50, 20), (0, 11, 50, 20), false),
            // Half the height of the lower one, which is 10.
            ((50, 0, 50, 40), (0, 35, 50, 10), true), ((50, 0, 50, 40), (0, 36, 50, 10), false),
            // An overlap by more than 0.001 on both axes.
            ((50, 0, 50, 20), (0, 0, 50.002, 20), false),
            ((50, 0, 50, 20), (0, 0, 50.0005, 20), true),
            ((0, 20, 50, 20), (0, 0, 50, 20.002), false),
            ((0, 20, 50, 20), (0, 0, 50, 20.0005), true),
        ] as [((Double, Double, Double, Double), (Double, Double, Double, Double), Bool)])
    func order(
        earlier: (Double, Double, Double, Double), later: (Double, Double, Double, Double),
        isReported: Bool
    ) throws {
        let boxes = [("a", earlier), ("b", later)].map { name, frame in
            Self.text(name, frame.0, frame.1, frame.2, frame.3)
        }
        #expect(try self.isReported(boxes[0], boxes[1]) == isReported)
    }

    @Test("READING_ORDER: Boxes with a name and an area that are not decoration are read")
    func readBoxes() throws {
        let below = Self.text("a", 0, 50)
        func image(_ members: String) -> String {
            #"{"image": "", "height": 20, "vertical": "start", \#(members)}"#
        }
        #expect(try isReported(below, image(#""name": "i", "label": "/t""#)))
        #expect(try isReported(below, image(#""name": "i""#)))
        #expect(try !isReported(below, image(#""if": """#)))
        #expect(try !isReported(below, image(#""name": "i", "role": "none""#)))
        #expect(try !isReported(below, image(#""name": "i", "hidden": true"#)))
        #expect(try !isReported(below, image(#""name": "i", "width": 0"#)))
        #expect(try !isReported(below, Self.text("b", 0, 0, 50, 0)))
        #expect(try isReported(below, image(#""name": "i", "action": "like", "label": "/t""#)))
    }

    @Test("READING_ORDER: A box counts as the smallest rectangle around what is read in it")
    func rectangles() throws {
        // The texts of the column are 0 to 10 and 60 to 70 points from the top, the other at 20:
        // together they overlap it, and without the second one, which is hidden, they do not.
        func column(_ members: String) -> String {
            #"""
            {"column": [{"text": "/t", "font": "f", "name": "a", "height": 10},
              {"text": "/t", "font": "f", "name": "b", "height": 10\#(members)}], "spacing": 50}
            """#
        }
        let between = Self.text("c", 0, 20)
        #expect(try !isReported(between, column("")))
        #expect(try isReported(between, column(#", "hidden": true"#)))
        // All that is read in a labelled row is the row, and its controls.
        let row =
            #"{"row": [{"box": "", "name": "d", "width": 9}], "height": 10, "vertical": "start""#
        #expect(try isReported(between, row + #", "name": "r", "label": "/t"}"#))
        #expect(try isReported(between, row + "}"))
        #expect(try !isReported(between, row + #", "hidden": true}"#))
    }

    @Test("READING_ORDER: In a labelled cell only controls are read, in a labelled control nothing")
    func silentBoxes() throws {
        let boxes = [Self.text("a", 0, 50), Self.text("b", 0, 0)].joined(separator: ",")
        let controls = ["a", "b"].map { name in
            #"{"box": "", "name": "\#(name)", "height": 50, "vertical": "\#(name == "a" ? "end" : "start")", "action": "like", "label": "/t"}"#
        }
        let overlay = #"{"overlay": [\#(boxes)], "height": 200"#
        for (members, isReported) in [
            (#", "label": "/t"}"#, false), (#", "label": "/no"}"#, true),
            (#", "name": "r", "action": "like"}"#, true),
            (#", "name": "r", "action": "like", "label": "/t"}"#, false),
        ] {
            let found = try actionScreen(overlay + members).has(.readingOrder, #"{"t": "a"}"#)
            #expect(found == isReported, "\(members)")
        }
        let content =
            #"{"overlay": [\#(controls.joined(separator: ","))], "height": 200, "label": "/t"}"#
        #expect(try actionScreen(content).has(.readingOrder, #"{"t": "a"}"#))
    }

    @Test("READING_ORDER: The part is the later box; rows are in order from right to left, too")
    func parts() throws {
        let row = #"{"row": [{"text": "/t", "font": "f", "name": "b"}], "vertical": "start"}"#
        let content = #"{"overlay": [\#(Self.text("a", 0, 50)), \#(row)], "height": 100}"#
        let found = try actionScreen(content).details(
            .readingOrder, #"{"id": "P1", "t": "a"}"#, #"{"id": "P2", "t": "b"}"#)
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                #"(2 items, this is the first): a row without a name in the item "P1""#) == true)
        for direction in [LayoutDirection.ltr, .rtl] {
            var screen = actionScreen(
                #"{"row": [{"text": "/t", "font": "f", "name": "a", "role": "heading"}, \#(Self.text("b", 0, 0))]}"#
            )
            screen.parameters.viewport.direction = direction
            #expect(try !screen.has(.readingOrder, #"{"t": "a"}"#))
        }
    }

    @Test("Contents without the members are not judged")
    func otherContents() throws {
        let boxes = [Self.text("a", 0, 50, 50, 20, ""), Self.text("b", 0, 0, 50, 20, "")]
        #expect(try !isReported(boxes[0], boxes[1]))
        let image = actionScreen(#"{"image": "", "name": "i", "height": 10}"#)
        #expect(try !image.has(.labelMissing, "{}"))
    }

    private static let long = #"{"id": "P1", "t": "0123456789 12"}"#

    @Test(
        "TEXT_CUT_WHEN_LARGER: A text is cut at the request's text size, and not at 1",
        arguments: [
            // 13 characters of 5 points, in 100 points.
            (#""maxLines": 1"#, 1, false), (#""maxLines": 1"#, 1.5, false),
            (#""maxLines": 1"#, 2, true), (#""maxLines": 1"#, 0.5, false),
            (#""maxLines": 2"#, 2, false), (#""maxLines": 1, "width": 50"#, 2, false),
            // A line of 12 points.
            (#""height": 12"#, 1, false), (#""height": 18"#, 1.5, false),
            (#""height": 17.99"#, 1.5, true), (#""height": 11"#, 1.5, false),
            (#""minHeight": 12"#, 3, false),
        ] as [(String, Double, Bool)])
    func largerTexts(members: String, textScale: Double, isCut: Bool) throws {
        for (font, isReported) in [("f", isCut), ("fixed", false)] {
            let text =
                #"{"text": "/t", "font": "\#(font)", "name": "t", "role": "heading", \#(members)}"#
            let found = try actionScreen(#"{"row": [\#(text)]}"#, textScale: textScale)
                .has(.textCutWhenLarger, Self.long)
            #expect(found == isReported, "\(text)")
        }
    }

    @Test("TEXT_CUT_WHEN_LARGER: The part is the first text that is cut only then")
    func largerTextParts() throws {
        func text(_ name: String, _ members: String) -> String {
            #"{"text": "/t", "font": "f", \#(name), \#(members)}"#
        }
        let texts = [
            text(#""name": "a""#, #""maxLines": 1, "width": 10"#),
            text(#""minLines": 1"#, #""maxLines": 1"#), text(#""name": "c""#, #""maxLines": 1"#),
        ]
        let content = #"{"column": [\#(texts.joined(separator: ","))], "label": {"constant": "C"}}"#
        let found = try actionScreen(content, textScale: 2).details(
            .textCutWhenLarger, "{}", Self.long)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(#": a text without a name in the item "P1""#) == true)
    }

    @Test("TEXT_CUT_WHEN_LARGER: Of other contents only if all texts are compared")
    func allTexts() throws {
        var screen = ContentScreen(
            content: #"{"row": [{"text": "/t", "font": "f", "maxLines": 1}]}"#)
        screen.parameters.viewport.textScale = 2
        #expect(try !screen.has(.textCutWhenLarger, Self.long))
        let composer = Composer(registry: try screen.registry())
        let merged = composer.screen(of: try screen.model([Self.long]), screen.parameters)
        for all in [false, true] {
            let lint = composer.lint(merged, screen.parameters, comparingAllTexts: all)
            #expect(lint.contains { $0.code.rawValue == "TEXT_CUT_WHEN_LARGER" } == all)
        }
    }
}
