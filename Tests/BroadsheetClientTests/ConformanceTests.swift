import BroadsheetClient
import Foundation
import Testing

/// The cases of the conformance kit (Fixtures/conformance).
private enum Kit {
    /// Returns the cases of a file.
    static func cases<Case: Decodable>(_ file: String) throws -> [Case] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Fixtures/conformance/\(file)"))
        return try JSONDecoder().decode([Case].self, from: data)
    }

    /// Changes of a tree.
    struct ChangesCase: Decodable {
        let name: String
        let tree: Tree
        let changes: Changes
        let expected: Tree?
        let error: Bool?
    }

    /// A content with data, and what assistive technology finds in it.
    struct ElementsCase: Decodable {
        let name: String
        let content, data: TreeValue
        let elements: [CellElement]

        /// The response of `GET /v1/catalog/cells` with the content.
        var cells: TreeValue { ["cellTypes": ["Item": ["content": content]], "fonts": [:]] }

        /// The item of the data, whose parts are the boxes that are there.
        var item: TreeItem? {
            let frame: TreeValue = ["x": 0, "y": 0, "width": 100, "height": 20]
            let parts = TreeValue.object(
                Dictionary(
                    uniqueKeysWithValues: ContentParts(data).names(inRoot: content).map {
                        ($0, ["frame": frame])
                    }))
            return TreeItem([
                "id": "a", "type": "Item", "frame": frame, "parts": parts, "data": data,
            ])
        }
    }

    /// A carousel with results of its functions.
    struct CarouselCase: Decodable {
        /// The lengths of the carousel.
        struct Lengths: Decodable {
            let isAlignCenter, isLooping: Bool
            let pageCount, copies: Int
            let viewportLength, contentLength, itemLength, lineSpacing: Double
            let contentInset, sectionInset: [Double]

            var carousel: Carousel {
                Carousel(
                    options: PagingOptions(isAlignCenter: isAlignCenter, isLooping: isLooping),
                    pageCount: pageCount, copies: copies, viewportLength: viewportLength,
                    contentLength: contentLength, contentInset: ends(contentInset),
                    sectionInset: ends(sectionInset), itemLength: itemLength,
                    lineSpacing: lineSpacing)
            }

            private func ends(_ lengths: [Double]) -> AxisEnds {
                AxisEnds(leading: lengths.first ?? 0, trailing: lengths.last ?? 0)
            }
        }

        let name: String
        let lengths: Lengths
        let values: [String: Double]
        let pageIndex, release: [[Double]]
        let step, remap: [[Double?]]
    }
}

@Suite("The conformance kit (docs/web.md, Conformance kit)")
struct ConformanceTests {
    @Test("Changes lead to the expected trees, or are an error that leaves the tree as it was")
    func changes() throws {
        let cases: [Kit.ChangesCase] = try Kit.cases("changes.json")
        #expect(cases.count >= 300)
        for one in cases {
            var tree = one.tree
            if one.error == true {
                #expect(throws: ChangesError.self, "\(one.name)") {
                    try one.changes.apply(to: &tree)
                }
                #expect(tree == one.tree, "\(one.name)")
            } else {
                try one.changes.apply(to: &tree)
                #expect(tree == one.expected, "\(one.name)")
            }
        }
    }

    @Test("Assistive technology finds the expected elements in cells")
    func elements() throws {
        let cases: [Kit.ElementsCase] = try Kit.cases("accessible.json")
        #expect(cases.count >= 60)
        for one in cases {
            let library = try #require(CellLibrary(one.cells))
            let item = try #require(one.item)
            #expect(library.elements(of: item) == one.elements, "\(one.name)")
        }
    }

    @Test("Carousels have the expected offsets")
    func carousels() throws {
        let cases: [Kit.CarouselCase] = try Kit.cases("carousel.json")
        #expect(cases.count >= 200)
        for one in cases {
            let carousel = one.lengths.carousel
            let values = [
                "pageLength": carousel.pageLength, "sectionLength": carousel.sectionLength,
                "slack": carousel.slack, "lastPage": carousel.lastPage,
                "minOffset": carousel.minOffset, "maxOffset": carousel.maxOffset,
                "initialOffset": carousel.initialOffset, "finalOffset": carousel.finalOffset,
                "copyLength": carousel.copyLength,
            ]
            #expect(values.keys.sorted() == one.values.keys.sorted())
            for (name, value) in one.values {
                #expect(isClose(values[name], value), "\(one.name) \(name)")
            }
            checkMoves(of: carousel, one)
        }
    }

    private func checkMoves(of carousel: Carousel, _ one: Kit.CarouselCase) {
        for row in one.pageIndex {
            #expect(Double(carousel.pageIndex(at: row[0])) == row[1], "\(one.name) \(row)")
        }
        for row in one.release {
            let target = carousel.targetOffset(releasedAt: row[0], velocity: row[1])
            #expect(isClose(target, row[2]), "\(one.name) \(row)")
        }
        for row in one.step {
            let target = carousel.targetOffset(
                steppingBy: Int(row[0] ?? 0), from: row[1] ?? 0)
            #expect(isClose(target, row[2]), "\(one.name) \(row)")
        }
        for row in one.remap {
            #expect(isClose(carousel.remappedOffset(row[0] ?? 0), row[1]), "\(one.name) \(row)")
        }
    }

    private func isClose(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == other }
        return abs(one - other) <= 1e-9
    }
}

/// The parts of an item, as a daemon finds them (docs/catalog.md, "Contents").
private struct ContentParts {
    private let data: TreeValue

    init(_ data: TreeValue) { self.data = data }

    /// Returns the names of the boxes that are there; the root always is.
    func names(inRoot content: TreeValue) -> [String] {
        guard let root = selected(content) else { return [] }
        return own(root) + inside(root).flatMap(names(in:))
    }

    private func names(in box: TreeValue) -> [String] { own(box) + inside(box).flatMap(names(in:)) }

    private func own(_ box: TreeValue) -> [String] { box["name"]?.text.map { [$0] } ?? [] }

    /// Returns the boxes in a box that are there.
    private func inside(_ box: TreeValue) -> [TreeValue] {
        let boxes = ["column", "row", "overlay"].compactMap { box[$0]?.elements }.first ?? []
        return boxes.compactMap(selected).filter { child in
            (child["if"].map { isThere(value($0)) } ?? true) && hasContent(child)
        }
    }

    private func hasContent(_ box: TreeValue) -> Bool {
        if box["space"] != nil { return true }
        if let text = box["text"] {
            if box["minLines"]?.integer ?? 0 > 0 { return true }
            let texts = (text["join"]?.elements ?? [text]).compactMap { value($0) }
            return texts.contains { $0.number != nil || $0.text?.isEmpty == false }
        }
        if let pointer = box["image"] ?? box["box"] { return isThere(value(pointer)) }
        return inside(box).contains { $0["space"] == nil }
    }

    private func isThere(_ value: TreeValue?) -> Bool {
        switch value {
        case nil, .null?, .bool(false)?, .string("")?: false
        default: true
        }
    }

    private func selected(_ box: TreeValue) -> TreeValue? {
        guard let pointer = box["switch"] else { return box }
        var found: TreeValue?
        switch value(pointer) {
        case .string(let text)?: found = box["cases"]?[text]
        case .bool(let bool)?: found = box["cases"]?["\(bool)"]
        case .number(let number)?:
            found = box["cases"]?.members?.first { Double($0.key) == number.double }?.value
        default: break
        }
        return (found ?? box["default"]).flatMap(selected)
    }

    private func value(_ pointer: TreeValue) -> TreeValue? {
        pointer.text?.split(separator: "/").reduce(data as TreeValue?) { $0?[String($1)] }
    }
}
