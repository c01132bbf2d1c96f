import Broadsheet
import Testing

@testable import BroadsheetService

@Suite("Timestamps (RFC 3339)")
struct TimestampTests {
    @Test(
        "Timestamps are in UTC with milliseconds, including leap days and years before 1970",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_709_251_199_001, "2024-02-29T23:59:59.001Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_000_000_000_000, "2001-09-09T01:46:40.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-11_676_096_000_000, "1600-01-01T00:00:00.000Z"),
        ])
    func examples(milliseconds: Int64, expected: String) {
        var writer = JSONWriter()
        Timestamp(unixMilliseconds: milliseconds).write(into: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }
}
