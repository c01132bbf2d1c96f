import Broadsheet
import BroadsheetIO

/// A time in the format of RFC 3339: `2026-01-31T23:59:59.999Z`.
struct Timestamp: Sendable {
    private let unixMilliseconds: Int64

    init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

    /// Writes the 24 characters.
    func write(into line: inout JSONWriter) {
        let milliseconds = ((unixMilliseconds % 1000) + 1000) % 1000
        let time = CivilTime(unixSeconds: (unixMilliseconds - milliseconds) / 1000)
        line.digits(time.year, 4)
        line.raw("-")
        line.digits(time.month, 2)
        line.raw("-")
        line.digits(time.day, 2)
        line.raw("T")
        line.digits(time.hour, 2)
        line.raw(":")
        line.digits(time.minute, 2)
        line.raw(":")
        line.digits(time.second, 2)
        line.raw(".")
        line.digits(Int(milliseconds), 3)
        line.raw("Z")
    }
}

extension JSONWriter {
    /// Writes the last `count` decimal digits of a number that is not negative.
    fileprivate mutating func digits(_ number: Int, _ count: Int) {
        var power = 1
        for _ in 1..<count { power *= 10 }
        while power > 0 {
            raw(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
            power /= 10
        }
    }
}
