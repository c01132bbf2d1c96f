import BroadsheetClient
import Foundation
import TestSupport
import Testing

@testable import Broadsheet

/// A masonry as it is described, for comparison: each item below the shortest column, of several
/// the one at which reading begins.
private struct MasonryModel {
    let columns: Int
    let axis: ScreenAxis
    let direction: LayoutDirection
    let viewport: Size
    let spacing: (line: Double, interitem: Double)
    let inset: Insets
    let headerLength: Double
    let items: [Size]

    /// The frames in the section, neither mirrored nor rounded, and the section's length.
    private var plain: (frames: [Frame], length: Double) {
        let isVertical = axis == .vertical
        let breadth =
            isVertical
            ? viewport.width - inset.left - inset.right : viewport.height - inset.top - inset.bottom
        let width = (breadth - spacing.interitem * Double(columns - 1)) / Double(columns)
        var lengths = Array(repeating: [Double](), count: columns)
        var frames: [Frame] = []
        let start = headerLength + (isVertical ? inset.top : inset.left)
        var end = 0.0
        for item in items {
            let ends = lengths.map { $0.reduce(0) { $0 + $1 + spacing.line } }
            var column = 0
            for other in 1..<columns where ends[other] < ends[column] { column = other }
            let length = isVertical ? item.height : item.width
            lengths[column].append(length)
            end = max(end, ends[column] + length)
            let across = (width + spacing.interitem) * Double(column)
            frames.append(
                isVertical
                    ? Frame(inset.left + across, start + ends[column], width, length)
                    : Frame(start + ends[column], inset.top + across, length, width))
        }
        return (frames, start + end + (isVertical ? inset.bottom : inset.right))
    }

    /// The frames in the section, mirrored, and the section's length.
    var result: (frames: [Frame], length: Double) {
        let (frames, length) = plain
        guard direction == .rtl else { return (frames, length) }
        let width = axis == .vertical ? viewport.width : length
        return (
            frames.map { Frame(width - $0.x - $0.width, $0.y, $0.width, $0.height) }, length
        )
    }
}

@Suite("Properties of custom layouts") struct CustomLayoutPropertyTests {
    private static let types = #"""
        {"units": {"U": {"cells": {"type": "A"}}, "H": {"header": {"type": "A"}}},
         "cellTypes": {"A": {"id": "/id", "size": {
           "width": {"value": "/w"}, "height": {"value": "/h"}}}}}
        """#

    /// Returns a random masonry, and the page of its section.
    private func masonry(_ seed: UInt64) -> (model: MasonryModel, page: String) {
        var random = SeededGenerator(seed: seed)
        // Quarters of points have exact sums, so that equal columns are equal in any order.
        func length(_ range: ClosedRange<Int>) -> Double {
            Double(Int.random(in: range, using: &random)) / 4
        }
        let model = MasonryModel(
            columns: .random(in: 1...6, using: &random),
            axis: .allCases.randomElement(using: &random) ?? .vertical,
            direction: .allCases.randomElement(using: &random) ?? .ltr,
            viewport: Size(width: length(1200...4000), height: length(1200...4000)),
            spacing: (length(0...80), length(0...80)),
            inset: Insets(
                top: length(0...80), left: length(0...80), bottom: length(0...80),
                right: length(0...80)),
            headerLength: length(1...200),
            items: (0..<Int.random(in: 1...60, using: &random)).map { _ in
                Size(width: length(0...400), height: length(0...400))
            })
        let items = model.items.enumerated().map {
            #"{"id": \#($0), "w": \#($1.width), "h": \#($1.height)}"#
        }
        let header = #"{"w": \#(model.headerLength), "h": \#(model.headerLength)}"#
        return (
            model,
            #"{"sections": [{"sectionId": "S", "header": {"unitType": "H", "unitData": \#(header)}, "units": [{"unitType": "U", "unitData": [\#(items.joined(separator: ","))]}]}]}"#
        )
    }

    @Test("A masonry is that of a plain model", arguments: ChangesHistoryTests.seeds)
    func model(seed: UInt64) throws {
        for number in 0..<60 {
            let context = "BROADSHEET_SEED=\(seed), masonry \(number)"
            let (model, page) = masonry(seed &* 1000 &+ UInt64(number))
            var registry = try catalog(Self.types).registry
            registry.screen.direction = model.axis
            registry.setLayout(
                .custom(
                    Masonry(), columns: .fixed(model.columns), lineSpacing: model.spacing.line,
                    interitemSpacing: model.spacing.interitem, inset: model.inset),
                forSection: "S")
            var pages = PaginatedViewModel()
            try pages.load(resolved(page, by: registry))
            let viewport = Viewport(
                width: model.viewport.width, height: model.viewport.height, scale: 2,
                direction: model.direction)
            let parameters = LayoutParameters(viewport: viewport, rounding: .none)
            let frames = pages.merged(registry: registry).laidOut(by: parameters)
            let expected = model.result
            let section = try #require(frames.sections.first)
            guard isClose(Array(section.items), expected.frames),
                isClose(frames.contentSize[model.axis], expected.length),
                frames.diagnostics.isEmpty
            else {
                Issue.record("\(context): \(section.items) instead of \(expected)")
                return
            }
        }
    }

    @Test(
        "X4: Whatever a layout does, trees are JSON, parts of them agree, and pictures are XML",
        arguments: ChangesHistoryTests.seeds)
    func careless(seed: UInt64) throws {
        for number in 0..<30 {
            let context: Comment = "BROADSHEET_SEED=\(seed), layout \(number)"
            let seed = seed &* 1000 &+ UInt64(number)
            let history = try RandomHistory(
                seed: seed, layout: .custom(CarelessLayout(seed: seed)))
            let parameters = history.parameters()
            let writer = history.tree(
                of: try history.revision(0, sharing: false), upTo: nil, parameters)
            var parts = TreeParts(writer)
            let tree = try JSONDocument(parts.written()).root
            #expect(tree["sections"]?.count == writer.screen.sections.count, context)
            #expect(writer.frames.numbers.allSatisfy { $0.isFinite }, context)
            #expect(
                writer.frames.sections.map(\.items.count)
                    == writer.screen.sections.map(\.itemCount),
                context)
            let picture = PictureWriter.write(
                writer.screen, writer.frames, viewport: parameters.viewport, title: "careless")
            #expect(PictureReader(picture).isWellFormed, context)
            let index = VisibilityIndex(writer.frames)
            for rectangle in [
                Frame(0, 0, 400, 300), Frame(-1e10, -1e10, 2e10, 2e10), Frame(50, 300, 9, 9),
            ] {
                #expect(
                    index.elements(in: rectangle)
                        == writer.frames.scanned(rectangle, ScrollState()), context)
            }
        }
    }
}
