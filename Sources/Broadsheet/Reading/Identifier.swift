/// A text that identifies a section or a unit type.
///
/// Identifiers are compared by their code points. Swift compares strings by canonical equivalence,
/// but names that a backend distinguishes must stay distinct (docs/api.md, "The tree").
package struct Identifier: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Returns whether both have the same code points.
    ///
    /// - Complexity: O(length).
    package static func == (left: Identifier, right: Identifier) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }

    /// Hashes the bytes of the text.
    ///
    /// - Complexity: O(length).
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Returns whether both texts have the same code points.
    ///
    /// It differs from `==`, which compares by canonical equivalence.
    ///
    /// - Complexity: O(length).
    package func hasSameCodePoints(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        // The iterators of strings take longer than a loop over their bytes.
        let isSame = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { left.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? left.elementsEqual(right)
    }
}

/// A set of identifiers, compared by their code points and sorted by their bytes.
///
/// Two lists of the same identifiers are equal regardless of the order that they were given in.
public struct IdentifierList: Sendable {
    /// The identifiers in the order of their UTF-8 bytes, each once.
    public let texts: [String]

    /// Creates a list of identifiers, removing repetitions.
    public init(_ texts: [String] = []) {
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.texts = sorted.reduce(into: []) { unique, text in
            if unique.last?.utf8.elementsEqual(text.utf8) != true { unique.append(text) }
        }
    }

    /// The length of the list in bytes of UTF-8, with a comma between each two identifiers.
    package var byteCount: Int {
        texts.reduce(0) { $0 + $1.utf8.count } + max(texts.count - 1, 0)
    }

    /// Returns the first identifier that another list has too, or `nil`.
    ///
    /// - Complexity: O(identifiers of both lists).
    package func firstCommon(with other: IdentifierList) -> String? {
        let names = Set(other.texts.map { Array($0.utf8) })
        return names.isEmpty ? nil : texts.first { names.contains(Array($0.utf8)) }
    }
}

extension IdentifierList: Hashable {
    /// Returns whether two lists have the same identifiers, code point by code point.
    public static func == (left: IdentifierList, right: IdentifierList) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes the bytes of every identifier.
    public func hash(into hasher: inout Hasher) {
        for text in texts { hasher.combine(Array(text.utf8)) }
    }
}

extension IdentifierList: ExpressibleByArrayLiteral {
    /// Creates a list of the identifiers of an array literal.
    public init(arrayLiteral elements: String...) { self.init(elements) }
}
