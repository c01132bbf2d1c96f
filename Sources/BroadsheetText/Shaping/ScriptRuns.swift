import CICU

/// The scripts that a character may belong to (UAX #24), the preferred one first.
struct ScriptSet: Hashable {
    /// The preferred script; `COMMON` and `INHERITED` accept any other.
    var first: Int32
    /// For a common or inherited character, the script that it suggests to its neighbours.
    var suggestion: Int32 = 0
    /// The scripts; the codes are below 256.
    private var members: SIMD4<UInt64> = .zero

    static let common: Int32 = 0
    private static let inherited: Int32 = 1
    private static let hiragana: Int32 = 20
    private static let katakana: Int32 = 22
    private static let latin: Int32 = 25

    /// A Boolean value that indicates whether the character takes the script of its neighbours.
    var isNeutral: Bool { first <= Self.inherited }
    var isCommon: Bool { first == Self.common }
    /// A Boolean value that indicates whether the character takes the script of those before it,
    /// and has one for those before it that have none.
    var isInherited: Bool { first == Self.inherited }

    init(_ script: Int32) {
        first = script
        insert(script)
    }

    private mutating func insert(_ script: Int32) {
        members[Int(script >> 6) & 3] |= 1 << UInt64(script & 63)
    }

    func contains(_ script: Int32) -> Bool {
        members[Int(script >> 6) & 3] & (1 << UInt64(script & 63)) != 0
    }

    private var isSingle: Bool {
        (0..<4).reduce(0) { $0 + members[$1].nonzeroBitCount } == 1
    }

    /// Reads the scripts of a character.
    ///
    /// Kana are one script. A common character with several scripts prefers the first of them that
    /// is not Latin; a common or inherited one with one script only suggests it.
    init(of character: UInt32) {
        let own = cicu_script(character)
        self.init(own == Self.katakana ? Self.hiragana : own)
        if own == Self.katakana { insert(Self.katakana) }
        var codes = [Int32](repeating: 0, count: Self.maxExtensions)
        let count = cicu_script_extensions(character, &codes, Int32(codes.count))
        add(Array(codes.prefix(max(0, Int(count)))))
    }

    private static let maxExtensions = 40

    private mutating func add(_ extensions: [Int32]) {
        guard let lead = extensions.first, lead != first else { return }
        // The lowest code is the most used script; Latin is the last choice.
        let preferred = extensions.filter { $0 != Self.latin }.min() ?? lead
        switch first {
        case Self.common where extensions.count > 1:
            self = ScriptSet(preferred)
            for script in extensions { insert(script) }
        case Self.common, Self.inherited:
            for script in extensions { insert(script) }
            suggestion = preferred
        default:
            for script in extensions { insert(script) }
        }
    }

    /// Returns the scripts that an inherited character has of its own, if there are any.
    var withoutInherited: ScriptSet? {
        guard isInherited, suggestion > Self.inherited else { return nil }
        var result = ScriptSet(suggestion)
        result.members = members
        result.members[0] &= ~UInt64(3)
        return result
    }

    /// Removes all scripts that another set does not have; the set remains as it is if none is
    /// left.
    ///
    /// - Returns: Whether a script is left.
    mutating func intersect(with other: ScriptSet) -> Bool {
        if other.isNeutral { return true }
        if isNeutral {
            self = other
            return true
        }
        if isSingle { return other.contains(first) }
        let shared = members & other.members
        guard shared != .zero else { return false }
        members = shared
        if !contains(first) {
            first = contains(other.first) ? other.first : lowest
        }
        return true
    }

    private var lowest: Int32 {
        for word in 0..<4 where members[word] != 0 {
            return Int32(word * 64 + members[word].trailingZeroBitCount)
        }
        return Self.common
    }
}

struct ScriptRun: Equatable {
    var end: Int
    var script: Int32
}

/// The division of a text into runs of one script (UAX #24 section 5).
///
/// A common or inherited character belongs to the run before it, a closing bracket to the script of
/// its opening one, and a character of several scripts to the run that has one of them.
struct ScriptRuns {
    /// The maximum number of open brackets that are remembered; the oldest is forgotten.
    private static let maxBrackets = 32

    private struct Bracket {
        let character: UInt32
        var script: Int32
    }

    /// A character whose scripts were read.
    private struct RecentCharacter {
        var character: UInt32
        var scripts: ScriptSet
    }

    /// The characters that were read last, each at the place that its number determines.
    private var recent = [RecentCharacter](
        repeating: RecentCharacter(character: .max, scripts: ScriptSet(ScriptSet.common)),
        count: maxRecent)
    private var brackets: [Bracket] = []
    /// The number of brackets at the end of `brackets` that belong to the current run.
    private var openBrackets = 0
    private var current = ScriptSet(ScriptSet.common)
    private var suggestion = ScriptSet.common
    private lazy var hanSet = ScriptSet(of: 0x300C)

    /// The maximum number of characters whose scripts are remembered, a power of two.
    private static let maxRecent = 512

    /// Appends the runs of a text to an array; one of all the rest if the text is abandoned.
    mutating func append(
        of text: UnsafeBufferPointer<UInt16>, to runs: inout [ScriptRun],
        _ checkpoints: inout TextCheckpoints
    ) {
        brackets.removeAll(keepingCapacity: true)
        openBrackets = 0
        current = ScriptSet(ScriptSet.common)
        suggestion = ScriptSet.common
        var index = 0
        while index < text.count, !checkpoints.pass(TextCheckpoints.character) {
            let (character, length) = text.scalar(at: index)
            step(character, at: index, next: index + length, in: text, &runs)
            index += length
        }
        if !text.isEmpty { runs.append(ScriptRun(end: text.count, script: resolved)) }
    }

    /// Takes the next character, and ends the current run if it does not belong to it.
    private mutating func step(
        _ character: UInt32, at index: Int, next: Int, in text: UnsafeBufferPointer<UInt16>,
        _ runs: inout [ScriptRun]
    ) {
        var set = scripts(of: character)
        if set.isCommon, next < text.count {
            // A mark with scripts of its own decides for a common base.
            let mark = scripts(of: text.scalar(at: next).scalar)
            if let own = mark.withoutInherited { set = own }
        }
        let bracket = bracketType(of: character)
        if bracket == .opening { open(character, &set) }
        if bracket == .closing { close(character, &set) }
        if set.isNeutral, current.isNeutral, suggestion == ScriptSet.common {
            suggestion = set.suggestion
        }
        guard !current.intersect(with: set) else { return }
        runs.append(ScriptRun(end: index, script: resolved))
        // An opening bracket belongs to the run that begins with it.
        resolveBrackets(except: bracket == .opening ? 1 : 0)
        current = set
    }

    private var resolved: Int32 { current.isCommon ? suggestion : current.first }

    private mutating func scripts(of character: UInt32) -> ScriptSet {
        let place = Int(character) & (Self.maxRecent - 1)
        if recent[place].character == character { return recent[place].scripts }
        let scripts = ScriptSet(of: character)
        recent[place] = RecentCharacter(character: character, scripts: scripts)
        return scripts
    }

    private enum BracketType { case none, opening, closing }

    private func bracketType(of character: UInt32) -> BracketType {
        // No letter below U+2E80 other than ASCII's brackets and a few of Tibetan and Ogham is one.
        switch character {
        case 0..<0x28, 0x2A..<0x5B, 0x5E..<0x7B, 0x7E..<0xF3A, 0x3031..<0xFE59, 0xFF64...: .none
        default:
            switch cicu_bracket_type(character) {
            case 1: .opening
            case 2: .closing
            default: .none
            }
        }
    }

    private mutating func open(_ character: UInt32, _ set: inout ScriptSet) {
        if brackets.count == Self.maxBrackets {
            brackets.removeFirst()
            openBrackets = min(openBrackets, brackets.count)
        }
        if set == ScriptSet(ScriptSet.common), cicu_is_east_asian(character) { set = hanSet }
        brackets.append(Bracket(character: character, script: ScriptSet.common))
        openBrackets += 1
    }

    private mutating func close(_ character: UInt32, _ set: inout ScriptSet) {
        let opening = cicu_paired_bracket(character)
        guard let place = brackets.lastIndex(where: { $0.character == opening }) else { return }
        var script = brackets[place].script
        if ScriptRuns.isHan(script), let han = Self.hanScripts.first(where: current.contains) {
            script = han
        }
        if script != ScriptSet.common { set = ScriptSet(script) }
        let removed = brackets.count - 1 - place
        brackets.removeLast(removed)
        openBrackets = max(0, openBrackets - removed)
    }

    /// Gives the open brackets of the current run its script.
    private mutating func resolveBrackets(except newest: Int) {
        let end = brackets.count - min(newest, openBrackets)
        for place in max(0, brackets.count - openBrackets)..<max(end, 0) where place < end {
            brackets[place].script = resolved
        }
        openBrackets = min(newest, openBrackets)
    }

    /// Han, Hiragana and Bopomofo.
    private static let hanScripts: [Int32] = [17, 20, 5]

    private static func isHan(_ script: Int32) -> Bool { hanScripts.contains(script) }
}
