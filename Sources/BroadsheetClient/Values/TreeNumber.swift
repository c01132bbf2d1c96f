/// A number of JSON, as its text.
///
/// Two numbers are equal if they have the same value, exactly: `1e2` is 100, and
/// 9007199254740993 is not 9007199254740992.
public struct TreeNumber: Sendable {
    /// The number in the notation that it was read in; of a `Double`, the shortest text that reads
    /// back, without `.0`.
    public let text: String

    package init(validated text: String) { self.text = text }

    /// Creates the number of an integer.
    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Creates the number of a value; `nil` for NaN and the infinities.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(finite: value)
    }

    /// Creates the number of a length, which is 0 if it is not finite.
    package init(length: Double) { self.init(finite: length.isFinite ? length : 0) }

    private init(finite value: Double) {
        let text = value.description
        self.text = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private var decimal: JSONDecimal { JSONDecimal(Array(text.utf8)) }

    /// The nearest `Double`; an infinity beyond its range.
    public var double: Double { Double(text) ?? 0 }

    /// Returns the value as an integer, or `nil` if it is not exactly one of the type.
    ///
    /// - Complexity: O(digits).
    public func integer<I: FixedWidthInteger>(_ type: I.Type = I.self) -> I? {
        I(text) ?? decimal.integer(type)
    }
}

extension TreeNumber: Hashable {
    /// Returns whether two numbers have the same value.
    public static func == (one: TreeNumber, other: TreeNumber) -> Bool {
        one.text == other.text || one.decimal == other.decimal
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
}

extension TreeNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    CustomStringConvertible
{
    /// Creates the number of an integer.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates the number of a value.
    public init(floatLiteral value: Double) { self.init(length: value) }

    /// The text.
    public var description: String { text }
}
