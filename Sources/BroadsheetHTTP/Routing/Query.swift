/// The parameters of a query, `a=1&b=2`, in order.
///
/// They are decoded on access, so that a parameter that is not read is never an error. A `+` is a
/// space, as in web forms: URLSearchParams and other libraries for queries write it so.
package struct Query: Sendable {
    package struct Item: Sendable, Hashable {
        /// Its name, decoded; as it was sent when it cannot be decoded.
        package let name: String
        /// Its value as it was sent, with its escapes; empty when there is no `=`.
        package let rawValue: String
    }

    /// The parameters in the order in which they were sent, without empty ones (`&&`).
    package let items: [Item]

    /// Splits the part of a target after its `?`; `nil` has no parameters.
    ///
    /// - Complexity: O(bytes).
    package init(_ raw: String?) {
        guard let raw, !raw.isEmpty else {
            items = []
            return
        }
        items = Array(raw.utf8).split(separator: UInt8(ascii: "&")).map(Self.item)
    }

    /// Returns the decoded value of a parameter; `nil` when it was not sent.
    ///
    /// - Throws: ``HTTPError/invalidParameter(name:_:)`` naming it when it was sent more than once,
    ///   has a malformed escape or is not UTF-8.
    package func value(_ name: String) throws(HTTPError) -> String? {
        guard let raw = try rawValue(name) else { return nil }
        return try Self.decode(raw.utf8, of: name)
    }

    /// Returns the value of a parameter as it was sent; `nil` when it was not.
    ///
    /// - Throws: ``HTTPError/invalidParameter(name:_:)`` when it was sent more than once.
    package func rawValue(_ name: String) throws(HTTPError) -> String? {
        var value: String?
        for item in items where item.name == name {
            guard value == nil else { throw .invalidParameter(name: name, .repeated) }
            value = item.rawValue
        }
        return value
    }

    /// Returns the decoded elements of a list; `nil` when it was not sent.
    ///
    /// The value of a parameter that was sent once is split at commas after it is decoded, since
    /// many libraries escape all commas; an empty one has no elements. Of a parameter that was sent
    /// more often, each value is an element.
    ///
    /// - Throws: The errors of ``value(_:)``, except for a repeated parameter.
    package func list(_ name: String) throws(HTTPError) -> [String]? {
        var values: [String] = []
        for item in items where item.name == name {
            values.append(try Self.decode(item.rawValue.utf8, of: name))
        }
        guard values.count == 1 else { return values.isEmpty ? nil : values }
        guard let value = values.first, !value.isEmpty else { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func item(_ piece: ArraySlice<UInt8>) -> Item {
        let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
        let rawName = piece[..<equals]
        let name = try? PercentDecoding.decode(rawName, plusIsSpace: true)
        return Item(
            name: name ?? String(decoding: rawName, as: UTF8.self),
            rawValue: String(decoding: piece[equals...].dropFirst(), as: UTF8.self))
    }

    private static func decode(
        _ bytes: some Collection<UInt8>, of name: String
    ) throws(HTTPError) -> String {
        do {
            return try PercentDecoding.decode(bytes, plusIsSpace: true)
        } catch {
            throw .invalidParameter(name: name, error)
        }
    }
}

/// Percent-decoding (RFC 3986 §2.1).
package enum PercentDecoding {
    /// Decodes `bytes`.
    ///
    /// - Parameters:
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
