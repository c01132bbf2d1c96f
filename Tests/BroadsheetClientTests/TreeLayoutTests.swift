import BroadsheetClient
import TestSupport
import Testing

@Suite("The layout of a tree (docs/layout.md, V)")
struct TreeLayoutTests {
    private func section(_ members: String, _ items: [String]) -> String {
        #"{"id":"A","index":0,\#(members),"collapsed":false,"items":[\#(items.joined(separator: ","))]}"#
    }

    private func item(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        #"{"id":"i","type":"T","frame":\#(frame(x, y, width, height))}"#
    }

    private func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        #"{"x":\#(x),"y":\#(y),"width":\#(width),"height":\#(height)}"#
    }

    private func layout(
        _ sections: [String], size: (Double, Double) = (100, 1000)
    ) throws -> TreeLayout {
        let text =
            #"{"contentSize":{"width":\#(size.0),"height":\#(size.1)},"#
            + #""sections":[\#(sections.joined(separator: ","))]}"#
        return TreeLayout(try Tree(json: text.utf8))
    }

    @Test("Elements have content coordinates, z-indexes and the order of V3")
    func elements() throws {
        let layout = try layout([
            section(
                #""frame":\#(frame(0, 50, 100, 60)),"header":{"type":"H","frame":\#(frame(0, 0, 100, 10))},"#
                    + #""footer":{"type":"F","frame":\#(frame(0, 50, 100, 10)),"zIndex":12},"#
                    + #""decorations":[{"kind":"d","frame":\#(frame(0, 0, 100, 60))}]"#,
                [item(0, 10, 50, 40), item(50, 10, 50, 40)])
        ])
        #expect(layout.contentSize == (100, 1000))
        let all = layout.elements(in: TreeFrame(x: 0, y: 0, width: 100, height: .infinity))
        #expect(all.map(\.kind) == [.decoration, .header, .item, .item, .footer])
        #expect(all.map(\.zIndex) == [-1, 1, 0, 0, 12])
        #expect(all.map(\.frame.y) == [50, 50, 60, 60, 100])
        // V1 and V2: touching edges do not count, negative lengths are flipped, NaN finds nothing.
        #expect(layout.elements(in: TreeFrame(x: 0, y: 0, width: 100, height: 50)).isEmpty)
        let flipped = layout.elements(in: TreeFrame(x: 40, y: 61, width: -40, height: -1))
        #expect(flipped.map(\.kind) == [.decoration, .item])
        #expect(layout.elements(in: TreeFrame(x: .nan, y: 0, width: 1, height: 1)).isEmpty)
        #expect(layout.item(at: .init(section: 0, item: 1))?.frame.x == 50)
        #expect(layout.item(at: .init(section: 0, item: 2)) == nil && layout.header(of: 1) == nil)
        #expect(layout.footer(of: 0)?.kind == .footer && layout.itemCount(in: 0) == 2)
        #expect(layout.itemCount(in: -1) == 0)
    }

    @Test("P1: A tree has 1 to 33 copies", arguments: [(1, 2), (5, 10), (33, 66), (34, 2)])
    func copyCounts(copies: Int, count: Int) throws {
        let paging = #""paging":{"copies":\#(copies),"pageLength":60}"#
        let layout = try layout([
            section(
                #""frame":\#(frame(0, 0, 9, 50)),\#(paging)"#,
                [item(0, 0, 50, 50), item(60, 0, 50, 50)])
        ])
        #expect(layout.itemCount(in: 0) == count)
    }

    @Test("P10: the items of a carousel with copies count that often, each copy further")
    func copies() throws {
        let paging = #""paging":{"copies":3,"pageLength":60}"#
        let forwards = try layout(
            [
                section(
                    #""frame":\#(frame(0, 0, 360, 50)),\#(paging)"#,
                    [item(0, 0, 50, 50), item(60, 0, 50, 50)])
            ],
            size: (360, 50))
        #expect(forwards.itemCount(in: 0) == 6)
        #expect(
            (0..<6).map { forwards.item(at: .init(section: 0, item: $0))?.frame.x } == [
                0, 60, 120, 180, 240, 300,
            ])
        let backwards = try layout(
            [
                section(
                    #""frame":\#(frame(0, 0, 360, 50)),\#(paging)"#,
                    [item(310, 0, 50, 50), item(250, 0, 50, 50)])
            ],
            size: (360, 50))
        #expect(
            (0..<6).map { backwards.item(at: .init(section: 0, item: $0))?.frame.x } == [
                310, 250, 190, 130, 70, 10,
            ])
    }

    @Test("A section that scrolls by itself is one scroller behind its header")
    func scroller() throws {
        let layout = try layout([
            section(
                #""frame":\#(frame(0, 20, 100, 90)),"header":{"type":"H","frame":\#(frame(0, 0, 100, 10))},"#
                    + #""scroll":{"axis":"horizontal","contentSize":{"width":400,"height":80}}"#,
                [item(0, 10, 90, 80), item(100, 10, 90, 80)])
        ])
        #expect(layout.itemCount(in: 0) == 1)
        let scroller = layout.item(at: .init(section: 0, item: 0))
        #expect(scroller?.kind == .scroller)
        #expect(scroller?.frame == TreeFrame(x: 0, y: 30, width: 100, height: 80))
    }

    @Test(
        "V5: the result is that of a scan, whatever the order of the items",
        arguments: [true, false])
    func scan(isOrdered: Bool) throws {
        var random = SeededGenerator(seed: SeededGenerator.seed(of: "TreeLayoutTests.scan"))
        var sections: [String] = []
        for index in 0..<20 {
            var items = (0..<30).map { (index: Int) in
                (x: Double(index % 3) * 33, y: Double(index / 3) * 10)
            }
            if !isOrdered { items.shuffle(using: &random) }
            sections.append(
                section(
                    #""frame":\#(frame(0, Double(index) * 100, 100, 100))"#,
                    items.map { item($0.x, $0.y, 33, 10) }))
        }
        let layout = try layout(sections, size: (100, 2000))
        let all = layout.elements(
            in: TreeFrame(x: -1e9, y: -1e9, width: 2e9, height: 2e9))
        #expect(all.count == 600)
        for _ in 0..<200 {
            let rectangle = TreeFrame(
                x: .random(in: -50...120, using: &random),
                y: .random(in: -50...2100, using: &random),
                width: .random(in: 0...60, using: &random),
                height: .random(in: 0...300, using: &random))
            let expected = all.filter { element in
                let frame = element.frame
                return frame.x < rectangle.x + rectangle.width
                    && rectangle.x < frame.x + frame.width
                    && frame.y < rectangle.y + rectangle.height
                    && rectangle.y < frame.y + frame.height
                    && rectangle.width > 0 && rectangle.height > 0
            }
            #expect(layout.elements(in: rectangle) == expected)
        }
    }
}
