/// The label of a box: a text of constants and values of the data, joined.
package struct ContentLabel: Sendable, Hashable {
    /// A part of the text.
    package enum Part: Sendable, Hashable {
        case constant(String)
        case value(JSONPointer)
    }

    package let parts: [Part]
    package let separator: String

    var pointers: [JSONPointer] {
        parts.compactMap { if case .value(let pointer) = $0 { pointer } else { nil } }
    }

    /// Returns whether the label is there: its text is not only white space, and one of its
    /// pointers, if it has any, finds a string or a number.
    ///
    /// - Complexity: O(bytes of the text).
    func isThere(in data: JSONValue) -> Bool {
        var (count, found, hasText, hasPointers) = (0, false, false, false)
        for part in parts {
            switch part {
            case .constant(let constant):
                hasText = hasText || constant.hasVisibleText
            case .value(let pointer):
                hasPointers = true
                guard let text = pointer.evaluate(on: data)?.text else { continue }
                found = true
                hasText = hasText || text.hasVisibleText
            }
            count += 1
        }
        if count > 1 { hasText = hasText || separator.hasVisibleText }
        return hasText && (found || !hasPointers)
    }
}

extension String {
    /// A Boolean value that indicates whether the text is not only white space (Unicode).
    var hasVisibleText: Bool { unicodeScalars.contains { !$0.isWhiteSpace } }
}

extension Unicode.Scalar {
    /// The property `White_Space`, without the search of the standard library's tables, which takes
    /// long for each of many labels.
    fileprivate var isWhiteSpace: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
            0x3000:
            true
        default: false
        }
    }
}

extension JSONText {
    fileprivate var hasVisibleText: Bool {
        let first = withContent { content in content.first { $0 != UInt8(ascii: " ") } }
        guard let first else { return false }
        // Most texts begin with a visible character of ASCII.
        return 0x21..<0x5C ~= first || string.hasVisibleText
    }
}
