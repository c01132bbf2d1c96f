/// A part of a pattern: the syntax tree of a regular expression.
indirect enum PatternNode: Sendable {
    /// Nothing, at any position.
    case empty
    /// One code point of a set, by its index among the pattern's sets.
    case set(Int)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// A part a number of times; without a maximum, any number from the minimum on.
    case repeated(PatternNode, atLeast: Int, atMost: Int?)
    case assertion(PatternAssertion)
}

/// A condition on a position in a text (ECMA-262 §22.2.2.4), without look-around.
enum PatternAssertion: Sendable {
    /// `^`
    case start
    /// `$`
    case end
    /// `\b`
    case wordBoundary
    /// `\B`
    case noWordBoundary

    func holds(between previous: PatternNeighbour, and next: PatternNeighbour) -> Bool {
        switch self {
        case .start: previous == .none
        case .end: next == .none
        case .wordBoundary: (previous == .wordCharacter) != (next == .wordCharacter)
        case .noWordBoundary: (previous == .wordCharacter) == (next == .wordCharacter)
        }
    }
}

/// The character beside a position in a text.
enum PatternNeighbour: UInt8, Sendable {
    /// None: the text begins or ends there.
    case none
    /// A character that `\w` does not match.
    case other
    /// A character that `\w` matches.
    case wordCharacter

    @inline(__always)
    init(_ codePoint: UInt32) {
        self = CodePointSet.wordCharacters.contains(codePoint) ? .wordCharacter : .other
    }
}

/// The reason for which a text is not a pattern, or one that cannot be matched in linear time.
struct PatternError: Error, Hashable, Sendable {
    /// The second part of a sentence about the pattern.
    let detail: String

    init(_ detail: String) { self.detail = detail }

    /// Creates the error of a position in a pattern, in code points.
    init(_ reason: String, at offset: Int) {
        detail = "\(reason), at character \(offset + 1)"
    }
}
