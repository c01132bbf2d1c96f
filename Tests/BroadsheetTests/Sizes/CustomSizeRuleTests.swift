import Broadsheet
import TextTestSupport
import Testing

@Suite("Size rules of a program (docs/custom-layouts.md)") struct CustomSizeRuleTests {
    private let rules = [
        CustomSizeRule("largest") { parts, _ in parts.max() ?? 0 },
        CustomSizeRule("space") { _, space in
            space.available + 1000 * space.width + 1e6 * space.textScale
        },
        CustomSizeRule("quotient") { parts, _ in
            parts.count == 2 ? parts[0] / parts[1] : .nan
        },
    ]

    private func catalog(_ size: String) throws -> Catalog {
        try Catalog(
            Array(
                #"""
                {"units": {"U": {"cells": {"type": "T"}}},
                 "fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}},
                 "cellTypes": {"T": {"size": \#(size)}}}
                """#.utf8), measuringWith: SimpleMeasurer(), sizeRules: rules)
    }

    /// Returns the size of an item with `data` in a flow section 300 points wide.
    private func size(_ size: String, _ data: String = "{}") throws -> Size {
        let registry = try catalog(size).registry
        var model = PaginatedViewModel()
        try model.load(
            resolved(
                #"{"sections": [[{"unitType": "U", "unitData": [\#(data)]}]]}"#, by: registry))
        let parameters = LayoutParameters(
            viewport: Viewport(width: 300, height: 500), rounding: .none)
        let item = LaidOutScreen(model.merged(registry: registry), parameters).sections[0].items[0]
        return Size(width: item.frame.width, height: item.frame.height)
    }

    @Test(
        "A rule gets the lengths of its parts, and nests in both directions",
        arguments: [
            (#"{"largest": [2, {"value": "/h"}, 3]}"#, 33), (#"{"largest": []}"#, 0),
            (#"{"sum": [{"largest": [{"ratio": 0.5}, 9]}, 1]}"#, 51),
            (#"{"largest": [{"stack": [10], "padding": 3}, {"largest": [4, 5]}]}"#, 16),
            (#"{"largest": [{"text": "/t", "font": "f"}, 20]}"#, 24),
        ])
    func parts(rule: String, height: Double) throws {
        let size = try size(
            #"{"width": 100, "height": \#(rule)}"#, #"{"h": 33, "t": "a\nb"}"#)
        #expect(size == Size(width: 100, height: height))
    }

    @Test("A rule gets the container's length, the width of the item, and the text size")
    func space() throws {
        #expect(try size(#"{"width": 7, "height": {"space": []}}"#).height == 1_007_500)
        #expect(try size(#"{"width": {"space": []}, "height": 1}"#).width == 1_000_300)
    }

    @Test(
        "G2: A length that is not finite is 0, and no length is negative or above 1e9",
        arguments: [
            ("[0, 0]", 0), ("[1, 0]", 0), ("[-1, 0]", 0), ("[]", 0), ("[-4, 2]", 0),
            ("[4, 2]", 2), ("[1e9, 1e-300]", 0), ("[1e9, 0.5]", 1e9),
        ])
    func absurd(parts: String, height: Double) throws {
        let size = try size(#"{"width": 7, "height": {"quotient": \#(parts)}}"#)
        #expect(size == Size(width: 7, height: height))
    }

    @Test(
        "Invalid rules of a program are violations, as those of the engine are",
        arguments: [
            (#"{"largest": 4}"#, "/cellTypes/T/size/height/largest must be an array of rules"),
            (#"{"largest": [true]}"#, "/cellTypes/T/size/height/largest/0 must be a number or"),
            (#"{"largest": [], "sum": []}"#, #"must be one rule, not "sum" and "largest""#),
            (#"{"longest": []}"#, #""quotient""#),
        ])
    func violations(rule: String, expected: String) throws {
        let found = violations { _ = try catalog(#"{"height": \#(rule)}"#) }
        #expect(found.count == 1 && found[0].contains(expected), "\(found)")
    }

    @Test(
        "A rule without a possible name is a violation of every catalog",
        arguments: [
            ["sum"], ["min"], ["font"], [""], ["a", "a"], [String(repeating: "x", count: 257)],
        ])
    func names(names: [String]) {
        let rules = names.map { CustomSizeRule($0) { _, _ in 0 } }
        let found = violations { _ = try Catalog(Array("{}".utf8), sizeRules: rules) }
        #expect(found.count == 1 && found[0].contains("size rule whose name is not possible"))
    }

    @Test("A catalog without the rules of the program does not know them")
    func unknown() {
        let found = violations {
            _ = try Catalog(
                Array(#"{"cellTypes": {"T": {"size": {"height": {"largest": []}}}}}"#.utf8))
        }
        #expect(found.count == 1)
    }

    /// Returns the violations of a catalog as `pointer detail`.
    private func violations(_ compile: () throws -> Void) -> [String] {
        do {
            try compile()
            return []
        } catch CatalogError.violations(let violations, _) {
            return violations.map { "\($0.pointer) \($0.detail)" }
        } catch {
            return ["\(error)"]
        }
    }
}
