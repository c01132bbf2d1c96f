/// Percent-decoding (RFC 3986 §2.1).
package enum PercentDecoding {
    /// Decodes `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - plusIsSpace: A Boolean value that indicates whether a `+` is a space, as in queries;
    ///     elsewhere it is a plus sign.
    /// - Throws: `.malformedEscape`, or `.notUTF8` when the decoded bytes are not UTF-8.
    /// - Complexity: O(bytes).
    package static func decode(
        _ bytes: some Collection<UInt8>, plusIsSpace: Bool = false
    ) throws(InvalidParameter) -> String {
        let plus = plusIsSpace ? UInt8(ascii: "+") : UInt8(ascii: "%")
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == plus }) else {
            return try text(bytes)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            switch byte {
            case UInt8(ascii: "%"): decoded.append(try takeEscape(from: bytes, at: &index))
            case plus: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        return try text(decoded)
    }

    /// Reads the two digits at `index`, and advances `index` past them.
    private static func takeEscape<Bytes: Collection<UInt8>>(
        from bytes: Bytes, at index: inout Bytes.Index
    ) throws(InvalidParameter) -> UInt8 {
        var value = 0
        for _ in 0..<2 {
            guard index != bytes.endIndex, let digit = bytes[index].hexValue else {
                throw .malformedEscape
            }
            value = value << 4 | digit
            bytes.formIndex(after: &index)
        }
        return UInt8(truncatingIfNeeded: value)
    }

    private static func text(_ bytes: some Collection<UInt8>) throws(InvalidParameter) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}
