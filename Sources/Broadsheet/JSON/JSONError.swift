/// Why and where a text is no JSON, as strictly as RFC 8259 and the limits in force have it.
///
/// `offset` is that of the first byte that cannot be JSON; where that byte is part of a word, a
/// number, an escape sequence or a character of several bytes, the start of that. For a text that
/// ends too early it is the text's length.
public struct JSONError: Error, Hashable, Sendable {
    /// The byte at fault, counted from 0; a leading byte order mark counts as its three bytes.
    public let offset: Int
    /// The line of that byte, counted from 1.
    public let line: Int
    /// The byte's place in its line, counted from 1.
    public let column: Int
    /// What is wrong there.
    public let reason: Reason

    /// Makes the error at `offset` of `bytes`; O(offset), since lines are counted only now.
    package init(_ reason: Reason, at offset: Int, in bytes: [UInt8]) {
        let position = JSONPosition(of: offset, in: bytes)
        self.offset = offset
        self.line = position.line
        self.column = position.column
        self.reason = reason
    }

    /// The ways in which a text can fail to be JSON.
    public enum Reason: Hashable, Sendable {
        /// The text ends before its value does.
        case endsTooEarly
        /// A byte that starts no value stands where a value should.
        case expectedValue
        /// Something other than a string stands where a member's name should.
        case expectedName
        /// Something other than `:` follows a member's name.
        case expectedColon
        /// Something other than `,` or `]` follows an element.
        case expectedCommaOrBracket
        /// Something other than `,` or `}` follows a member.
        case expectedCommaOrBrace
        /// Something follows the document's value.
        case trailingBytes
        /// A word that starts like `true`, `false` or `null` goes on differently.
        case malformedLiteral
        /// A number lacks a digit behind its sign, point or `e`.
        case expectedDigit
        /// A digit follows a leading zero.
        case leadingZero
        /// A byte below 0x20 stands unescaped in a string.
        case controlCharacter
        /// A backslash is followed by something that RFC 8259 section 7 does not name.
        case malformedEscape
        /// An escaped surrogate has no partner, so it stands for no character.
        case loneSurrogate
        /// The bytes are not UTF-8 (RFC 3629): overlong, a surrogate, too large, or out of place.
        case malformedUTF8
        /// A container stands deeper than the limit; the document's own counts 1.
        case tooDeep(limit: Int)
        /// The text has more bytes than an index can address.
        case tooLarge(limit: Int)
    }

    /// A sentence for the person who sent the text.
    public var detail: String { reason.detail }
}

extension JSONError.Reason {
    /// A sentence for the person who sent the text.
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
        case .malformedEscape: "This is no escape sequence of JSON."
        case .loneSurrogate: "The escaped surrogate has no partner."
        case .malformedUTF8: "This is not valid UTF-8."
        case .tooDeep(let limit): "Containers may be nested at most \(limit) deep."
        case .tooLarge(let limit): "The text has more than \(limit) bytes."
        }
    }
}
