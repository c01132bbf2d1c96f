/// A path into a document (RFC 6901), compiled for repeated evaluation.
public struct JSONPointer: Hashable, Sendable {
    /// One step, for both kinds of containers; a trivial value, so that no evaluation retains it.
    private struct Token: Hashable, Sendable {
        let name: Range<Int>
        /// The index in an array; `nil` for a token that is not an index, such as `-` and `01`.
        let index: Int?
    }

    private let tokens: [Token]
    /// The names of all tokens in UTF-8, one after the other.
    private let names: [UInt8]
    /// The pointer as it was written.
    public let description: String

    /// Creates a pointer from its text; the empty one refers to the whole document.
    public init(_ text: String) throws(JSONPointerError) {
        description = text
        var tokens: [Token] = []
        var names: [UInt8] = []
        if !text.isEmpty {
            guard text.utf8.first == UInt8(ascii: "/") else { throw .missingSlash }
            var offset = 1
            for part in text.utf8.dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            {
                let name = try Self.unescaped(part, at: offset)
                let start = names.count
                names += Array(name.utf8)
                tokens.append(Token(name: start..<names.count, index: Self.index(name)))
                offset += part.count + 1
            }
        }
        self.tokens = tokens
        self.names = names
    }

    /// Returns the value to which the pointer refers from `value`, or `nil`.
    ///
    /// - Complexity: O(members and elements passed over).
    public func evaluate(on value: JSONValue) -> JSONValue? {
        evaluate(on: value.node, in: value.document).map(value.document.value(at:))
    }

    package func evaluate(on node: UInt32, in document: JSONDocument) -> UInt32? {
        names.withUnsafeBufferPointer { names in
            var current = node
            for token in tokens {
                let name = UnsafeBufferPointer(rebasing: names[token.name])
                let next =
                    document.member(name, of: current)
                    ?? token.index.flatMap { document.element($0, of: current) }
                guard let next else { return nil }
                current = next
            }
            return current
        }
    }

    var steps: [JSONPathStep] {
        tokens.map { JSONPathStep(key: JSONKey(utf8: Array(names[$0.name])), index: $0.index) }
    }

    /// Returns the index that a token's digits form, without sign and leading zeros (RFC 6901
    /// section 4).
    private static func index(_ name: String) -> Int? {
        let digits = name.utf8
        guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0"),
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(name)
    }

    private static func unescaped(
        _ part: Substring.UTF8View, at offset: Int
    ) throws(JSONPointerError) -> String {
        var result: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                result.append(byte)
                continue
            }
            let tilde = offset + part.count - rest.count - 1
            switch rest.popFirst() {
            case UInt8(ascii: "0"): result.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): result.append(UInt8(ascii: "/"))
            default:
                throw .malformedEscape(offset: tilde)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension JSONPointer: ExpressibleByStringLiteral {
    /// Creates a pointer from a literal, which must be one: the program stops otherwise.
    public init(stringLiteral text: String) {
        do throws(JSONPointerError) {
            try self.init(text)
        } catch {
            // Unlike a precondition, it has a message in optimised programs, too.
            fatalError("\"\(text)\" is not a JSON Pointer. \(error.detail)")
        }
    }
}

extension JSONPointer {
    /// Returns the text of `pointer` followed by a step to the member `name`.
    public static func appending(_ pointer: String, _ name: String) -> String {
        var result = pointer + "/"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns the text of `pointer` followed by a step to the element at `index`.
    public static func appending(_ pointer: String, _ index: Int) -> String {
        "\(pointer)/\(index)"
    }
}

/// The reason for which a text is not a JSON Pointer.
public enum JSONPointerError: Error, Hashable, Sendable {
    /// The text is not empty and does not begin with `/` (RFC 6901 section 3).
    case missingSlash
    /// A `~` is followed by neither `0` nor `1`; the offset is the tilde's, in bytes.
    case malformedEscape(offset: Int)

    /// A description of the error, for the author of the pointer.
    public var detail: String {
        switch self {
        case .missingSlash: "A JSON Pointer is empty or begins with '/'."
        case .malformedEscape(let offset):
            "The '~' at byte \(offset) of the JSON Pointer must be followed by 0 or 1."
        }
    }
}

extension JSONPointerError: CustomStringConvertible {
    /// The description for the author of the pointer.
    public var description: String { detail }
}
