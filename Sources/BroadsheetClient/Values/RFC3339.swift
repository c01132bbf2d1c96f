/// Times as texts, `2026-01-31T23:59:59Z` (RFC 3339 §5.6), by arithmetic alone.
package enum RFC3339 {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// The first millisecond of the year 0, and that after the year 9999.
    private static let range: Range<Double> = -62_167_219_200_000..<253_402_300_800_000

    /// Returns the text of a time in UTC, with milliseconds unless they are zero; `nil` for one
    /// outside of the years 0 to 9999.
    ///
    /// - Parameter seconds: The time in seconds since 1970, which is rounded to milliseconds.
    package static func text(secondsSince1970 seconds: Double) -> String? {
        let rounded = (seconds * 1000).rounded()
        guard range.contains(rounded) else { return nil }
        let total = Int64(rounded)
        var day = total / dayMilliseconds
        var rest = total % dayMilliseconds
        if rest < 0 { (day, rest) = (day - 1, rest + dayMilliseconds) }
        let date = date(ofDay: day)
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60]
            .map { digits($0, 2) }.joined(separator: ":")
        let fraction = rest % 1000 == 0 ? "" : "." + digits(rest % 1000, 3)
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
            + "\(clock)\(fraction)Z"
    }

    /// Returns the time of a text in seconds since 1970, or `nil` for any other text.
    ///
    /// A leap second is the first second of the next minute.
    package static func secondsSince1970(of text: String) -> Double? {
        guard let (seconds, fraction) = read(text) else { return nil }
        return Double(seconds) + (Double("0." + String(Substring(fraction))) ?? 0)
    }

    /// Returns the milliseconds from 1970-01-01T00:00:00Z to a time, or `nil` for any other text.
    ///
    /// Digits after the third of a fraction are ignored. A leap second is the first second of the
    /// next minute.
    package static func unixMilliseconds(_ text: String) -> Int64? {
        guard let (seconds, fraction) = read(text) else { return nil }
        let units: [Int64] = [100, 10, 1]
        return zip(fraction, units).reduce(seconds * 1000) { $0 + Int64($1.0 - 0x30) * $1.1 }
    }

    private static func read(
        _ text: String
    ) -> (seconds: Int64, fraction: Substring.UTF8View)? {
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(4), reader.take("-"),
            let month = reader.number(2), 1...12 ~= month, reader.take("-"),
            let day = reader.number(2), 1...days(of: month, in: year) ~= day,
            reader.take("T") || reader.take("t"),
            let hour = reader.number(2), hour <= 23, reader.take(":"),
            let minute = reader.number(2), minute <= 59, reader.take(":"),
            let second = reader.number(2), second <= 60,
            let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        let minutes =
            (Self.day(year: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second, fraction)
    }

    private static func digits(_ value: Int64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// Returns the date of a day since 1970 (the proleptic Gregorian calendar).
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Years begin in March, so that a leap day is the last day of its year.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let year =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func take(_ character: UnicodeScalar) -> Bool {
            guard let byte = rest.first, UInt32(byte) == character.value else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(_ count: Int) -> Int64? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                return nil
            }
            rest.removeFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        /// Reads the digits of the fraction of a second, of which there are none without one.
        mutating func fraction() -> Substring.UTF8View? {
            guard take(".") else { return rest.prefix(0) }
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            rest.removeFirst(digits.count)
            return digits.isEmpty ? nil : digits
        }

        /// Reads the offset from UTC in minutes.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isNegative = take("-")
            guard isNegative || take("+"), let hours = number(2), take(":"),
                let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            return (hours * 60 + minutes) * (isNegative ? -1 : 1)
        }
    }
}
