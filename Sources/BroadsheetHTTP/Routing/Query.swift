/// The parameters of a query, `a=1&b=2`, in order.
///
/// They are decoded on access, so that an unknown parameter is never an error. A `+` is a plus
/// sign: this is RFC 3986's query, not a web form.
package struct Query: Sendable {
    /// One parameter.
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
        var found: String?
        for item in items where item.name == name {
            guard found == nil else { throw .invalidParameter(name: name, .repeated) }
            found = item.rawValue
        }
        return found
    }

    /// Returns the decoded elements of a comma-separated parameter; `nil` when it was not sent.
    ///
    /// An empty value has no elements. The value is split at commas before it is decoded, so that
    /// `%2C` stays within an element.
    ///
    /// - Throws: The errors of ``value(_:)``.
    package func list(_ name: String) throws(HTTPError) -> [String]? {
        guard let raw = try rawValue(name) else { return nil }
        guard !raw.isEmpty else { return [] }
        var elements: [String] = []
        let pieces = Array(raw.utf8).split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for piece in pieces {
            elements.append(try Self.decode(piece, of: name))
        }
        return elements
    }

    private static func item(_ piece: ArraySlice<UInt8>) -> Item {
        let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
        let rawName = piece[..<equals]
        let name = try? PercentDecoding.decode(rawName)
        return Item(
            name: name ?? String(decoding: rawName, as: UTF8.self),
            rawValue: String(decoding: piece[equals...].dropFirst(), as: UTF8.self))
    }

    private static func decode(
        _ bytes: some Collection<UInt8>, of name: String
    ) throws(HTTPError) -> String {
        do {
            return try PercentDecoding.decode(bytes)
        } catch {
            throw .invalidParameter(name: name, error)
        }
    }
}
