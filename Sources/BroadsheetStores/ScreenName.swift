/// The name of a screen: 1 to 128 of `A-Z a-z 0-9 . _ ~ -`, but not `.` or `..` (docs/api.md,
/// "Screens").
///
/// The characters are the unreserved ones of RFC 3986, so a name needs no escaping in a URL. `.`
/// and `..` are excluded because URL parsers resolve them as path segments.
public struct ScreenName: Hashable, Sendable {
    /// The characters of the name, ASCII only.
    public let text: String

    /// The maximum length, in characters.
    public static let maxLength = 128

    /// A name for queries about the state of a server, whether or not there is such a screen.
    static let any = ScreenName(unchecked: "any")

    private init(unchecked text: String) { self.text = text }

    /// Creates a name from text, or `nil` if the text is not a valid name.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= Self.maxLength, bytes.allSatisfy(Self.isAllowed),
            text != ".", text != ".."
        else { return nil }
        self.text = text
    }

    fileprivate static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ScreenName: Comparable {
    /// Orders names by their bytes, an order in which every store can keep an index.
    public static func < (left: ScreenName, right: ScreenName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// The beginning of screen names: up to 128 of the characters of a name, or none.
public struct ScreenNamePrefix: Hashable, Sendable {
    /// The characters of the prefix, ASCII only.
    public let text: String

    /// The prefix of every name.
    public static let none = ScreenNamePrefix(unchecked: "")

    /// Creates a prefix from text, or `nil` if no name can begin with the text.
    public init?(_ text: String) {
        guard text.utf8.count <= ScreenName.maxLength, text.utf8.allSatisfy(ScreenName.isAllowed)
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// A Boolean value that indicates whether every name begins with the prefix.
    public var isEmpty: Bool { text.isEmpty }

    /// Returns whether a name begins with the prefix.
    public func matches(_ name: ScreenName) -> Bool { name.text.utf8.starts(with: text.utf8) }

    /// Returns the least text of those that names after `name` with the prefix can equal.
    ///
    /// `!` precedes every character of a name.
    public func lowerBound(after name: ScreenName?) -> String {
        guard let name, !name.text.utf8.lexicographicallyPrecedes(text.utf8) else { return text }
        return name.text + "!"
    }

    /// The least text that follows all names with the prefix: DEL follows every character of a
    /// name.
    public var upperBound: String { text + "\u{7F}" }
}

extension ScreenName: CustomStringConvertible {
    /// The characters of the name.
    public var description: String { text }
}
