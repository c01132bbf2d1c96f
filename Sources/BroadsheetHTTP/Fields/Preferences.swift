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

    /// The value of `wait`, in seconds and at most ``maxWait``; `nil` when there is none or a
    /// malformed one (RFC 7240 §4.3).
    package let wait: Int?

    /// The greatest value of ``wait``, in seconds; greater ones count as this.
    package static let maxWait = 60

    /// Reads the Prefer fields of a request.
    ///
    /// Unknown or malformed preferences are ignored (RFC 7240 §2); the first of a repeated name is
    /// used.
    package init(in headers: HTTPHeaders) {
        func first(_ name: String) -> String? {
            headers.values(of: .prefer).lazy.compactMap { Self.value(of: name, in: $0) }.first
        }
        self.return =
            switch first("return") {
            case "minimal": .minimal
            case "representation": .representation
            default: nil
            }
        wait = first("wait").flatMap(Self.seconds)
    }

    /// Reads a number of seconds; `nil` for anything but decimal digits (RFC 9110 §10.2.3).
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return min(Int(text) ?? maxWait, maxWait)
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
