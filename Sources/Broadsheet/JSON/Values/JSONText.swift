/// A text as it stands in a document: a string's content between its quotes, or a number's bytes.
///
/// Two texts are equal when their code points are, however each is escaped and whether it is a
/// string or a number: `"\u0061"` equals `"a"`, and `"1e2"` equals `1e2` but not `100`.
public struct JSONText: Sendable, Hashable {
    /// The bytes of the document that the text is part of.
    package let bytes: [UInt8]
    /// Where in `bytes` it stands.
    package let range: Range<UInt32>
    /// Whether it holds escapes, so that it says something else than its bytes.
    package let hasEscapes: Bool

    /// Makes the text at `range` of `bytes`, which an indexer has accepted.
    package init(bytes: [UInt8], range: Range<UInt32>, hasEscapes: Bool) {
        self.bytes = bytes
        self.range = range
        self.hasEscapes = hasEscapes
    }

    /// The text, escapes decoded; O(length).
    public var string: String {
        withContent { content in
            if !hasEscapes { return String(decoding: content, as: UTF8.self) }
            return String(decoding: Self.decoded(content), as: UTF8.self)
        }
    }

    /// The UTF-8 bytes of the text, escapes decoded; O(length).
    package var utf8: [UInt8] {
        withContent { content in hasEscapes ? Self.decoded(content) : Array(content) }
    }

    /// Whether the text is the key's name; O(length).
    package func equals(_ key: JSONKey) -> Bool {
        withContent { content in key.matches(content, hasEscapes: hasEscapes) }
    }

    /// Whether both texts have the same code points; O(length).
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

    /// Hashes the decoded text, so that equal texts have equal hashes; O(length).
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

    /// Calls `body` with the raw content, which is valid during the call only.
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
    /// The text, escapes decoded.
    public var description: String { string }
}
