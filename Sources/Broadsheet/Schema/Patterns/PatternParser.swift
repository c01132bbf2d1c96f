/// A reader of regular expressions by ECMA-262 §22.2.1 with the flag `u`: without look-around and
/// back-references, which no automaton matches in linear time.
struct PatternParser {
    /// The largest depth of groups within groups.
    static let maxDepth = 100
    /// The largest number of code points of a pattern.
    static let maxLength = 10_000

    private let text: [UInt32]
    private var index = 0
    private var depth = 0
    private var groupNames: Set<String> = []
    /// The different sets of code points in the pattern.
    private(set) var sets: [CodePointSet] = []
    private var setIndexes: [CodePointSet: Int] = [:]
    private var budget: PatternBudget

    private init(_ pattern: String, _ budget: PatternBudget) {
        text = pattern.unicodeScalars.map(\.value)
        self.budget = budget
    }

    /// Reads a pattern.
    ///
    /// - Complexity: O(length), and the time for the sets of Unicode properties.
    static func parse(
        _ pattern: String, budget: inout PatternBudget
    ) throws(PatternError) -> (node: PatternNode, sets: [CodePointSet]) {
        var parser = PatternParser(pattern, budget)
        defer { budget = parser.budget }
        guard parser.text.count <= maxLength else {
            throw PatternError("has more than \(maxLength) characters")
        }
        let node = try parser.disjunction()
        guard parser.index == parser.text.count else { throw parser.unexpected(")") }
        return (node, parser.sets)
    }

    // MARK: Characters

    private var next: UInt32? { index < text.count ? text[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == character.value else { return false }
        index += 1
        return true
    }

    private mutating func take(text expected: String) -> Bool {
        let scalars = expected.unicodeScalars.map(\.value)
        guard text[index...].starts(with: scalars) else { return false }
        index += scalars.count
        return true
    }

    private mutating func node(of set: CodePointSet) -> PatternNode {
        if let index = setIndexes[set] { return .set(index) }
        sets.append(set)
        setIndexes[set] = sets.count - 1
        return .set(sets.count - 1)
    }

    private func unexpected(_ what: String) -> PatternError {
        PatternError("has an unexpected \"\(what)\"", at: index)
    }

    // MARK: Parts

    private mutating func disjunction() throws(PatternError) -> PatternNode {
        guard depth < Self.maxDepth else {
            throw PatternError("has more than \(Self.maxDepth) groups in each other", at: index)
        }
        depth += 1
        defer { depth -= 1 }
        var parts = [try alternative()]
        while take("|") { parts.append(try alternative()) }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    private mutating func alternative() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let next, next != UInt32(ascii: "|"), next != UInt32(ascii: ")") {
            parts.append(try term())
        }
        return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func term() throws(PatternError) -> PatternNode {
        if let assertion = assertion() {
            if let next,
                [UInt32(ascii: "*"), UInt32(ascii: "+"), UInt32(ascii: "?"), UInt32(ascii: "{")]
                    .contains(next)
            {
                throw PatternError("repeats an assertion", at: index)
            }
            return .assertion(assertion)
        }
        return try quantified(try atom())
    }

    private mutating func assertion() -> PatternAssertion? {
        if take("^") { return .start }
        if take("$") { return .end }
        if take(text: "\\b") { return .wordBoundary }
        if take(text: "\\B") { return .noWordBoundary }
        return nil
    }

    private mutating func atom() throws(PatternError) -> PatternNode {
        guard let character = next else { return .empty }
        switch Unicode.Scalar(character) {
        case "(": return try group()
        case "[": return node(of: try characterClass())
        case "\\":
            index += 1
            let set = try escape(inClass: false).set
            try budget.take(set.ranges.count)
            return node(of: set)
        case ".":
            index += 1
            return node(of: CodePointSet.lineTerminators.inverted)
        case let scalar? where "*+?{}]".unicodeScalars.contains(scalar):
            throw unexpected(String(Character(scalar)))
        default:
            index += 1
            return node(of: CodePointSet(character))
        }
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        let start = index
        index += 1
        if take("?") {
            for lookAround in ["=", "!", "<=", "<!"] where take(text: lookAround) {
                throw PatternError("has a look-around, which is not supported", at: start)
            }
            if take("<") {
                try groupName(at: start)
            } else if !take(":") {
                throw PatternError("has a group of an unknown kind", at: start)
            }
        }
        let content = try disjunction()
        guard take(")") else { throw PatternError("has a group without its end", at: start) }
        return content
    }

    /// Reads the name of a group, which nothing refers to.
    private mutating func groupName(at start: Int) throws(PatternError) {
        var name = ""
        while let scalar = next.flatMap(Unicode.Scalar.init), scalar != ">" {
            let isStart = scalar.properties.isIDStart || scalar == "$" || scalar == "_"
            guard isStart || !name.isEmpty && scalar.properties.isIDContinue else { break }
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard !name.isEmpty, take(">") else {
            throw PatternError("has a group with an invalid name", at: start)
        }
        guard groupNames.insert(name).inserted else {
            throw PatternError("has two groups of one name", at: start)
        }
    }

    // MARK: Quantifiers

    private mutating func quantified(_ atom: PatternNode) throws(PatternError) -> PatternNode {
        let start = index
        var bounds: (Int, Int?)?
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if take("{") {
            bounds = try braces(at: start)
        }
        guard let (minimum, maximum) = bounds else { return atom }
        // Whether a quantifier is lazy makes no difference to whether a text matches.
        _ = take("?")
        if let maximum, maximum < minimum {
            throw PatternError("has numbers out of order", at: start)
        }
        return .repeated(atom, atLeast: minimum, atMost: maximum)
    }

    private mutating func braces(at start: Int) throws(PatternError) -> (Int, Int?) {
        let minimum = digits()
        var maximum = minimum
        if take(",") { maximum = digits() }
        guard let minimum, take("}") else {
            throw PatternError("has a \"{\" that does not begin a quantifier", at: start)
        }
        return (minimum, maximum)
    }

    /// Reads a whole number; one that is larger than any pattern may repeat becomes the same.
    private mutating func digits() -> Int? {
        var value: Int?
        while let digit = next, CodePointSet.digits.contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit - 0x30), PatternProgram.maxInstructions + 1)
            index += 1
        }
        return value
    }

    // MARK: Classes and escapes

    private mutating func characterClass() throws(PatternError) -> CodePointSet {
        let start = index
        index += 1
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard next != nil else { throw PatternError("has a class without its end", at: start) }
            let first = try classAtom()
            if next == UInt32(ascii: "-"), index + 1 < text.count,
                text[index + 1] != UInt32(ascii: "]")
            {
                let dash = index
                index += 1
                let last = try classAtom()
                guard let lower = first.codePoint, let upper = last.codePoint, lower <= upper else {
                    throw PatternError("has a range without order", at: dash)
                }
                ranges.append(lower...upper)
            } else {
                try budget.take(first.set.ranges.count)
                ranges += first.set.ranges
            }
        }
        let set = CodePointSet(ranges)
        return isInverted ? set.inverted : set
    }

    /// One code point, or a set that has a name.
    private enum ClassAtom {
        case codePoint(UInt32)
        case named(CodePointSet)

        var set: CodePointSet {
            switch self {
            case .codePoint(let codePoint): CodePointSet(codePoint)
            case .named(let set): set
            }
        }

        var codePoint: UInt32? {
            if case .codePoint(let codePoint) = self { codePoint } else { nil }
        }
    }

    private mutating func classAtom() throws(PatternError) -> ClassAtom {
        guard let character = next else {
            throw PatternError("has a class without its end", at: index)
        }
        index += 1
        return character == UInt32(ascii: "\\") ? try escape(inClass: true) : .codePoint(character)
    }

    private mutating func escape(inClass: Bool) throws(PatternError) -> ClassAtom {
        let start = index - 1
        guard let letter = next.flatMap(Unicode.Scalar.init) else {
            throw PatternError("ends with a backslash", at: start)
        }
        index += 1
        switch letter {
        case "d": return .named(.digits)
        case "D": return .named(CodePointSet.digits.inverted)
        case "s": return .named(.whiteSpace)
        case "S": return .named(CodePointSet.whiteSpace.inverted)
        case "w": return .named(.wordCharacters)
        case "W": return .named(CodePointSet.wordCharacters.inverted)
        case "p": return .named(try property(at: start))
        case "P": return .named(try property(at: start).inverted)
        case "b" where inClass: return .codePoint(0x08)
        case "-" where inClass: return .codePoint(letter.value)
        case "k", "1"..."9":
            throw PatternError("has a back-reference, which is not supported", at: start)
        default: return .codePoint(try characterEscape(letter, at: start))
        }
    }

    private mutating func characterEscape(
        _ letter: Unicode.Scalar, at start: Int
    ) throws(PatternError) -> UInt32 {
        switch letter {
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "v": return 0x0B
        case "0" where !(next.map(CodePointSet.digits.contains) ?? false): return 0
        case "c":
            if let control = next.flatMap(Unicode.Scalar.init), control.isASCII,
                control.properties.isAlphabetic
            {
                index += 1
                return control.value % 32
            }
        case "x": if let value = hexadecimal(digits: 2) { return value }
        case "u": if let value = unicodeEscape() { return value }
        case _ where "^$\\.*+?()[]{}|/".unicodeScalars.contains(letter): return letter.value
        default: break
        }
        throw PatternError("has an escape that ECMA-262 does not define", at: start)
    }

    private mutating func hexadecimal(digits count: Int) -> UInt32? {
        guard index + count <= text.count else { return nil }
        var value: UInt32 = 0
        for digit in text[index..<index + count] {
            guard let byte = UInt8(exactly: digit),
                let digit = JSONEscape.hexadecimalValue(of: byte)
            else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += count
        return value
    }

    /// Reads the rest of an escape after `\u`: four digits, a surrogate pair of two escapes, or
    /// digits in braces.
    private mutating func unicodeEscape() -> UInt32? {
        if take("{") {
            guard let end = text[index...].firstIndex(of: UInt32(ascii: "}")), end > index else {
                return nil
            }
            let leading = text[index..<end].prefix { $0 == UInt32(ascii: "0") }.count
            index += min(leading, end - index - 1)
            guard end - index <= 6, let value = hexadecimal(digits: end - index),
                value <= CodePointSet.last
            else { return nil }
            index += 1
            return value
        }
        guard let unit = hexadecimal(digits: 4) else { return nil }
        guard unit & 0xFC00 == 0xD800 else { return unit }
        let before = index
        if take(text: "\\u"), let low = hexadecimal(digits: 4), low & 0xFC00 == 0xDC00 {
            return 0x10000 + ((unit & 0x3FF) << 10 | low & 0x3FF)
        }
        index = before
        return unit
    }

    /// Reads the rest of an escape after `\p`: the name of a property in braces.
    private mutating func property(at start: Int) throws(PatternError) -> CodePointSet {
        guard take("{"), let end = text[index...].firstIndex(of: UInt32(ascii: "}")) else {
            throw PatternError("has a property without a name in braces", at: start)
        }
        let name = String(
            String.UnicodeScalarView(text[index..<end].compactMap(Unicode.Scalar.init)))
        index = end + 1
        guard let set = UnicodeProperty.set(named: name) else {
            throw PatternError("has an unknown Unicode property \"\(name)\"", at: start)
        }
        return set
    }
}

extension UInt32 {
    fileprivate init(ascii scalar: Unicode.Scalar) { self = scalar.value }
}
