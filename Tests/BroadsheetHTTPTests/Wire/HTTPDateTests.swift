import Testing

@testable import BroadsheetHTTP

@Suite("The date in answers (RFC 9110 §5.6.7, IMF-fixdate)")
struct HTTPDateTests {
    @Test(
        "Days of every kind",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (1_735_689_600, "Wed, 01 Jan 2025 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)])
    func days(seconds: Int64, text: String) {
        var date = HTTPDate()
        #expect(date.bytes(at: seconds).text == text)
    }

    @Test("The cached text follows the clock, forwards and back")
    func cache() {
        var date = HTTPDate()
        #expect(date.bytes(at: 59).text.contains("00:00:59"))
        #expect(date.bytes(at: 59).text.contains("00:00:59"))
        #expect(date.bytes(at: 60).text.contains("00:01:00"))
        #expect(date.bytes(at: 59).text.contains("00:00:59"))
    }

    @Test("Each day follows the one before, for two thousand years")
    func consecutive() {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var date = HTTPDate()
        var previousDay = 31
        for day in 0..<730_000 {
            let text = date.bytes(at: Int64(day) * 86_400)
            let number = Int(text[5] - 48) * 10 + Int(text[6] - 48)
            guard number == previousDay + 1 || (number == 1 && previousDay >= 28),
                text.starts(with: weekdays[day % 7].utf8)
            else {
                Issue.record("day \(day): \(text.text)")
                return
            }
            previousDay = number
        }
    }
}
