import TestSupport

/// Random pages of a seed: every layout kind, sizes from the data, repeated ids.
struct RandomScreens {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Items, headers and footers with sizes from the data.
    static let catalog = """
        {"units": {"CARDS": {"cells": {"type": "Card"}}, "ROWS": {"cells": {"type": "Row"}}},
         "cellTypes": {
           "Card": {"id": "/id", "size": {"width": {"value": "/w", "default": 50}, "height": {"value": "/h", "default": 20}}},
           "Row": {"size": {"height": 33}}}}
        """
        .replacing(
            "\"units\": {",
            with: #""units": {"H": {"header": {"type": "Row"}}, "F": {"footer": {"type": "Row"}}, "#
        )

    /// Returns a page of up to six sections with few ids, so that pages merge.
    mutating func page() -> String {
        let sections = (0..<number(in: 1...6)).map { _ in section() }
        return "{\"sections\":[\(sections.joined(separator: ","))]}"
    }

    /// Returns a rectangle around a screen, sometimes with negative size, empty, or very large.
    mutating func rectangle() -> String {
        if number(in: 0...9) == 0 { return "-1e9,-1e9,1e9,1e9" }
        if number(in: 0...9) == 0 { return "-5e8,-5e8,1e9,1e9" }
        let lengths = [0, 40, 200, 844, -300].map(Double.init)
        let x = Double(number(in: -60...400)) + 0.2371
        let y = Double(number(in: -60...1500)) + 0.2371
        let width = lengths[number(in: 0...4)]
        let height = lengths[number(in: 0...4)]
        return "\(x),\(y),\(width),\(height)"
    }

    /// Returns a number of the range.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[number(in: 0...choices.count - 1)]
    }

    private mutating func section() -> String {
        var units = (0..<number(in: 0...3)).map { _ in unit() }
        if number(in: 0...1) == 0 { units.append(#"{"unitType":"H","unitData":{"t":1}}"#) }
        if number(in: 0...2) == 0 { units.append(#"{"unitType":"F","unitData":[2]}"#) }
        let id = pick(["\"A\"", "\"B\"", "3", "null"])
        let collapsed = number(in: 0...9) == 0
        return """
            {"sectionId":\(id),"collapsed":\(collapsed),"layout":\(layout()),\
            "units":[\(units.joined(separator: ","))]}
            """
    }

    private mutating func unit() -> String {
        let isCards = number(in: 0...3) > 0
        let elements = (0..<number(in: 0...40)).map { _ in
            isCards
                ? "{\"id\":\(number(in: 0...20)),\"w\":\(number(in: 0...300)),\"h\":\(number(in: 0...90))}"
                : "{}"
        }
        return """
            {"unitType":"\(isCards ? "CARDS" : "ROWS")","unitData":[\(elements.joined(separator: ","))]}
            """
    }

    private mutating func layout() -> String {
        let spacing = number(in: -15...20)
        let decoration = pick(["", #","decoration":{"kind":"card","inset":-4}"#])
        return pick([
            #"{"minimumLineSpacing":\#(spacing),"minimumInteritemSpacing":3\#(decoration)}"#,
            #"{"gridColumnCount":\#(number(in: 1...5)),"inset":\#(spacing),"pinHeader":true\#(decoration)}"#,
            #"{"kind":"list","appearance":"insetGrouped"\#(decoration)}"#,
            #"{"kind":"compositional","itemSize":"dynamic","lineSpacing":\#(spacing)\#(decoration)}"#,
            #"{"kind":"compositional","itemSize":{"uniform":{"columns":3}},"itemSpacing":\#(spacing)}"#,
            #"{"kind":"compositional","scrolling":"groupPaging","itemSpacing":4\#(decoration)}"#,
            #"{"kind":"compositional","scrolling":"groupPagingCentered","lineSpacing":\#(spacing),"#
                + #""itemSize":{"uniform":{"width":{"fraction":0.3},"height":77}},"#
                + #""paging":{"isInfinitePage":true}\#(decoration)}"#,
        ])
    }
}
