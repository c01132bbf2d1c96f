import BroadsheetClient
import BroadsheetIO
import Testing
import TestSupport

@Suite("Times as text (RFC 3339 §5.6)")
struct RFC3339Tests {
    @Test(
        "A time is read to the millisecond, with its offset",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00.5z", 500),
            ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00Z", 951_825_600_000),
            ("2026-11-22T07:18:11Z", 1_795_331_891_000),
            ("2026-11-22T08:48:11+01:30", 1_795_331_891_000),
            ("2026-11-21T23:18:11.0019-08:00", 1_795_331_891_001),
            ("1990-12-31T23:59:60Z", 662_688_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ] as [(String, Int64)])
    func read(text: String, milliseconds: Int64) {
        #expect(RFC3339.unixMilliseconds(text) == milliseconds)
        let seconds = RFC3339.secondsSince1970(of: text) ?? .nan
        #expect(abs(seconds * 1000 - Double(milliseconds)) < 1)
    }

    @Test(
        "Any other text is not a time",
        arguments: [
            "", "never", "2026-11-22", "2026-11-22T07:18Z", "2026-11-22T07:18:11",
            "2026-11-22 07:18:11Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-11-22T24:00:00Z", "2026-11-22T07:60:00Z", "2026-11-22T07:18:61Z",
            "2026-11-22T07:18:11.Z", "2026-11-22T07:18:11+0100", "2026-11-22T07:18:11+24:00",
            "2026-11-22T07:18:11Zx", " 2026-11-22T07:18:11Z", "+026-11-22T07:18:11Z",
            "２026-11-22T07:18:11Z",
        ])
    func refused(text: String) {
        #expect(RFC3339.unixMilliseconds(text) == nil)
        #expect(RFC3339.secondsSince1970(of: text) == nil)
    }

    @Test("Every day of 400 years is read as CivilTime writes it, and no cut of a time is a time")
    func everyDay() {
        for day in stride(from: -719_468 as Int64, to: 146_097 - 719_468, by: 1) {
            let time = CivilTime(unixSeconds: day * 86_400)
            guard time.year >= 0 else { continue }
            let date = [(time.year, 4), (time.month, 2), (time.day, 2)].map { number, width in
                String(repeating: "0", count: width - String(number).count) + String(number)
            }.joined(separator: "-")
            let read = RFC3339.unixMilliseconds("\(date)T00:00:00Z")
            if read != day * 86_400_000 { Issue.record("\(date) is read as \(read ?? 0)") }
        }
        let text = "2026-11-22T07:18:11.25+01:00"
        for count in 0..<text.count {
            #expect(RFC3339.unixMilliseconds(String(text.prefix(count))) == nil)
        }
    }
}
