import TestSupport
import Testing

@testable import Broadsheet

@Suite("Equality of the data of items")
struct DataEqualityTests {
    private func areEqual(_ one: String, _ other: String) -> Bool {
        Array(one.utf8).withUnsafeBufferPointer { first in
            Array(other.utf8).withUnsafeBufferPointer { second in
                DataEquality.areEqual(first, second)
            }
        }
    }

    @Test(
        "Equal values are equal in any notation",
        arguments: [
            ("1", "1.0"), ("10", "1e1"), ("-0", "0"), ("0.50", "5E-1"), ("1e+2", "100"),
            (#""a""#, #""\u0061""#), ("[1,2]", " [ 1 ,\n2 ] "), ("{}", "{ }"), ("[]", "[\t]"),
            (#"{"a":1,"b":[{"c":2,"d":3}]}"#, #"{"b":[{"d":3,"c":2}],"a":1}"#),
            ("12345678901234567890123", "1.2345678901234567890123e22"),
            (#"{"\u0061":true}"#, #"{"a":true}"#), (#""\n\/""#, #""\u000a/""#),
        ])
    func equal(one: String, other: String) {
        #expect(areEqual(one, other) && areEqual(other, one))
    }

    @Test(
        "Different values are different",
        arguments: [
            ("1", "2"), ("1", "-1"), ("1", "\"1\""), ("[1]", "[1,1]"), ("[]", "{}"), ("{}", "null"),
            (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#),
            (#"{"a":1}"#, #"{"b":1}"#), ("true", "false"), (#""a""#, #""A""#), ("[[]]", "[[[]]]"),
            ("0.1", "0.10000000000000001"), (#"["a,b"]"#, #"["a","b"]"#),
            ("12345678901234567890123", "12345678901234567890124"),
            ("1e9999999999", "1e99999999999"),
        ])
    func different(one: String, other: String) {
        #expect(!areEqual(one, other) && !areEqual(other, one))
    }

    @Test("Objects within each other, each in another order, take no quadratic time")
    func nested() {
        var (one, other) = ("1", "1")
        for _ in 0..<1500 {
            one = #"{"a":\#(one),"b":2}"#
            other = #"{"b":2,"a":\#(other)}"#
        }
        // Beyond the number of bytes that may be read again, values count as different.
        #expect(!areEqual(one, other))
    }

    @Test("Truncated and random bytes are compared without reading beyond them", arguments: 0..<200)
    func hostile(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array(#"{}[]",:\u0061 1e-tn"#.utf8)
        func bytes() -> [UInt8] {
            (0..<Int.random(in: 0...30, using: &random)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &random)]
            }
        }
        let (one, other) = (bytes(), bytes())
        one.withUnsafeBufferPointer { first in
            other.withUnsafeBufferPointer { second in _ = DataEquality.areEqual(first, second) }
        }
    }
}

@Suite("The heaviest increasing subsequence")
struct LongestIncreasingSubsequenceTests {
    @Test("It is increasing, and none is heavier (all subsequences tried)", arguments: 0..<100)
    func heaviest(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 0...10, using: &random)
        let elements = Array(0..<Int32(count)).shuffled(using: &random).map {
            (value: $0, weight: Int.random(in: 1...5, using: &random))
        }
        func weight(_ indices: [Int]) -> Int? {
            let values = indices.map { elements[$0].value }
            guard zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
            return indices.reduce(0) { $0 + elements[$1].weight }
        }
        let found = LongestIncreasingSubsequence.indices(of: elements)
        let best = (0..<1 << count).compactMap { mask in
            weight(elements.indices.filter { mask >> $0 & 1 == 1 })
        }.max()
        #expect(weight(found) == best, "seed \(seed)")
    }
}
