/// The reason and the position at which a text violates RFC 8259 or a limit.
///
/// `offset` is that of the first byte that cannot be JSON. If that byte is part of a literal, a
/// number, an escape sequence or a multi-byte character, `offset` is the start of that. For a text
/// that ends too early it is the text's length.
public struct JSONError: Error, Hashable, Sendable {
    /// The byte offset, counted from 0; a leading byte order mark counts as three bytes.
    public let offset: Int
    /// The line, counted from 1.
    public let line: Int
    /// The position in the line, in bytes, counted from 1.
    public let column: Int
    /// The reason.
    public let reason: Reason

    /// Creates the error at `offset` of `bytes`, and counts its line in O(offset).
    package init(_ reason: Reason, at offset: Int, in bytes: [UInt8]) {
        let position = JSONPosition(of: offset, in: bytes)
        self.offset = offset
        self.line = position.line
        self.column = position.column
        self.reason = reason
    }

    /// The reasons for which a text is not valid JSON.
    public enum Reason: Hashable, Sendable {
        /// The text ends before its value does.
        case endsTooEarly
        /// A value was expected, and the byte begins none.
        case expectedValue
        /// A member's name was expected, and the byte begins no string.
        case expectedName
        /// Something other than `:` follows a member's name.
        case expectedColon
        /// Something other than `,` or `]` follows an element.
        case expectedCommaOrBracket
        /// Something other than `,` or `}` follows a member.
        case expectedCommaOrBrace
        /// Something follows the document's value.
        case trailingBytes
        /// A word begins like `true`, `false` or `null` and continues differently.
        case malformedLiteral
        /// A number has no digit after its sign, point or `e`.
        case expectedDigit
        /// A digit follows a leading zero.
        case leadingZero
        /// A byte below 0x20 occurs unescaped in a string.
        case controlCharacter
        /// A backslash is followed by something that RFC 8259 section 7 does not allow.
        case malformedEscape
        /// An escaped surrogate is not part of a pair.
        case loneSurrogate
        /// The bytes are not UTF-8 (RFC 3629): overlong, a surrogate, too large, or out of place.
        case malformedUTF8
        /// A container is nested deeper than the limit; the depth of the document's own is 1.
        case tooDeep(limit: Int)
        /// The text has more bytes than the limit.
        case tooLarge(limit: Int)

        package var isOfLimit: Bool {
            switch self {
            case .tooDeep, .tooLarge: true
            case .endsTooEarly, .expectedValue, .expectedName, .expectedColon,
                .expectedCommaOrBracket, .expectedCommaOrBrace, .trailingBytes, .malformedLiteral,
                .expectedDigit, .leadingZero, .controlCharacter, .malformedEscape, .loneSurrogate,
                .malformedUTF8:
                false
            }
        }
    }

    /// A description of the error, for the sender of the text.
    public var detail: String { reason.detail }
}

extension JSONError.Reason {
    /// A description of the error, for the sender of the text.
    public var detail: String {
        switch self {
        case .endsTooEarly: "The text ends before its JSON value does."
        case .expectedValue: "A JSON value was expected here."
        case .expectedName: "A member's name in double quotes was expected here."
        case .expectedColon: "A ':' was expected after the member's name."
        case .expectedCommaOrBracket: "A ',' or ']' was expected after the element."
        case .expectedCommaOrBrace: "A ',' or '}' was expected after the member."
        case .trailingBytes: "Nothing but white space may follow the JSON value."
        case .malformedLiteral: "The only bare words are true, false and null."
        case .expectedDigit: "The number lacks digits."
        case .leadingZero: "A number must not have leading zeros."
        case .controlCharacter: "Control characters in a string must be escaped."
        case .malformedEscape: "This is not an escape sequence of JSON."
        case .loneSurrogate: "The escaped surrogate has no partner."
        case .malformedUTF8: "This is not valid UTF-8."
        case .tooDeep(let limit): "Containers may be nested at most \(limit) deep."
        case .tooLarge(let limit): "The text has more than \(limit) bytes."
        }
    }
}

/// A line and a column of a text, as editors show them.
public struct JSONPosition: Hashable, Sendable {
    /// The line, counted from 1; a line ends with its line feed.
    public let line: Int
    /// The position in the line, in bytes, counted from 1; a leading byte order mark does not
    /// count.
    public let column: Int

    /// Creates the position of the byte at `offset`, which may be the end of `bytes`.
    ///
    /// - Complexity: O(offset).
    public init(of offset: Int, in bytes: [UInt8]) {
        var line = 1
        var start = JSONDocument.byteOrderMarkLength(in: bytes)
        for index in 0..<min(max(offset, 0), bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        self.line = line
        self.column = max(offset - start, 0) + 1
    }
}

extension JSONError: CustomStringConvertible {
    /// The line, the column and the reason.
    public var description: String { "line \(line), column \(column): \(detail)" }
}
