/// A text that identifies a section or a unit type.
///
/// Identifiers are compared by their code points. Swift compares strings by canonical equivalence,
/// but names that a backend distinguishes must stay distinct (docs/api.md, "The tree").
package struct Identifier: Sendable, Hashable {
    /// The text.
    package let text: String

    /// Creates an identifier from its text.
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
