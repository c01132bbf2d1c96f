import BroadsheetIO
import Testing

@Suite("Monotonic instants")
struct MonotonicInstantTests {
    @Test("An instant moves by a duration, both ways")
    func moves() {
        let start = MonotonicInstant(nanoseconds: 5)
        #expect(start.advanced(by: .seconds(2)).nanoseconds == 2_000_000_005)
        #expect(start.advanced(by: .nanoseconds(-7)).nanoseconds == -2)
    }

    @Test("Arithmetic saturates instead of overflowing")
    func saturates() {
        let late = MonotonicInstant(nanoseconds: .max - 1)
        #expect(late.advanced(by: .seconds(1)) == .distantFuture)
        #expect(late.advanced(by: .seconds(Int64.max)) == .distantFuture)
        let early = MonotonicInstant(nanoseconds: .min + 1)
        #expect(early.advanced(by: .seconds(-1)).nanoseconds == .min)
        #expect(early.duration(to: late) == .nanoseconds(Int64.max))
        #expect(late.duration(to: early) == .nanoseconds(Int64.min))
    }

    @Test(
        "Durations become whole nanoseconds, rounded towards zero",
        arguments: [
            (.seconds(1), 1_000_000_000),
            (.milliseconds(-1), -1_000_000),
            (.zero, 0),
            (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
            (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min),
            (.nanoseconds(Int64.max), .max),
        ] as [(Duration, Int64)])
    func wholeNanoseconds(duration: Duration, expected: Int64) {
        #expect(duration.wholeNanoseconds == expected)
    }

    @Test("The system's monotonic clock never goes backwards")
    func systemClock() {
        let readings = (0..<1000).map { _ in TimeSource.system.now }
        #expect(readings == readings.sorted())
    }
}

@Suite("Dates and times of day in UTC")
struct CivilTimeTests {
    @Test("Leap years follow the Gregorian calendar, before 1970 and before 1582 too")
    func leapYears() {
        // 1 March of each year, by the days of the years before it.
        var day: Int64 = -719_468
        for year in 0..<4000 {
            let time = CivilTime(unixSeconds: day * 86_400)
            #expect(time.year == year && time.month == 3 && time.day == 1, "year \(year)")
            let next = year + 1
            let isLeap = next % 4 == 0 && (next % 100 != 0 || next % 400 == 0)
            day += isLeap ? 366 : 365
        }
    }

    @Test("The second before 1970 is the last one of 1969, a Wednesday")
    func negative() {
        let time = CivilTime(unixSeconds: -1)
        #expect(time.year == 1969 && time.month == 12 && time.day == 31 && time.weekday == 3)
        #expect(time.hour == 23 && time.minute == 59 && time.second == 59)
    }
}
