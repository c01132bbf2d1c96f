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

/// The directives of Cache-Control that this product uses (RFC 9111 §5.2).
package struct CacheControl: Sendable, Hashable {
    /// The value of `max-age`, in seconds; `nil` when there is none or a malformed one.
    package let maxAge: Int?
    package let isNoCache: Bool

    /// Reads the Cache-Control fields of a message; the first of a repeated directive is used.
    package init(in headers: HTTPHeaders) {
        maxAge = headers.values(of: .cacheControl).lazy
            .compactMap { ParameterScanner.value(of: "max-age", in: $0) }.first
            .flatMap(ParameterScanner.seconds)
        isNoCache = headers.values(of: .cacheControl).contains {
            ParameterScanner.value(of: "no-cache", in: $0) != nil
        }
    }
}
