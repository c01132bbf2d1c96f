import Broadsheet

/// The spelling of a catalog's name in code (docs/generate.md, "Names").
struct CodeName {
    private let parts: [String]

    init(_ name: String) {
        let hasSmallLetters = name.utf8.contains { Self.isSmall($0) }
        let scalars = name.unicodeScalars.map { scalar in
            hasSmallLetters || !("A"..."Z" ~= scalar)
                ? scalar : Unicode.Scalar(UInt8(scalar.value) + 32)
        }
        let parts = scalars.split { !Self.isLetter($0) && !("0"..."9" ~= $0) }.map { part in
            String(String.UnicodeScalarView(part))
        }
        self.parts = parts.isEmpty ? ["unnamed"] : parts
    }

    /// The spelling within the name of a type, with a capital.
    var capitalized: String { parts.map(Self.capitalized).joined() }

    /// The spelling of a member, a case or a constant, with a small letter.
    var member: String {
        var first = Array(parts[0].utf8)
        var count = first.prefix { 65...90 ~= $0 }.count
        // The last capital before a small letter begins a word.
        if count > 1, count < first.count, Self.isSmall(first[count]) { count -= 1 }
        for index in 0..<count { first[index] += 32 }
        let spelling = [String(decoding: first, as: UTF8.self)]
        return Self.identifier((spelling + parts.dropFirst().map(Self.capitalized)).joined())
    }

    /// Returns a text with `_` before a digit at the front.
    static func identifier(_ text: String) -> String {
        text.utf8.first.map { 48...57 ~= $0 } == true ? "_" + text : text
    }

    /// Returns a text with its first letter in upper case, if that is a letter of ASCII.
    static func capitalized(_ text: String) -> String {
        guard let first = text.utf8.first, isSmall(first) else { return text }
        return String(UnicodeScalar(first - 32)) + String(text.unicodeScalars.dropFirst())
    }

    /// Returns whether a scalar is a letter that all three languages have in names: those of
    /// Unicode 3.2 outside of surrogates and compatibility forms.
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return "a"..."z" ~= scalar || "A"..."Z" ~= scalar }
        guard 0xC0...0xD7FF ~= scalar.value else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return scalar.properties.age.map { $0 <= (3, 2) } ?? false
        default: return false
        }
    }

    private static func isSmall(_ byte: UInt8) -> Bool { 97...122 ~= byte }
}

/// The names that are taken in a scope, each of which is given once.
struct NameScope {
    private var counts: [String: Int] = [:]
    private let ignoresCase: Bool

    /// Creates a scope in which those names are taken that the templates have in lists.
    private init(_ lists: String..., and name: String? = nil, ignoringCase: Bool = false) {
        ignoresCase = ignoringCase
        let words = GeneratedLanguage.allCases.flatMap { language in
            lists.flatMap { language.template.words[$0] ?? [] }
        }
        for name in words + (name.map { [$0] } ?? []) { counts[key(name)] = 1 }
    }

    static let members = NameScope("members")
    static let constants = NameScope("members", "constants")

    static func types(besides name: String) -> NameScope {
        NameScope("types", and: name, ignoringCase: true)
    }

    static func cases(in name: String) -> NameScope {
        NameScope("members", "cases", and: CodeName(name).member)
    }

    private func key(_ name: String) -> String { ignoresCase ? name.lowercased() : name }

    func isTaken(_ name: String) -> Bool { counts[key(name)] != nil }

    /// Takes a name, or the first of the name with `_2`, `_3` … that is free.
    mutating func take(_ name: String) -> String {
        let count = counts[key(name), default: 0] + 1
        counts[key(name)] = count
        return count == 1 ? name : take("\(name)_\(count)")
    }

    /// Returns values with names in this scope, the first one of each string.
    func naming(_ values: [NamedValue]) -> [NamedValue] {
        var (scope, seen) = (self, Set<Identifier>())
        return values.filter { seen.insert(Identifier($0.value)).inserted }.map { value in
            var value = value
            value.identifier = scope.take(CodeName(value.value).member)
            return value
        }
    }
}
