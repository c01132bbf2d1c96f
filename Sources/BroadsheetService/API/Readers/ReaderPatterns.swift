/// A pattern of screens that may contain the reader: the `sub` of a token, in place of `{sub}`.
struct ReaderPattern: Sendable, Hashable {
    /// The part of a pattern with a reader.
    struct Parts: Sendable, Hashable {
        /// The text before the reader.
        let before: String
        /// The text after the reader.
        let after: String
        /// A Boolean value that indicates whether names may continue after the texts.
        let isOpenEnded: Bool
    }

    private enum Form: Sendable, Hashable {
        case fixed(ScreenPattern)
        case ofReader(Parts)
    }

    /// The place of the reader.
    static let placeholder = "{sub}"

    private let form: Form

    /// Reads a pattern such as `home-*` or `user-{sub}-*`; `nil` for any other text.
    ///
    /// `*` does not follow the reader directly: `user-{sub}*` would include `user-ab` for `a`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: Self.placeholder, omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            guard let pattern = ScreenPattern(text) else { return nil }
            form = .fixed(pattern)
            return
        }
        let isOpenEnded = text.hasSuffix("*")
        guard parts.count == 2, let before = parts.first, let rest = parts.last, rest != "*",
            ScreenPattern("\(before)x\(rest)") != nil
        else { return nil }
        form = .ofReader(
            Parts(
                before: String(before), after: String(isOpenEnded ? rest.dropLast() : rest),
                isOpenEnded: isOpenEnded))
    }

    /// The parts of a pattern with a reader; `nil` for one without.
    var parts: Parts? {
        if case .ofReader(let parts) = form { parts } else { nil }
    }

    var text: String {
        switch form {
        case .fixed(let pattern): pattern.text
        case .ofReader(let parts):
            parts.before + Self.placeholder + parts.after + (parts.isOpenEnded ? "*" : "")
        }
    }

    /// `reader` is `nil` for one that has no screens of its own.
    func matches(_ screen: String, of reader: String?) -> Bool {
        let parts: Parts
        switch form {
        case .fixed(let pattern): return pattern.matches(screen)
        case .ofReader(let own): parts = own
        }
        guard let reader else { return false }
        var rest = screen.utf8[...]
        for text in [parts.before, reader, parts.after] {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
        }
        return parts.isOpenEnded || rest.isEmpty
    }

    /// Returns the pattern of a reader's screens; `nil` if it matches no name.
    func pattern(of reader: String?) -> ScreenPattern? {
        switch form {
        case .fixed(let pattern): return pattern
        case .ofReader(let parts):
            guard let reader else { return nil }
            return ScreenPattern(
                parts.before + reader + parts.after + (parts.isOpenEnded ? "*" : ""))
        }
    }
}

/// The screens of an issuer's readers, as patterns of one line.
///
/// No name with a reader in it is that of two readers: a reader that has a character which follows
/// `{sub}` in a pattern of the line has no screens of its own, and the texts before it are equal,
/// or neither begins the other.
package struct ReaderPatterns: Sendable, Hashable {
    private let patterns: [ReaderPattern]
    /// The characters that follow a reader.
    private let separators: Set<UInt8>

    /// Reads patterns separated by commas; throws the requirement that they do not meet.
    init(_ text: String) throws(KeyLineViolation) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let patterns = parts.compactMap { ReaderPattern($0) }
        guard patterns.count == parts.count, patterns.count <= ScreenPatterns.maxCount else {
            throw KeyLineViolation(
                "the patterns must be at most \(ScreenPatterns.maxCount) names of screens, each "
                    + "with or without * at its end, and with {sub} at most once and not directly "
                    + "before *, such as home,user-{sub}-*")
        }
        let before = Set(patterns.compactMap { $0.parts?.before })
        for one in before {
            guard before.allSatisfy({ $0 == one || !$0.utf8.starts(with: one.utf8) }) else {
                throw KeyLineViolation(
                    "the texts before {sub} in the patterns must be equal, or none may be the "
                        + "beginning of another one")
            }
        }
        self.patterns = patterns
        separators = Set(patterns.compactMap { $0.parts?.after.utf8.first })
    }

    package static func areValid(_ text: String) -> Bool { (try? Self(text)) != nil }

    package var text: String { patterns.map(\.text).joined(separator: ",") }

    var haveReader: Bool { patterns.contains { $0.parts != nil } }

    /// Returns a reader if it can have screens of its own, else `nil`.
    func reader(_ sub: String?) -> String? {
        guard let sub, !sub.isEmpty else { return nil }
        let isAllowed = sub.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                !separators.contains(byte)
            default: false
            }
        }
        return isAllowed ? sub : nil
    }

    func contains(_ screen: String, of sub: String?) -> Bool {
        let reader = reader(sub)
        return patterns.contains { $0.matches(screen, of: reader) }
    }

    func patterns(of sub: String?) -> [ScreenPattern] {
        let reader = reader(sub)
        return patterns.compactMap { $0.pattern(of: reader) }
    }
}
