/// The parameters of a query, `a=1&b=2`, in order.
///
/// They are decoded only when asked for, so that what nobody knows is never an error. A `+` is a
/// plus sign: this is RFC 3986's query, not a web form.
package struct Query: Sendable {
    /// One parameter.
    package struct Item: Sendable, Hashable {
        /// Its name, decoded; as it was sent when it cannot be.
        package let name: String
        /// Its value as it was sent, escapes untouched; empty when there is no `=`.
        package let rawValue: String
    }

    /// All parameters in the order sent; empty pieces (`&&`) are skipped.
    package let items: [Item]

    /// The parameters of what follows the `?` of a target; none for `nil`.
    ///
    /// - Complexity: O(bytes).
    package init(_ raw: String?) {
        guard let raw, !raw.isEmpty else {
            items = []
            return
        }
        items = Array(raw.utf8).split(separator: UInt8(ascii: "&")).map(Self.item)
    }

    /// The decoded value of a parameter; `nil` when it was not sent.
    ///
    /// - Throws: ``HTTPError/invalidParameter(name:_:)`` naming it when it was sent more than once,
    ///   has a malformed escape or is not UTF-8.
    package func value(_ name: String) throws(HTTPError) -> String? {
        guard let raw = try rawValue(name) else { return nil }
        return try Self.decode(raw.utf8, of: name)
    }

    /// The value of a parameter as it was sent; `nil` when it was not.
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

    /// The decoded elements of a comma-separated parameter; `nil` when it was not sent.
    ///
    /// An empty value has no elements. Commas part elements before decoding, so that `%2C` stays
    /// within one.
    /// - Throws: as ``value(_:)``.
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
