import Testing

@testable import Broadsheet

@Suite("P11, P12: pages that turn by themselves, and the next page's loading")
struct CarouselClockTests {
    private func rolling(every seconds: Double = 5) -> PagingOptions {
        var options = PagingOptions()
        options.isAutoRolling = true
        options.autoRollingTimeInterval = seconds
        return options
    }

    @Test("P11: the first turn after a reload takes 3 seconds, each other one the interval")
    func intervals() {
        let clock = AutoRolling(rolling())
        #expect(clock.action(on: .reloaded) == .schedule(seconds: 3))
        #expect(clock.action(on: .timerFired) == .stepAndSchedule(pages: 1, seconds: 5))
    }

    @Test("P11: dragging stops the clock, coming to rest starts it again")
    func dragging() {
        let clock = AutoRolling(rolling())
        #expect(clock.action(on: .dragBegan) == .cancel)
        #expect(clock.action(on: .cameToRest) == .schedule(seconds: 5))
    }

    @Test(
        "P11: nothing turns by itself unless it is asked to",
        arguments: [AutoRolling.Event.reloaded, .timerFired, .dragBegan, .cameToRest])
    func off(_ event: AutoRolling.Event) {
        #expect(AutoRolling(PagingOptions()).action(on: event) == .wait)
        var disabled = rolling()
        disabled.isEnabled = false
        #expect(AutoRolling(disabled).action(on: event) == .wait)
    }

    @Test(
        "P11: an interval that is none is the default of 3 seconds",
        arguments: [0, -1, .nan, .infinity] as [Double])
    func strangeIntervals(_ seconds: Double) {
        #expect(AutoRolling(rolling(every: seconds)).interval == 3)
    }

    @Test("P11: pages are told when they come and go")
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
        "P12: the next page is asked for less than three viewports before the end, strictly",
        arguments: [
            (0, 5000, false), (3000, 5000, false), (3000.5, 5000, true), (0, 1999, true),
            (0, 2001, false), (1, 2001, false), (1.5, 2001, true), (.nan, 5000, false),
        ] as [(Double, Double, Bool)])
    func nextPage(_ row: (offset: Double, contentLength: Double, asks: Bool)) {
        func asks(hasNext: Bool, isLoading: Bool, hasSections: Bool) -> Bool {
            NextPageRule.asksForNextPage(
                hasNext: hasNext, isLoading: isLoading, hasSections: hasSections,
                offset: row.offset, contentLength: row.contentLength,
                viewportLength: 2000.0 / 3)
        }
        #expect(asks(hasNext: true, isLoading: false, hasSections: true) == row.asks)
        #expect(!asks(hasNext: false, isLoading: false, hasSections: true))
        #expect(!asks(hasNext: true, isLoading: true, hasSections: true))
        #expect(asks(hasNext: true, isLoading: false, hasSections: false))
    }
}
