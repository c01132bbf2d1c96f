/// The preferences of a request that the daemon supports (RFC 7240).
package struct Preferences: Sendable, Hashable {
    /// The preferred content of the response to a write (RFC 7240 §4.2).
    package enum Return: Sendable, Hashable {
        /// The status only.
        case minimal
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
            headers.values(of: .prefer).lazy.compactMap { ParameterScanner.value(of: name, in: $0) }
                .first
        }
        self.return =
            switch first("return") {
            case "minimal": .minimal
            case "representation": .representation
            default: nil
            }
        wait = first("wait").flatMap(ParameterScanner.seconds).map { min($0, Self.maxWait) }
    }
}
