import BroadsheetIO

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
        let time = CivilTime(unixSeconds: unixSeconds)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text += "\(weekdays[time.weekday]), ".utf8
        appendDigits(time.day, width: 2, to: &text)
        text += " \(months[time.month - 1]) ".utf8
        appendDigits(time.year, width: 4, to: &text)
        text.append(.space)
        appendDigits(time.hour, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time.minute, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time.second, width: 2, to: &text)
        text += " GMT".utf8
        return text
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
