/// A text of a document: a string's content between its quotes, or a number's bytes.
///
/// Two texts are equal if their code points are, regardless of escapes and of the kind of value:
/// `"\u0061"` equals `"a"`, and `"1e2"` equals `1e2` but not `100`.
public struct JSONText: Sendable, Hashable {
    package let bytes: [UInt8]
    package let range: Range<UInt32>
    /// A Boolean value that indicates whether the text has escapes, and so differs from its bytes.
    package let hasEscapes: Bool

    /// The text with its escapes decoded.
    ///
    /// - Complexity: O(length).
    public var string: String {
        withContent { content in
            if !hasEscapes { return String(decoding: content, as: UTF8.self) }
            return String(decoding: Self.decoded(content), as: UTF8.self)
        }
    }

    /// The UTF-8 bytes of the text with its escapes decoded.
    package var utf8: [UInt8] {
        withContent { content in hasEscapes ? Self.decoded(content) : Array(content) }
    }

    /// Returns whether both texts have the same code points.
    ///
    /// - Complexity: O(length).
    public static func == (left: JSONText, right: JSONText) -> Bool {
        left.withContent { leftContent in
            right.withContent { rightContent in
                if left.hasEscapes || right.hasEscapes {
                    return decoded(leftContent) == decoded(rightContent)
                }
                return leftContent.elementsEqual(rightContent)
            }
        }
    }

    /// Hashes the decoded text, so that equal texts have equal hashes.
    ///
    /// - Complexity: O(length).
    public func hash(into hasher: inout Hasher) {
        withContent { content in
            if hasEscapes {
                Self.decoded(content).withUnsafeBytes { hasher.combine(bytes: $0) }
            } else {
                hasher.combine(bytes: UnsafeRawBufferPointer(content))
            }
        }
        hasher.combine(0xFF as UInt8)
    }

    /// Calls `body` with the raw content, which is valid only during the call.
    func withContent<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { all in
            body(UnsafeBufferPointer(rebasing: all[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    private static func decoded(_ content: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        Array(IteratorSequence(JSONUnescaper(content)))
    }
}

extension JSONText: CustomStringConvertible {
    /// The text with its escapes decoded.
    public var description: String { string }
}

extension JSONText {
    func equals(utf8 name: [UInt8]) -> Bool {
        if hasEscapes { return utf8 == name }
        guard range.count == name.count else { return false }
        return withContent { $0.elementsEqual(name) }
    }

    /// It differs from `string == name`, which compares by canonical equivalence.
    package func equals(_ name: String) -> Bool {
        if hasEscapes { return utf8.elementsEqual(name.utf8) }
        guard range.count == name.utf8.count else { return false }
        return bytes[Int(range.lowerBound)..<Int(range.upperBound)].elementsEqual(name.utf8)
    }
}

/// A member's name, prepared for lookups in many objects.
package struct JSONKey: Hashable, Sendable {
    let utf8: [UInt8]

    package init(_ name: String) {
        utf8 = Array(name.utf8)
    }
}
