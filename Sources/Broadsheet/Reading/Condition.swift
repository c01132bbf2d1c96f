/// The client, the flags and the viewport's width that conditions are about.
package struct Audience: Sendable {
    /// The app; `nil` for the newest there could be, of whichever platform is named.
    let client: Client?
    let flags: Set<String>
    let width: Double
}

/// A condition on which a part of a page is there (docs/clients.md, "Conditions").
///
/// It is immutable and compared by value; the parts of a page that have the same text share one.
final class Condition: Sendable {
    /// The versions of the apps by their platforms; `nil` for every app.
    let clients: [String: Comparisons<ClientVersion>]?
    let flags: Set<String>
    let without: Set<String>
    let width: Comparisons<Double>?
    /// A Boolean value that indicates whether apps of other platforms, and the newest there could
    /// be, are among the clients.
    private let includesOthers: Bool
    private let hash: Int

    init(
        clients: [String: Comparisons<ClientVersion>]?, flags: Set<String> = [],
        without: Set<String> = [], width: Comparisons<Double>? = nil, includesOthers: Bool = false
    ) {
        self.clients = clients
        self.flags = flags
        self.without = without
        self.width = width
        self.includesOthers = includesOthers
        var hasher = Hasher()
        hasher.combine(clients)
        hasher.combine(flags)
        hasher.combine(without)
        hasher.combine(width)
        hasher.combine(includesOthers)
        hash = hasher.finalize()
    }

    func holds(for audience: Audience) -> Bool {
        flags.isSubset(of: audience.flags) && without.isDisjoint(with: audience.flags)
            && (width?.hold(for: audience.width) ?? true) && includes(audience.client)
    }

    /// Returns whether an app is among the clients.
    ///
    /// Without an app every platform has to include the newest version, so that of two variants one
    /// is shown at most.
    private func includes(_ client: Client?) -> Bool {
        guard let clients else { return true }
        guard let client else {
            return includesOthers
                || !clients.isEmpty && clients.values.allSatisfy { $0.hold(for: nil) }
        }
        return clients[client.platform]?.hold(for: client.version) ?? includesOthers
    }
}

extension Condition: Hashable {
    static func == (left: Condition, right: Condition) -> Bool {
        left === right
            || left.hash == right.hash && left.clients == right.clients
                && left.flags == right.flags && left.without == right.without
                && left.width == right.width && left.includesOthers == right.includesOthers
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Comparisons with a value, all of which have to hold.
struct Comparisons<Value: Comparable & Hashable & Sendable>: Sendable, Hashable {
    private struct Comparison: Sendable, Hashable {
        let comparator: Comparator
        let bound: Value
    }

    private let all: [Comparison]

    /// Creates the comparison with a lower bound; without one it holds for no value.
    init(atLeast bound: Value?, below never: Value) {
        all = [
            bound.map { Comparison(comparator: .atLeast, bound: $0) }
                ?? Comparison(comparator: .below, bound: never)
        ]
    }

    /// Reads comparisons that are joined by blanks, with the number right behind each operator;
    /// `nil` if the text is anything else.
    init?(_ text: String, _ bound: (Substring) -> Value?) {
        guard text.first != " ", text.last != " " else { return nil }
        let words = text.split(separator: " ")
        guard 1...ConditionLimits.maxComparisons ~= words.count else { return nil }
        var all: [Comparison] = []
        for word in words {
            let comparator = Comparator.allCases.first { word.hasPrefix($0.rawValue) }
            guard let comparator,
                let bound = bound(word.dropFirst(comparator.rawValue.count))
            else { return nil }
            all.append(Comparison(comparator: comparator, bound: bound))
        }
        self.all = all
    }

    var lowerBound: Value? {
        all.filter { $0.comparator.isLowerBound || $0.comparator == .equal }.map(\.bound).max()
    }

    /// Returns whether all comparisons hold for a value; `nil` is greater than every value.
    func hold(for value: Value?) -> Bool {
        all.allSatisfy { comparison in
            guard let value else { return comparison.comparator.isLowerBound }
            return comparison.comparator.holds(value, comparison.bound)
        }
    }
}

/// The operators of comparisons; those that begin with another one come first.
private enum Comparator: String, Sendable, CaseIterable {
    case atLeast = ">="
    case above = ">"
    case atMost = "<="
    case below = "<"
    case equal = "="

    /// A Boolean value that indicates whether it holds for everything that is large enough.
    var isLowerBound: Bool { self == .atLeast || self == .above }

    func holds<Value: Comparable>(_ value: Value, _ bound: Value) -> Bool {
        switch self {
        case .atLeast: value >= bound
        case .above: value > bound
        case .atMost: value <= bound
        case .below: value < bound
        case .equal: value == bound
        }
    }
}

package enum ConditionLimits {
    /// The largest number of different conditions of a page.
    static let maxConditions = 1024
    package static let maxPlatforms = 32
    static let maxComparisons = 16
}
