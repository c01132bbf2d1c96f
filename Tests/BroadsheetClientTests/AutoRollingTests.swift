import BroadsheetClient
import Testing

@Suite("P11, P12: Automatic turns, page events, and the next-page rule")
struct AutoRollingTests {
    private func automatic(every seconds: Double = 5) -> PagingOptions {
        var options = PagingOptions()
        options.isAutoRolling = true
        options.autoRollingTimeInterval = seconds
        return options
    }

    @Test(
        "P11: The first turn after a reload is due after 3 seconds, later ones after the interval")
    func intervals() {
        let rolling = AutoRolling(automatic())
        #expect(rolling.action(on: .reloaded) == .schedule(seconds: 3))
        #expect(rolling.action(on: .timerFired) == .stepAndSchedule(pages: 1, seconds: 5))
    }

    @Test("P11: A drag stops the timer, and the timer restarts when the carousel is at rest")
    func dragging() {
        let rolling = AutoRolling(automatic())
        #expect(rolling.action(on: .dragBegan) == .cancel)
        #expect(rolling.action(on: .cameToRest) == .schedule(seconds: 5))
    }

    @Test(
        "P11: No page turns automatically unless the configuration requests it",
        arguments: [AutoRolling.Event.reloaded, .timerFired, .dragBegan, .cameToRest])
    func off(_ event: AutoRolling.Event) {
        #expect(AutoRolling(PagingOptions()).action(on: event) == .wait)
        var disabled = automatic()
        disabled.isEnabled = false
        #expect(AutoRolling(disabled).action(on: event) == .wait)
    }

    @Test(
        "P11: An invalid interval counts as 3 seconds",
        arguments: [0, -1, .nan, .infinity, 600.5, 3600, 2_147_484] as [Double])
    func invalidIntervals(_ seconds: Double) {
        #expect(AutoRolling(automatic(every: seconds)).interval == 3)
        #expect(PagingOptions.maxAutoRollingTimeInterval == 600)
        #expect(AutoRolling(automatic(every: 600)).interval == 600)
    }

    @Test("P11: Pages appear and disappear as the carousel moves")
    func pageEvents() {
        var events = PageEvents()
        #expect(events.dragBegan() == [.willDisappear(0)])
        #expect(events.scrolled(to: 0).isEmpty)
        #expect(events.scrolled(to: 1) == [.didDisappear(0), .willAppear(1)])
        #expect(events.scrolled(to: 1).isEmpty)
        #expect(events.cameToRest() == [.didAppear(1)])
        #expect(events.current == 1)
    }

    @Test(
        "P12: The next page is due strictly less than three viewports before the end",
        arguments: [
            (0, 5000, false), (3000, 5000, false), (3000.5, 5000, true), (0, 1999, true),
            (0, 2001, false), (1, 2001, false), (1.5, 2001, true), (.nan, 5000, false),
        ] as [(Double, Double, Bool)])
    func nextPage(_ row: (offset: Double, contentLength: Double, isDue: Bool)) {
        func isDue(hasNext: Bool, isLoading: Bool, hasSections: Bool) -> Bool {
            NextPageRule.isNextPageDue(
                hasNext: hasNext, isLoading: isLoading, hasSections: hasSections,
                offset: row.offset, contentLength: row.contentLength,
                viewportLength: 2000.0 / 3)
        }
        #expect(isDue(hasNext: true, isLoading: false, hasSections: true) == row.isDue)
        #expect(!isDue(hasNext: false, isLoading: false, hasSections: true))
        #expect(!isDue(hasNext: true, isLoading: true, hasSections: true))
        #expect(isDue(hasNext: true, isLoading: false, hasSections: false))
    }

    @Test(
        "P12: A page on one side of a window does not make the page on the other side due",
        arguments: [0.5, 2, 6, 10])
    func windows(viewports: Double) throws {
        let (viewport, length) = (800.0, viewports * 800)
        let text =
            #"{"origin":0,"firstSection":0,"before":\#(Int(length)),"after":\#(Int(length))}"#
        let window = try #require(TreeWindow(try TreeValue(json: text.utf8)))
        func isPreviousDue(_ offset: Double) -> Bool {
            NextPageRule.isPreviousPageDue(
                hasPrevious: true, isLoading: false, offset: offset, viewportLength: viewport,
                window: window)
        }
        func isNextDue(_ offset: Double) -> Bool {
            NextPageRule.isNextPageDue(
                hasNext: true, isLoading: false, hasSections: true, offset: offset,
                contentLength: 2 * length, viewportLength: viewport, window: window)
        }
        // The page before the window moves it by `length`, and with it the offset.
        for offset in stride(from: 0, to: length, by: length / 64) where isPreviousDue(offset) {
            #expect(!isNextDue(offset + length))
        }
        for offset in stride(from: length, through: 2 * length, by: length / 64)
        where isNextDue(offset) {
            #expect(!isPreviousDue(offset - length))
        }
        let distance = min(3 * viewport, length / 2)
        #expect(isPreviousDue(distance - 1) && !isPreviousDue(distance))
        #expect(isNextDue(2 * length - distance + 1) && !isNextDue(2 * length - distance))
    }
}
