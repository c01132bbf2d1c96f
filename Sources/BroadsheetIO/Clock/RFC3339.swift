/// Times as text: `2026-01-31T23:59:59Z` (RFC 3339 §5.6).
package enum RFC3339 {
    /// Returns the milliseconds from 1970-01-01T00:00:00Z to a time, or `nil` for any other text.
    ///
    /// Digits after the third of a fraction are ignored. A leap second is the first second of the
    /// next minute.
    package static func unixMilliseconds(_ text: String) -> Int64? {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.take("-"),
            let month = reader.number(2), 1...12 ~= month, reader.take("-"),
            let day = reader.number(2), 1...days(in: month, of: year) ~= day, reader.take("Tt"),
            let hour = reader.number(2), hour <= 23, reader.take(":"),
            let minute = reader.number(2), minute <= 59, reader.take(":"),
            let second = reader.number(2), second <= 60,
            let milliseconds = reader.fraction(), let offset = reader.offset(),
            reader.rest.isEmpty
        else { return nil }
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        return Int64(minutes * 60 + second) * 1000 + Int64(milliseconds)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days from 1970-01-01 to a date of the years 0 to 9999, which may be negative.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years begin in March here, so that the leap day is the last one, and with the year -400,
        // so that no division is of a negative number. -0400-03-01 is 865,565 days before 1970.
        let yearFromMarch = year + 400 - (month <= 2 ? 1 : 0)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        return yearFromMarch * 365 + leapDays + dayOfYear - 865_565
    }

    /// A reader of the parts of a time; each method returns `nil` or `false` for other bytes.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// Reads one of the characters of `accepted`.
        mutating func take(_ accepted: String) -> Bool {
            guard let byte = rest.first, accepted.utf8.contains(byte) else { return false }
            rest.removeFirst()
            return true
        }

        /// Reads a number of that many digits.
        mutating func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var number = 0
            for byte in rest.prefix(count) {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                number = number * 10 + Int(byte &- 0x30)
            }
            rest.removeFirst(count)
            return number
        }

        /// Reads a fraction of a second in milliseconds; 0 without one.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            guard let first = number(1) else { return nil }
            var (milliseconds, unit) = (first * 100, 10)
            while let digit = number(1) {
                milliseconds += digit * unit
                unit /= 10
            }
            return milliseconds
        }

        /// Reads the offset from UTC in minutes.
        mutating func offset() -> Int? {
            if take("Zz") { return 0 }
            let isNegative = rest.first == UInt8(ascii: "-")
            guard take("+-"), let hours = number(2), hours <= 23, take(":"),
                let minutes = number(2), minutes <= 59
            else { return nil }
            return (hours * 60 + minutes) * (isNegative ? -1 : 1)
        }
    }
}
