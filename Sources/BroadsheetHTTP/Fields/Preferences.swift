/// What a client would like, as far as this product knows it (RFC 7240).
package struct Preferences: Sendable, Hashable {
    /// How much an answer to a write should hold (RFC 7240 §4.2).
    package enum Return: Sendable, Hashable {
        /// The status alone.
        case minimal
        /// The new representation.
        case representation
    }

    /// `return=…`; `nil` when it was not asked for, or for something unknown.
    package let `return`: Return?

    /// The preferences that a request states.
    ///
    /// What is unknown or cannot be read is passed over, as RFC 7240 §2 asks; of two of a name the
    /// first counts.
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

    /// The value of the first preference of that name in `name[=word] *(";" …) *("," …)`; empty
    /// when it has none.
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
