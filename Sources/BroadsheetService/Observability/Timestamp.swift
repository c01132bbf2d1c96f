import Broadsheet

/// A moment as RFC 3339 writes it: `2026-01-31T23:59:59.999Z`.
struct Timestamp: Sendable {
    private let unixMilliseconds: Int64

    /// The moment that many milliseconds after 1970 began in UTC.
    init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

    /// Writes the 24 characters.
    func write(into line: inout JSONWriter) {
        let seconds = unixMilliseconds.flooredQuotient(by: 1000)
        let days = seconds.flooredQuotient(by: 86_400)
        let time = seconds - days * 86_400
        let date = Self.date(ofDay: days)
        line.digits(date.year, 4)
        line.raw("-")
        line.digits(date.month, 2)
        line.raw("-")
        line.digits(date.day, 2)
        line.raw("T")
        line.digits(time / 3600, 2)
        line.raw(":")
        line.digits(time / 60 % 60, 2)
        line.raw(":")
        line.digits(time % 60, 2)
        line.raw(".")
        line.digits(unixMilliseconds - seconds * 1000, 3)
        line.raw("Z")
    }

    /// The civil date `day` days after 1970-01-01, by Hinnant's "chrono-compatible low-level date
    /// algorithms": years begin in March, so that the leap day is the last one.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (
            yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

extension Int64 {
    /// The quotient rounded down, also below zero.
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

extension JSONWriter {
    /// Writes the last `count` decimal digits of a number that is not negative.
    fileprivate mutating func digits(_ number: Int64, _ count: Int) {
        var power: Int64 = 1
        for _ in 1..<count { power *= 10 }
        while power > 0 {
            raw(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
            power /= 10
        }
    }
}
