/// A text that names something: a section, a unit type.
///
/// Equal only when the code points are.
///
/// Swift's strings are equal when they look the same, however their characters are composed; what a
/// backend tells apart must stay apart here (docs/api.md, "Layout out").
package struct Identifier: Sendable, Hashable {
    /// The text.
    package let text: String

    /// Makes an identifier of `text`.
    package init(_ text: String) {
        self.text = text
    }

    /// Whether both have the same code points; O(length).
    package static func == (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the text's bytes; O(length).
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
