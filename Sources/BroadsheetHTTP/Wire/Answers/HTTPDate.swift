/// The time of day as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110
/// §5.6.7), rendered anew only when the second changes.
struct HTTPDate: Sendable {
    private var second: Int64?
    private var text: [UInt8] = []

    /// The 29 bytes for a time, whole seconds since 1970, clamped to the years 0…9999.
    mutating func bytes(at unixSeconds: Int64) -> [UInt8] {
        if second != unixSeconds {
            second = unixSeconds
            text = Self.render(min(max(unixSeconds, Self.earliest), Self.latest))
        }
        return text
    }

    private static let earliest: Int64 = -62_167_219_200
    private static let latest: Int64 = 253_402_300_799
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func render(_ unixSeconds: Int64) -> [UInt8] {
        let days = Int((Double(unixSeconds) / 86_400).rounded(.down))
        let time = Int(unixSeconds) - days * 86_400
        let (year, month, day) = civil(fromDays: days)
        let weekday = ((days + 4) % 7 + 7) % 7  // 1 January 1970 was a Thursday
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text += "\(weekdays[weekday]), ".utf8
        appendDigits(day, width: 2, to: &text)
        text += " \(months[month - 1]) ".utf8
        appendDigits(year, width: 4, to: &text)
        text.append(.space)
        appendDigits(time / 3600, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time / 60 % 60, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time % 60, width: 2, to: &text)
        text += " GMT".utf8
        return text
    }

    /// The date of a day counted from 1 January 1970 (proleptic Gregorian; the algorithm of Howard
    /// Hinnant's "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468  // days since 1 March of year 0, so that leap days end a year
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func appendDigits(_ value: Int, width: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(truncatingIfNeeded: value / divisor % 10) + 0x30)
            divisor /= 10
        }
    }
}
