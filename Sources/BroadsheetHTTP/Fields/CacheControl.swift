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
