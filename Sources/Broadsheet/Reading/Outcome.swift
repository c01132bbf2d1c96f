/// The outcomes of a list of tests for one audience, one bit each.
///
/// Requests whose outcomes for the same pages are equal get the same layout.
package struct Outcome: Sendable, Hashable {
    /// The bits, the lowest first; without tests there are none, and no memory.
    package private(set) var words: [UInt64] = []

    /// The outcome of pages that depend on no condition.
    package static let none = Outcome()

    fileprivate subscript(index: Int) -> Bool { words[index / 64] >> UInt64(index % 64) & 1 == 1 }

    fileprivate mutating func append(_ bit: Bool, at index: Int) {
        if index % 64 == 0 { words.append(0) }
        if bit { words[index / 64] |= 1 << UInt64(index % 64) }
    }
}

/// The tests that a page or a screen depends on, each once, in the order of their first appearance.
///
/// A test inside a part of a page that is not there counts as not met, so that audiences that
/// differ only there have the same outcome.
package struct ConditionTests: Sendable {
    private struct Test: Sendable, Hashable {
        let condition: Condition
        /// The index of the surrounding part's test; -1 without one.
        let outer: Int
    }

    private var tests: [Test] = []
    private var indices: [Test: Int] = [:]

    /// The number of tests up to which equal conditions in different parts are different tests; it
    /// bounds the number for pages and a catalog with many conditions.
    private static let maxNested = 65_536

    /// The index that stands for no surrounding part.
    static let root = -1

    package var count: Int { tests.count }

    mutating func add(_ condition: Condition, in outer: Int) -> Int {
        let test = Test(condition: condition, outer: count < Self.maxNested ? outer : Self.root)
        if let index = indices[test] { return index }
        indices[test] = tests.count
        tests.append(test)
        return tests.count - 1
    }

    mutating func add(_ others: ConditionTests) {
        var places: [Int] = []
        for test in others.tests {
            places.append(add(test.condition, in: test.outer < 0 ? Self.root : places[test.outer]))
        }
    }

    /// Returns the outcome of the first `count` tests.
    ///
    /// - Complexity: O(count).
    func outcome(for audience: Audience, of count: Int? = nil) -> Outcome {
        var outcome = Outcome()
        for (index, test) in tests.prefix(count ?? tests.count).enumerated() {
            let isThere = test.outer < 0 || outcome[test.outer]
            outcome.append(isThere && test.condition.holds(for: audience), at: index)
        }
        return outcome
    }
}
