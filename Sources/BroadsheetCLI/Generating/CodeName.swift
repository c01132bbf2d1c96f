/// The spelling of a catalog's name in code (docs/generate.md, "Names").
struct CodeName {
    /// The parts of the name; at least one.
    private let parts: [String]

    /// Creates the spelling of a name of any characters.
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
        let others = parts.dropFirst().map(Self.capitalized).joined()
        return Self.identifier(String(decoding: first, as: UTF8.self) + others)
    }

    /// Returns a text with `_` before a digit at the front.
    static func identifier(_ text: String) -> String {
        text.utf8.first.map { 48...57 ~= $0 } == true ? "_" + text : text
    }

    /// Returns a text with its first letter in upper case, if that is a letter of ASCII.
    static func capitalized(_ text: String) -> String {
        guard let first = text.utf8.first, isSmall(first) else { return text }
        return String(UnicodeScalar(first - 32)) + text.dropFirst()
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
    private var counts: [String: Int]
    private let ignoresCase: Bool

    /// Creates a scope in which some names are taken from the start.
    init(_ taken: [String], ignoringCase: Bool = false) {
        ignoresCase = ignoringCase
        counts = [:]
        for name in taken { counts[key(name)] = 1 }
    }

    private func key(_ name: String) -> String { ignoresCase ? name.lowercased() : name }

    func isTaken(_ name: String) -> Bool { counts[key(name)] != nil }

    /// Takes a name, or the first of the name with `_2`, `_3` … that is free.
    mutating func take(_ name: String) -> String {
        let count = counts[key(name), default: 0] + 1
        counts[key(name)] = count
        return count == 1 ? name : "\(name)_\(count)"
    }
}

extension NameScope {
    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    /// A scope for types beside those of the file and of the languages.
    static func types(besides name: String) -> NameScope {
        NameScope([name] + types, ignoringCase: true)
    }

    /// A scope for members.
    static let members = NameScope(taken)

    /// A scope for cases of the file `name`.
    static func cases(in name: String) -> NameScope {
        NameScope(taken + caseNames + [CodeName(name).member])
    }

    /// A scope for constants and functions.
    static let constants = NameScope(taken + ["type", "protocol"])

    private static let taken = words(
        """
        additionalMembers hashCode hashValue init raw rawValue self toJson toString unknown
        """)

    private static let caseNames = words(
        """
        companion data jsonArray jsonElement jsonNull jsonObject jsonPrimitive nullable type unitData
        unitType value
        """)

    private static let types = words(
        """
        Cell Unit CellType UnitType SectionID Flag Indirect Nullable CellData UnitData CellOf
        CellFunctions Parts ClientEvent ActionTarget UpdateTarget SectionView TreeItem TreeView
        TreeValue BroadsheetClient Foundation Swift
        Any AnyObject Array Bool Boolean Byte Char Character Class Codable CodingKey Collection
        Comparable Companion Date Decodable Decoder DecodingError Dictionary Double Encodable
        Encoder EncodingError Enum Equatable Error Exception Float Function Hashable Hasher
        IllegalArgumentException Int Int8 Int16 Int32 Int64 Iterable Iterator JsonArray JsonElement
        JsonNull JsonObject JsonPrimitive LinkedHashMap List Long Map MutableMap Never Nothing Null
        Number Object Omit Optional Pair Partial Pick Promise Protocol RawRepresentable Readonly
        Record Required Result Self Sendable Sequence Set Short String Substring Symbol Throwable
        Type UInt Undefined Unknown Void
        """)
}

/// The keywords of a language, which stand in backticks as names.
enum Keywords {
    static let swift: Set<String> = set(
        """
        Any Protocol Self Type actor as associatedtype async await break case catch class continue
        default defer deinit do else enum extension fallthrough false fileprivate for func guard if
        import in init inout internal is let nil operator precedencegroup private protocol public
        repeat rethrows return self static struct subscript super switch throw throws true try
        typealias var where while
        """)

    static let kotlin: Set<String> = set(
        """
        as break class continue do else false for fun if in interface is null object package return
        super this throw true try typealias typeof val var when while
        """)

    private static func set(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
