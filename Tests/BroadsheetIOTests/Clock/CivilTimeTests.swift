import BroadsheetIO
import Testing

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
