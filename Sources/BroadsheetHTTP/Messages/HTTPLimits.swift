/// What one request may cost; crossing a limit is an ``HTTPError`` that names it (docs/cli.md).
package struct HTTPLimits: Sendable, Hashable {
    /// Bytes of a body, chunk framing not counted; 413 beyond, 16 MiB by default.
    package var maxBody = 16 * 1024 * 1024
    /// Bytes of the field lines of a head, line ends counted; 431 beyond, 16 KiB by
    /// default.
    package var maxHeaderBytes = 16 * 1024
    /// Field lines of a head; 431 beyond, 100 by default.
    package var maxHeaders = 100
    /// Bytes of a request target; 414 beyond, 8 KiB by default.
    package var maxTarget = 8 * 1024

    /// The defaults of docs/cli.md.
    package init() {}

    /// Bytes of a chunked body's trailer section, as many as a head may have; 431 beyond.
    package var maxTrailerBytes: Int { maxHeaderBytes }
    /// Field lines of a chunked body's trailer section; 431 beyond.
    package var maxTrailers: Int { maxHeaders }
    /// Bytes of all chunk extensions of one body together; 413 beyond.
    ///
    /// They carry nothing that is kept: without a bound a small body could cost any amount of
    /// reading.
    package var maxChunkExtensionBytes: Int { maxHeaderBytes }

    /// Bytes of a method token; 501 beyond (RFC 9112 §3: longer than any that is implemented).
    static let maxMethod = 32
    /// Empty lines before a request line; 400 beyond (RFC 9112 §2.2 asks to skip at least one).
    static let maxLeadingEmptyLines = 4
    /// Bytes kept of requests sent ahead of an answer; 400 beyond.
    ///
    /// A connection that reads only when ``HTTPRequestParser/wantsInput`` says so never gets near.
    static let maxPipelinedBytes = 256 * 1024

    /// Bytes of a request line, its end counted, that can still hold a legal target.
    var maxRequestLine: Int {
        let (sum, overflow) = maxTarget.addingReportingOverflow(
            Self.maxMethod + "  HTTP/1.1\r\n".utf8.count)
        return overflow ? .max : sum
    }
}
