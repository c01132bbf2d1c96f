import BroadsheetCollections

/// A set of code points, as ranges in order.
struct CodePointSet: Hashable, Sendable {
    /// The ranges, in ascending order, none of which touches another.
    private(set) var ranges: [ClosedRange<UInt32>] = []

    static let last: UInt32 = 0x10_FFFF

    /// Creates the set of all code points in `ranges`, which may overlap and be in any order.
    ///
    /// - Complexity: O(ranges × log(ranges)).
    init(_ ranges: [ClosedRange<UInt32>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let end = self.ranges.last?.upperBound, range.lowerBound <= end + 1 {
                let start = self.ranges.removeLast().lowerBound
                self.ranges.append(start...max(end, range.upperBound))
            } else {
                self.ranges.append(range)
            }
        }
    }

    init(_ codePoint: UInt32) { ranges = [codePoint...codePoint] }

    init(scalarsOf text: String) { self.init(text.unicodeScalars.map { $0.value...$0.value }) }

    var inverted: CodePointSet {
        var gaps: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges {
            if range.lowerBound > start { gaps.append(start...range.lowerBound - 1) }
            start = range.upperBound + 1
        }
        if start <= Self.last { gaps.append(start...Self.last) }
        return CodePointSet(gaps)
    }

    func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges + other.ranges) }

    /// Returns whether the set has a code point.
    ///
    /// - Complexity: O(log(ranges)).
    func contains(_ codePoint: UInt32) -> Bool {
        let index = ranges.partitioningIndex { $0.upperBound >= codePoint }
        return index < ranges.count && ranges[index].lowerBound <= codePoint
    }
}

/// The sets of ECMA-262's class escapes, by code points and without regard to case.
extension CodePointSet {
    /// `\d`.
    static let digits = CodePointSet([0x30...0x39])
    /// `\w`.
    static let wordCharacters = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// The line terminators, which `.` does not match (ECMA-262 §12.3).
    static let lineTerminators = CodePointSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
    /// `\s`: white space and line terminators (ECMA-262 §12.2).
    static let whiteSpace = CodePointSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
}
