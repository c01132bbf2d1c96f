import BroadsheetStores

/// A pattern of screens: the name of one, or the beginning of names with `*` after it.
package struct ScreenPattern: Sendable, Hashable {
    /// The name, or the beginning of names.
    let prefix: ScreenNamePrefix
    let isOpenEnded: Bool

    /// Reads a pattern such as `checkout`, `home-*` or `*`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        isOpenEnded = text.hasSuffix("*")
        let name = String(isOpenEnded ? text.dropLast() : text[...])
        guard let prefix = ScreenNamePrefix(name), isOpenEnded || ScreenName(name) != nil else {
            return nil
        }
        self.prefix = prefix
    }

    static let all = ScreenPattern(prefix: .none, isOpenEnded: true)

    private init(prefix: ScreenNamePrefix, isOpenEnded: Bool) {
        self.prefix = prefix
        self.isOpenEnded = isOpenEnded
    }

    package var text: String { prefix.text + (isOpenEnded ? "*" : "") }

    func matches(_ name: String) -> Bool {
        isOpenEnded ? name.utf8.starts(with: prefix.text.utf8) : name == prefix.text
    }

    private func includes(_ other: ScreenPattern) -> Bool {
        isOpenEnded ? matches(other.prefix.text) : self == other
    }

    /// Returns the pattern of the names that match two; `nil` if there are none.
    fileprivate static func common(_ one: ScreenPattern, _ other: ScreenPattern) -> ScreenPattern? {
        if one.includes(other) { return other }
        return other.includes(one) ? one : nil
    }

    /// Returns the patterns in the order of their names, without those that another one includes,
    /// so that no name matches two of them.
    static func distinct(_ patterns: [ScreenPattern]) -> [ScreenPattern] {
        let sorted = patterns.sorted {
            $0.prefix == $1.prefix
                ? $0.isOpenEnded && !$1.isOpenEnded
                : $0.prefix.text.utf8.lexicographicallyPrecedes($1.prefix.text.utf8)
        }
        // A pattern that includes others precedes them, and they follow without others in between.
        return sorted.reduce(into: []) { kept, pattern in
            if kept.last?.includes(pattern) != true { kept.append(pattern) }
        }
    }
}

/// The screens of a key, as patterns.
package struct ScreenPatterns: Sendable, Hashable {
    let given: [ScreenPattern]
    /// The patterns in the order of their names; no name matches two of them.
    let distinct: [ScreenPattern]

    package static let maxCount = 100

    package static let all = ScreenPatterns([.all])

    init(_ patterns: [ScreenPattern]) {
        given = patterns
        distinct = ScreenPattern.distinct(patterns)
    }

    /// Creates the patterns of the names that match one of each list.
    init(_ patterns: [ScreenPattern], and others: [ScreenPattern]) {
        let others = ScreenPattern.distinct(others)
        self.init(
            ScreenPattern.distinct(patterns).flatMap { pattern in
                others.compactMap { ScreenPattern.common(pattern, $0) }
            })
    }

    /// Reads patterns separated by commas, or returns `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let patterns = parts.compactMap { ScreenPattern($0) }
        guard patterns.count == parts.count, patterns.count <= Self.maxCount else { return nil }
        self.init(patterns)
    }

    package var text: String { given.map(\.text).joined(separator: ",") }

    func contains(_ screen: String) -> Bool { distinct.contains { $0.matches(screen) } }
}
