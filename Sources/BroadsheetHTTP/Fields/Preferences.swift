/// The preferences of a request that the daemon supports (RFC 7240).
package struct Preferences: Sendable, Hashable {
    /// The preferred content of the response to a write (RFC 7240 §4.2).
    package enum Return: Sendable, Hashable {
        /// The status only.
        case minimal
        /// The new representation.
        case representation
    }

    /// The value of `return=…`; `nil` when there is none or an unknown one.
    package let `return`: Return?

    /// Reads the Prefer fields of a request.
    ///
    /// Unknown or malformed preferences are ignored (RFC 7240 §2); the first of a repeated name is
    /// used.
    package init(in headers: HTTPHeaders) {
        for line in headers.values(of: .prefer) {
            if let value = Self.value(of: "return", in: line) {
                self.return =
                    switch value {
                    case "minimal": .minimal
                    case "representation": .representation
                    default: nil
                    }
                return
            }
        }
        self.return = nil
    }

    /// Returns the value of the first preference of that name in `name[=word] *(";" …) *("," …)`;
    /// empty when it has none.
    private static func value(of wanted: String, in line: String) -> String? {
        var scanner = ParameterScanner(line)
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            if let name = scanner.token() {
                scanner.skipBlanks()
                var value: String? = ""
                if scanner.take(UInt8(ascii: "=")) {
                    scanner.skipBlanks()
                    value = scanner.word()
                }
                if let value, name.lowercased() == wanted { return value }
            }
            scanner.skip(to: UInt8(ascii: ","))
            _ = scanner.take(UInt8(ascii: ","))
        }
        return nil
    }
}
