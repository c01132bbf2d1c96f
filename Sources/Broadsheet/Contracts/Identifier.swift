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
        left.text.utf8.elementsEqual(right.text.utf8)
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
