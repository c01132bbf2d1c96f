import BroadsheetClient
import Foundation
import TestSupport
import Testing

// The Swift that docs/client.md and docs/changes.md show. Each region between `// [name]` and
// `// [/name]` is a fence of a document, word for word (`SwiftFenceTests`).

@Suite("The Swift of docs/client.md", .timeLimit(.minutes(hangMinutes)))
struct ClientExamples {
    /// A carousel of five pages of 300 points, centred in a viewport of 375.
    private func makeCarousel() -> Carousel {
        // [carousel]
        var options = PagingOptions()
        options.isAlignCenter = true
        options.isLooping = true
        let carousel = Carousel(
            options: options, pageCount: 5, viewportLength: 375, contentLength: 1615,
            sectionInset: AxisEnds(leading: 37.5, trailing: 37.5), itemLength: 300, lineSpacing: 10)
        print(carousel.pageLength, carousel.initialOffset, carousel.finalOffset)  // 310 0 1240
        // [/carousel]
        return carousel
    }

    @Test("A carousel is created from the numbers of the tree")
    func carousel() {
        let carousel = makeCarousel()
        #expect(carousel.pageLength == 310)
        #expect(carousel.initialOffset == 0)
        #expect(carousel.finalOffset == 1240)
    }

    @Test("A carousel of cards has the copies that its scroller's content has not")
    func cards() {
        // [cards]
        var options = PagingOptions()
        options.isInfinitePage = true
        let cards = Carousel(
            options: options, pageCount: 3, copies: 3, viewportLength: 375,
            contentLength: 995 + 2 * 3 * 310, sectionInset: AxisEnds(leading: 37.5, trailing: 37.5),
            itemLength: 300, lineSpacing: 10)
        let middle = cards.remappedOffset(310)  // 1240: the second card of the middle copy
        let fromLeft = cards.physicalOffset(930)  // 1550: if read from right to left
        // [/cards]
        #expect(middle == 1240)
        #expect(fromLeft == 1550)
    }

    @Test("A drag ends at a page")
    func release() {
        let carousel = makeCarousel()
        // [release]
        let target = carousel.targetOffset(releasedAt: 500, velocity: 0)  // 620
        let page = carousel.pageIndex(at: target)  // 2
        // [/release]
        #expect(target == 620)
        #expect(page == 2)
    }

    @Test("A window has its place in the tree of all pages, and pages before it")
    func window() throws {
        let text = #"""
            {"revision":7,"hasNext":true,"hasPrevious":true,"previousPageToken":"x",
             "window":{"section":"Inbox","item":"m500","origin":52000.333,"firstSection":3,
              "before":1688,"after":1688},
             "sections":[{"id":"Inbox","index":0,"firstItem":480,"itemCount":1000,"items":[]}]}
            """#
        let tree = try JSONDecoder().decode(Tree.self, from: Data(text.utf8))
        // [window]
        let isPreviousDue = NextPageRule.isPreviousPageDue(  // true: 800 < (1688 + 1688) / 4
            hasPrevious: tree.hasPrevious, isLoading: false, offset: 800, viewportLength: 844,
            window: tree.window)
        let offsetInScreen = (tree.window?.origin ?? 0) + 120  // 52120.333
        let indexInScreen = tree.sections[0].firstItem.map { $0 + 2 }  // 482
        // [/window]
        #expect(isPreviousDue)
        #expect(offsetInScreen == 52120.333)
        #expect(indexInScreen == 482)
        #expect(tree.previousPageToken == "x" && tree.sections[0].itemCount == 1000)
        #expect(tree.window?.item == "m500" && tree.window?.section == "Inbox")
        #expect(tree.window?.firstSection == 3)
        #expect(tree.window?.before == 1688 && tree.window?.after == 1688)
        let isDue = { (hasPrevious: Bool, isLoading: Bool, offset: Double) in
            NextPageRule.isPreviousPageDue(
                hasPrevious: hasPrevious, isLoading: isLoading, offset: offset,
                viewportLength: 844)
        }
        #expect(isDue(true, false, 2531) && !isDue(true, false, 2532))
        #expect(!isDue(true, true, 0) && !isDue(false, false, 0))
        let plain = Tree(members: [:], sections: [TreeSection(members: [:], items: [])])
        #expect(plain.window == nil && !plain.hasPrevious && plain.previousPageToken == nil)
        #expect(plain.sections[0].firstItem == nil && plain.sections[0].itemCount == nil)
        #expect(TreeWindow(.object(["origin": .number(1)])) == nil)
    }

    @Test("Steps add up while one is animated, and loop at the end")
    func steps() {
        let carousel = makeCarousel()
        // [stepping]
        var steps = PendingSteps()
        let pages = steps.request(1)  // 1: animate it now
        let waiting = steps.request(1)  // 0: the first step is being animated
        let target = carousel.targetOffset(steppingBy: pages, from: 0)  // 310
        let next = steps.animationEnded()  // 1: animate the second step
        let looped = carousel.targetOffset(steppingBy: 1, from: carousel.finalOffset)  // 0
        // [/stepping]
        #expect(pages == 1)
        #expect(waiting == 0)
        #expect(target == 310)
        #expect(next == 1)
        #expect(looped == 0)
    }

    @Test("An infinite carousel at rest moves into its middle copy")
    func infinite() {
        // [infinite]
        let carousel = Carousel(
            options: PagingOptions(), pageCount: 3, copies: 3, viewportLength: 300,
            contentLength: 2780, itemLength: 300, lineSpacing: 10)
        let moved = carousel.remappedOffset(310)  // 1240: the same page, one copy further
        let stays = carousel.remappedOffset(1240)  // nil
        let item = carousel.itemIndex(ofFrame: 4)  // 1
        // [/infinite]
        #expect(moved == 1240)
        #expect(stays == nil)
        #expect(item == 1)
    }

    @Test("A carousel turns its pages automatically")
    func automatic() {
        // [automatic]
        var options = PagingOptions()
        options.isAutoRolling = true
        options.autoRollingTimeInterval = 5
        let rolling = AutoRolling(options)
        let first = rolling.action(on: .reloaded)  // .schedule(seconds: 3)
        let turn = rolling.action(on: .timerFired)  // .stepAndSchedule(pages: 1, seconds: 5)
        let drag = rolling.action(on: .dragBegan)  // .cancel
        // [/automatic]
        #expect(first == .schedule(seconds: 3))
        #expect(turn == .stepAndSchedule(pages: 1, seconds: 5))
        #expect(drag == .cancel)
    }

    @Test("Pages appear and disappear")
    func pageEvents() {
        // [page-events]
        var events = PageEvents(current: 0)
        let started = events.dragBegan()  // [.willDisappear(0)]
        let moved = events.scrolled(to: 1)  // [.didDisappear(0), .willAppear(1)]
        let rested = events.cameToRest()  // [.didAppear(1)]
        // [/page-events]
        #expect(started == [.willDisappear(0)])
        #expect(moved == [.didDisappear(0), .willAppear(1)])
        #expect(rested == [.didAppear(1)])
    }

    @Test("The next page is due less than three viewports before the end")
    func nextPage() {
        // [next-page]
        let isDue = NextPageRule.isNextPageDue(
            hasNext: true, isLoading: false, hasSections: true, offset: 2000, contentLength: 4059.5,
            viewportLength: 844)  // true: 2000 > 4059.5 - 3 * 844
        // [/next-page]
        #expect(isDue)
    }

    @Test("Changes are decoded and applied")
    func changes() throws {
        let item = #"{"id":"1","type":"T","frame":{"x":0,"y":0,"width":1,"height":1}}"#
        var tree = try JSONDecoder().decode(
            Tree.self,
            from: Data(#"{"page":0,"sections":[{"id":"S","items":[\#(item),\#(item)]}]}"#.utf8))
        let document = Data(
            #"""
            {"from": {"page": 0}, "to": {"page": 0}, "reset": false, "tree": {"page": 0},
             "stages": [{"insertItems": [{"section": 0, "item": 1, "value": \#(item)}]}],
             "sections": [], "frames": [{"section": 0, "item": 2, "frames": [[0, 1, 1, 1]]}]}
            """#.utf8)
        // [changes]
        let changes = try JSONDecoder().decode(Changes.self, from: document)
        try changes.apply(to: &tree)
        print(tree.sections[0].items.count)  // 3
        // [/changes]
        #expect(tree.sections[0].items.count == 3)
        #expect(tree.sections[0].items[2].frame.y == 1)
        #expect(tree.members["page"] == .number(0))
    }

    private struct Ware: Decodable {
        var number: UInt64
    }

    /// A transport whose streams end the screen.
    private struct FakeTransport: ClientTransport {
        let tree: String

        func send(_ request: ClientRequest) async throws -> ClientResponse {
            let isStream = request.target.contains("/stream")
            return ClientResponse(
                status: 200, bytes: Array((isStream ? "event: removed\ndata: {}\n\n" : tree).utf8))
        }
    }

    @Test("A tree is read, followed and laid out")
    func trees() async throws {
        let members =
            #""revision": 7, "contentSize": {"width": 402, "height": 60}, "sections": [{"frame": "#
            + #"{"x": 0, "y": 10, "width": 402, "height": 50}, "items": [{"id": "a", "type": "#
            + #""T", "frame": {"x": 0, "y": 0, "width": 402, "height": 50}, "data": "#
            + #"{"number": 18446744073709551615}}]}]"#
        let window =
            #""window": {"section": "S", "item": "m85", "origin": 0, "firstSection": 0, "#
            + #""before": 0, "after": 0}"#
        let response = Array("{\(members)}".utf8)
        // [tree]
        let tree = try Tree(json: response)
        for item in tree.sections[0].items {
            let ware = try item.decode(Ware.self)
            print(item.id, item.type, ware.number, item.frame.y)
        }
        // [/tree]
        #expect(try tree.sections[0].items[0].decode(Ware.self).number == .max)
        // [tree-layout]
        let layout = TreeLayout(tree)
        let visible = layout.elements(in: TreeFrame(x: 0, y: 0, width: 402, height: 874))
        let first = layout.item(at: .init(section: 0, item: 0))
        // [/tree-layout]
        #expect(visible == [first].compactMap(\.self) && first?.frame.y == 10)
        do {
            let transport = FakeTransport(tree: "{\(members), \(window)}")
            let offset = 900.0
            // [follow-window]
            var query = ScreenQuery(width: 402, height: 874)
            query.window = .init(around: .item("m85"), before: 5244, after: 5244)
            let client = ScreenClient("chat", query: query, transport: transport)
            for try await update in client.updates {
                print(update.tree.sections.flatMap { $0.items.map(\.id) })
                let isPreviousDue = NextPageRule.isPreviousPageDue(
                    hasPrevious: update.tree.hasPrevious, isLoading: false, offset: offset,
                    viewportLength: 874, window: update.tree.window)
                if isPreviousDue { try await client.loadPreviousPage() }
            }
            // [/follow-window]
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
        do {
            let transport = FakeTransport(tree: "{\(members)}")
            // [follow]
            let client = ScreenClient("home", query: ScreenQuery(width: 402), transport: transport)
            for try await update in client.updates {
                print(
                    update.tree.revision ?? 0,
                    update.changes == nil ? "show all" : "show the changes")
            }
            // [/follow]
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
    }
}
