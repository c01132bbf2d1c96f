import Broadsheet
import Foundation
import TestSupport
import Testing

@Suite("JSON number") struct JSONNumberTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONDocument(Array(text.utf8)).root
    }

    @Test(
        "A number is the Double that strtod returns",
        arguments: [
            "0", "-0", "0.0", "1", "-1.5", "0.1", "1e22", "1e23", "1e-22", "1e-23",
            "9007199254740991",
            "9007199254740993", "1e308", "1.7976931348623157e308", "1.7976931348623159e308",
            "1e309",
            "1e400", "-1e400", "1e99999999999999999999", "1e-99999999999999999999", "0e99999999999",
            "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324", "5e-324", "2.4e-324",
            "1e-400", "1234567890123456789012345678901234567890",
            "0.1000000000000000055511151231257827",
            "9007199254740992.5000000000000000000000000000000001", "123456789.123456789e-5",
            "0.000000000000000000000000000000000000001", "179769313486231580793e289",
            "72057594037927945",
            "8.5e-320", "6.02214076e23", "299792458", "172.5", "1e+05", "100E-2",
        ])
    func double(text: String) throws {
        let expected = text.withCString { strtod($0, nil) }
        let double = try #require(try value(text).double)
        #expect(double.bitPattern == expected.bitPattern)
    }

    @Test(
        "A number of random digits is the Double that strtod returns",
        arguments: [1, 2] as [UInt64])
    func randomDouble(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func digits(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }.joined()
        }
        for _ in 0..<20_000 {
            var text = Bool.random(using: &generator) ? "-" : ""
            text += String(Int.random(in: 1...9, using: &generator)) + digits(0...24)
            if Bool.random(using: &generator) { text += "." + digits(1...24) }
            if Bool.random(using: &generator) {
                text += "e\(Int.random(in: -340...320, using: &generator))"
            }
            let expected = text.withCString { strtod($0, nil) }
            #expect(
                try value(text).double?.bitPattern == expected.bitPattern, "seed \(seed) \(text)")
        }
    }

    @Test("A number of a million digits is read in linear time")
    func millionDigits() throws {
        let nines = String(repeating: "9", count: 1_000_000)
        #expect(try value(nines).double == .infinity)
        #expect(try value("0." + nines).double == 1)
        #expect(try value("0." + String(repeating: "0", count: 1_000_000) + "1").double == 0)
        #expect(try value(nines).int == nil)
    }

    @Test(
        "An integer that fits is an Int in any notation",
        arguments: [
            ("0", 0), ("-0", 0), ("-0.0e5", 0), ("1.0", 1), ("1e2", 100), ("1.5e1", 15),
            ("100e-2", 1),
            ("0e-99999999999", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil),
            ("1e-1", nil),
            ("1e19", nil), ("1e18", 1_000_000_000_000_000_000), ("1e400", nil), ("1e-400", nil),
            ("0.00000000000000000000000000010e28", 1), ("922337203685477580.7e1", .max),
            ("123456789012345678901234567890", nil), ("10000000000000000000000e-20", 100),
            ("0.12345678901234567890123", nil), ("true", nil), ("\"1\"", nil),
        ] as [(String, Int?)])
    func int(text: String, expected: Int?) throws {
        #expect(try value(text).int == expected)
    }
}
