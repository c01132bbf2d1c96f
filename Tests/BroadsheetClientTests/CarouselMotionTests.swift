import BroadsheetClient
import TestSupport
import Testing

@Suite("P8-P10: Movements of a carousel")
struct CarouselMotionTests {
    @Test(
        "P8: A released drag goes to the next page, the previous, or the nearest",
        arguments: [
            (500, 0, 620), (460, 0, 310), (465, 0, 620), (320, 0.1, 620), (300, -0.1, 0),
            (620, 0.001, 930), (1200, 1, 1240), (100, -5, 0), (-40, 0, 0), (1300, 0, 1240),
        ] as [(Double, Double, Double)])
    func release(_ row: (offset: Double, velocity: Double, target: Double)) {
        #expect(pager().targetOffset(releasedAt: row.offset, velocity: row.velocity) == row.target)
    }

    @Test("P8: The velocity counts for 60 milliseconds")
    func projection() {
        // (100 + 60 * 4) / 310 = 1.097, upwards 2; (500 - 60 * 4) / 310 = 0.84, downwards 0.
        #expect(pager().targetOffset(releasedAt: 100, velocity: 4) == 620)
        #expect(pager().targetOffset(releasedAt: 500, velocity: -4) == 0)
    }

    @Test(
        "P8: Without centring, pages count from the section inset, and rest from the least offset")
    func uncentered() {
        let plain = pager(isCentered: false, contentInset: AxisEnds(leading: 8, trailing: 12))
        // (8 - 37.5 + 500) / 310 = 1.52, so page 2 at -8 + 620.
        #expect(plain.targetOffset(releasedAt: 500, velocity: 0) == 612)
        #expect(plain.targetOffset(releasedAt: 0, velocity: 0) == -8)
        #expect(plain.targetOffset(releasedAt: 1250, velocity: 0) == 1252)
    }

    @Test("P8: Past the last whole page it rests there, or from half of the remainder at the end")
    func fractionalLastPage() {
        // lastPage = (340 + 10) / 100 - 1 = 2.5; the remainder turns at 2.25.
        let carousel = Carousel(
            options: PagingOptions(), pageCount: 3, viewportLength: 100, contentLength: 340,
            itemLength: 90, lineSpacing: 10)
        #expect(isClose(carousel.lastPage, 2.5))
        #expect(carousel.targetOffset(releasedAt: 220, velocity: 0) == 200)
        #expect(carousel.targetOffset(releasedAt: 230, velocity: 0) == 240)
        #expect(carousel.targetOffset(releasedAt: 200, velocity: 0) == 200)
        #expect(carousel.targetOffset(releasedAt: 210, velocity: 0.1) == 240)
    }

    @Test(
        "P8: A release ends within the ends, whatever the velocity",
        arguments: [0.0, 0.5, 4, 50, 1e300, -0.5, -4, -50, -1e300])
    func withinEnds(velocity: Double) {
        // Ten pages of 100, 10 apart, in 390 points: the greatest offset is 700, page 7 at 770.
        let plain = Carousel(
            options: PagingOptions(), pageCount: 10, viewportLength: 390, contentLength: 1090,
            itemLength: 100, lineSpacing: 10)
        // The first page is centred at 55, the last one at 495.
        let centered = Carousel(
            options: PagingOptions(isAlignCenter: true), pageCount: 5, viewportLength: 390,
            contentLength: 940, sectionInset: AxisEnds(leading: 200, trailing: 200),
            itemLength: 100, lineSpacing: 10)
        // One page that would be centred before the least offset.
        let single = Carousel(
            options: PagingOptions(isAlignCenter: true), pageCount: 1, viewportLength: 390,
            contentLength: 300, itemLength: 300, lineSpacing: 10)
        let expected: [(Carousel, ClosedRange<Double>)] = [
            (plain, 0...700), (centered, 55...495), (single, 0...0),
        ]
        for (carousel, ends) in expected {
            #expect(carousel.initialOffset == ends.lowerBound)
            for offset in stride(from: -200.0, through: 1200, by: 25) {
                let target = carousel.targetOffset(releasedAt: offset, velocity: velocity)
                #expect(ends.contains(target), "from \(offset)")
            }
        }
        #expect(plain.targetOffset(releasedAt: 690, velocity: 0.5) == 700)
        #expect(centered.targetOffset(releasedAt: 60, velocity: -1) == 55)
    }

    @Test("P8: Without a page length, the offset is only clamped to the ends")
    func noPageLength() {
        let carousel = Carousel(
            options: PagingOptions(), pageCount: 3, viewportLength: 100, contentLength: 340,
            itemLength: 5, lineSpacing: -5)
        #expect(carousel.targetOffset(releasedAt: 100, velocity: 1) == 160)
        #expect(carousel.targetOffset(releasedAt: 100, velocity: 50) == 240)
        #expect(carousel.targetOffset(releasedAt: 100, velocity: -50) == 0)
    }

    @Test(
        "P9: Steps go from page to page, and stop at the ends",
        arguments: [
            (0, 1, 310), (310, 2, 930), (620, -1, 310), (930, 5, 1240), (620, -7, 0), (0, 0, nil),
            (1240, 1, nil), (0, -1, nil), (1000, 1, 1240),
        ] as [(Double, Int, Double?)])
    func step(_ row: (offset: Double, pages: Int, target: Double?)) {
        #expect(pager().targetOffset(steppingBy: row.pages, from: row.offset) == row.target)
    }

    @Test("P9: A step begins at the nearer centred page, or at the offset without centring")
    func unaligned() {
        #expect(pager().targetOffset(steppingBy: 1, from: 100) == 310)
        #expect(pager().targetOffset(steppingBy: 1, from: 200) == 620)
        #expect(pager(isCentered: false).targetOffset(steppingBy: 1, from: 100) == 410)
    }

    @Test("P9: A target less than half a page from an end is the end")
    func snapsToEnds() {
        // 900 + 310 = 1210, and 155 further is past 1240; 180 - 310 is before 0.
        let plain = pager(isCentered: false)
        #expect(plain.targetOffset(steppingBy: 1, from: 900) == 1240)
        #expect(plain.targetOffset(steppingBy: 1, from: 700) == 1010)
        #expect(plain.targetOffset(steppingBy: -1, from: 400) == 0)
        #expect(plain.targetOffset(steppingBy: -1, from: 500) == 190)
    }

    @Test("P9: A looping carousel continues at the other end")
    func looping() {
        let looping = pager(isLooping: true)
        #expect(looping.targetOffset(steppingBy: 1, from: 1240) == 0)
        #expect(looping.targetOffset(steppingBy: -2, from: 0) == 1240)
        #expect(looping.targetOffset(steppingBy: 1, from: 930) == 1240)
    }

    @Test("P9: Requests during an animation add up to one step after it")
    func pendingSteps() {
        var steps = PendingSteps()
        #expect(steps.request(1) == 1)
        #expect(steps.request(1) == 0)
        #expect(steps.request(2) == 0)
        #expect(steps.request(-1) == 0)
        #expect(steps.animationEnded() == 2)
        #expect(steps.isAnimating)
        #expect(steps.animationEnded() == 0)
        #expect(!steps.isAnimating)
        #expect(steps.request(0) == 0 && !steps.isAnimating)
    }

    @Test(
        "P10: An infinite carousel at rest moves into the middle copy",
        arguments: [
            (310, 1240), (0, 930), (-20, 930), (929, 1859), (930, nil), (1859, nil), (1860, 930),
            (2480, 1550),
        ] as [(Double, Double?)])
    func remap(_ row: (offset: Double, target: Double?)) {
        // Three copies of 930; q = offset, since inset and slack are both 37.5.
        #expect(pager(pages: 3, copies: 3).remappedOffset(row.offset) == row.target)
    }

    @Test("P10: Without centring, offsets at the start move by one copy")
    func uncenteredRemap() {
        let plain = pager(pages: 3, copies: 3, isCentered: false)
        #expect(plain.remappedOffset(0) == 930)
        #expect(plain.remappedOffset(-5) == 925)
        // q = offset - 37.5
        #expect(plain.remappedOffset(967) == 1897)
        #expect(plain.remappedOffset(967.5) == nil)
    }

    @Test(
        "P9, P10: A repeated carousel never ends, page by page, and after any release",
        arguments: [
            (2, 300, 768, 0, 5), (2, 374, 768, 0, 3), (2, 374, 768, 5, 3), (3, 115, 375, 0, 3),
            (2, 14, 768, 16, 33), (9, 100, 390, 37.5, 3), (2, 200, 410, 0, 3),
        ] as [(Int, Double, Double, Double, Int)])
    func neverEnds(pages: Int, length: Double, viewport: Double, inset: Double, copies: Int) {
        for (isCentered, step) in [(false, 1), (false, -1), (true, 1), (true, -1)] {
            let frames = Double(pages * copies)
            let carousel = Carousel(
                options: PagingOptions(isAlignCenter: isCentered, isInfinitePage: true),
                pageCount: pages, copies: copies, viewportLength: viewport,
                contentLength: 2 * inset + frames * length + (frames - 1) * 10,
                sectionInset: AxisEnds(leading: inset, trailing: inset), itemLength: length,
                lineSpacing: 10)
            func rest(_ offset: Double) -> Double { carousel.remappedOffset(offset) ?? offset }
            var offset = rest(carousel.initialOffset)
            for turn in 0..<4 * pages {
                let target = carousel.targetOffset(steppingBy: step, from: offset) ?? .nan
                // The first step of a centred carousel begins at the nearest page.
                if turn > 0 || !isCentered {
                    #expect(isClose(target - offset, Double(step) * (length + 10)), "\(turn)")
                }
                #expect((carousel.minOffset...carousel.maxOffset).contains(target))
                offset = rest(target)
            }
            for velocity in [-50.0, -1, 1, 50] {
                let end = rest(carousel.targetOffset(releasedAt: offset, velocity: velocity))
                #expect(carousel.targetOffset(steppingBy: step, from: end) != nil)
            }
        }
    }

    @Test("P10: Items that are not repeated are never remapped")
    func untripled() {
        #expect(pager(pages: 1).remappedOffset(0) == nil)
        #expect(pager(pages: 5).remappedOffset(310) == nil)
    }

    @Test("P: Every result is finite, whatever the lengths", arguments: 0..<200)
    func hostileLengths(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let strange: [Double] = [
            .nan, .infinity, -.infinity, 1e308, -1e308, Double.leastNonzeroMagnitude, 0, -1, 1, 310,
        ]
        func any() -> Double { strange[Int.random(in: 0..<strange.count, using: &random)] }
        var options = PagingOptions()
        options.isAlignCenter = Bool.random(using: &random)
        options.isLooping = Bool.random(using: &random)
        let carousel = Carousel(
            options: options,
            pageCount: [Int.min, 0, 3, Int.max][Int.random(in: 0..<4, using: &random)],
            copies: [Int.min, 1, 3, 33, Int.max][Int.random(in: 0..<5, using: &random)],
            viewportLength: any(),
            contentLength: any(), contentInset: AxisEnds(leading: any(), trailing: any()),
            sectionInset: AxisEnds(leading: any(), trailing: any()), itemLength: any(),
            lineSpacing: any())
        let results: [Double?] = [
            carousel.lastPage, carousel.initialOffset, carousel.finalOffset,
            carousel.targetOffset(releasedAt: any(), velocity: any()),
            carousel.targetOffset(steppingBy: Int.max, from: any()),
            carousel.targetOffset(steppingBy: Int.min, from: any()), carousel.remappedOffset(any()),
            Double(carousel.pageIndex(at: any())), carousel.physicalOffset(any()),
        ]
        #expect(results.allSatisfy { $0?.isFinite ?? true }, "seed \(seed)")
    }
}
