/// A compiled regular expression of ECMA-262 with the flag `u`, without look-around and
/// back-references, which is found in texts in linear time.
///
/// An engine of its own, because no library of the system is exactly this: PCRE2 and ICU backtrack
/// (exponential time), RE2 has other classes (`\s`, `\d` by bytes, no `\p` by ECMA-262's names,
/// `\u` unknown), `regcomp` knows neither classes nor code points, and Swift's `Regex` backtracks
/// over characters rather than code points.
///
/// A class, because a copy for each name that a pattern is tried on would take longer than the
/// match.
final class Pattern: Sendable {
    /// The steps that a match takes besides its code points.
    static let stepsOfStart = 8

    let source: String
    private let program: PatternProgram
    /// The faster form, if it is small enough.
    private let table: PatternTable?

    /// The number of instructions, each of which a code point may take a step of.
    var instructionCount: Int { program.instructions.count }
    /// A Boolean value that indicates whether a code point takes one step.
    var hasTable: Bool { table != nil }

    init(_ source: String, budget: inout PatternBudget) throws(PatternError) {
        // Nothing more is compiled after the budget was crossed.
        try budget.take(0)
        self.source = source
        program = try PatternProgram(source, budget: &budget)
        table = budget.tableSteps > 0 ? PatternTable(program, steps: &budget.tableSteps) : nil
    }

    /// Returns whether the pattern matches a part of `text`, and adds the steps that this takes.
    ///
    /// The result has no meaning after the steps have crossed a limit.
    ///
    /// - Complexity: O(code points) with a table, otherwise O(code points × instructions).
    func matches(_ text: borrowing PatternText, _ cost: inout SchemaCost) -> Bool {
        if let table {
            cost.steps += Self.stepsOfStart
            return table.matches(text, &cost)
        }
        // The two sets of states are made for each text.
        guard cost.proceed(Self.stepsOfStart + instructionCount) else { return false }
        var current = PatternStates(program)
        var next = PatternStates(program)
        var previous = PatternNeighbour.none
        var index = 0
        while index < text.count {
            let codePoint = text.codePoint(at: &index)
            let neighbour = PatternNeighbour(codePoint)
            current.insert(0)
            if program.follow(&current, between: previous, and: neighbour) { return true }
            program.step(current, to: &next) { set, _ in set.contains(codePoint) }
            guard cost.proceed(current.list.count) else { return false }
            swap(&current, &next)
            next.removeAll()
            previous = neighbour
        }
        current.insert(0)
        cost.steps += current.list.count
        return program.follow(&current, between: previous, and: .none)
    }
}

/// A text that patterns are found in: the content of a JSON string, by code points.
struct PatternText: ~Copyable {
    /// The content without escapes; its owner keeps it alive.
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Creates a text of UTF-8 that an indexer has accepted, without escapes.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    @inline(__always)
    func codePoint(at index: inout Int) -> UInt32 {
        let first = UInt32(bytes[index])
        index += 1
        guard first >= 0x80 else { return first }
        let length = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        var value = first & (0x3F >> UInt32(length))
        for _ in 0..<length where index < bytes.count {
            value = value << 6 | UInt32(bytes[index] & 0x3F)
            index += 1
        }
        return value
    }
}

/// The rest of what the patterns of one catalog may take.
///
/// Patterns of a few bytes can have thousands of states (`.{4990}`) or of ranges (`\p{L}`), so the
/// length of a catalog limits neither the memory of its patterns nor the time to compile them.
struct PatternBudget: Sendable {
    /// The number of steps in which tables are made; without any left, patterns are matched by
    /// their programs.
    var tableSteps: Int

    private let maxParts: Int
    private(set) var partsTaken = 0

    init(
        maxParts: Int = CatalogLimits().maxPatternParts, tableSteps: Int = PatternTable.maxSteps
    ) {
        self.maxParts = maxParts
        self.tableSteps = tableSteps
    }

    /// Takes a number of states and ranges.
    ///
    /// - Throws: An error if that is more than is left; then nothing is left.
    mutating func take(_ parts: Int) throws(PatternError) {
        partsTaken += parts
        guard partsTaken <= maxParts else {
            throw PatternError(
                "takes the patterns of its catalog beyond the \(maxParts) states and ranges of "
                    + "code points that they may have together")
        }
    }
}
