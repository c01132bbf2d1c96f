/// A date and a time of day in UTC (proleptic Gregorian calendar).
package struct CivilTime: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    /// The day of the week, from 0 (Sunday) to 6.
    package let weekday: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// Creates the time that lies `unixSeconds` after 1970-01-01T00:00:00Z, or before it when the
    /// number is negative.
    ///
    /// Every log line and every change of the Date field needs it, so it is arithmetic alone:
    /// `gmtime_r` takes a lock of the process.
    package init(unixSeconds: Int64) {
        let (day, rest) = Self.floorDivision(unixSeconds, 86_400)
        hour = Int(rest / 3600)
        minute = Int(rest / 60 % 60)
        second = Int(rest % 60)
        weekday = Int(Self.floorDivision(day + 4, 7).remainder)
        // Years begin in March here, so that the leap day is the last one. The Gregorian calendar
        // repeats every 400 years, which have 146,097 days; 0000-03-01 is 719,468 days before 1970.
        let (cycle, dayOfCycle) = Self.floorDivision(day + 719_468, 146_097)
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        // Of any five months in a row, beginning with March, the days are 31, 30, 31, 30, 31.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfCycle + 400 * cycle) + (month <= 2 ? 1 : 0)
    }

    /// Returns the quotient, rounded down, and the remainder, which is not negative.
    private static func floorDivision(
        _ number: Int64, _ divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
