/// The limits of one request; exceeding one is an ``HTTPError`` that names it (docs/cli.md).
package struct HTTPLimits: Sendable, Hashable {
    /// The maximum size of a body in bytes, without chunk framing; beyond it 413.
    package var maxBody = 16 * 1024 * 1024
    /// The maximum size of a head's field lines in bytes, with line ends; beyond it 431.
    package var maxHeaderBytes = 16 * 1024
    /// The maximum number of a head's field lines; beyond it 431.
    package var maxHeaders = 100
    /// The maximum size of a request target in bytes; beyond it 414.
    package var maxTarget = 8 * 1024

    package init() {}

    /// The maximum size of a chunked body's trailer section in bytes, as of a head; beyond it 431.
    package var maxTrailerBytes: Int { maxHeaderBytes }
    /// The maximum number of field lines of a chunked body's trailer section; beyond it 431.
    package var maxTrailers: Int { maxHeaders }
    /// The maximum size of all chunk extensions of one body in bytes; beyond it 413.
    ///
    /// They are discarded: without a limit a small body could require any amount of reading.
    package var maxChunkExtensionBytes: Int { maxHeaderBytes }

    /// The maximum size of a method in bytes; beyond it 501 (RFC 9112 §3: no longer one is
    /// implemented).
    static let maxMethod = 32
    /// The maximum number of empty lines before a request line; beyond it 400 (RFC 9112 §2.2
    /// recommends to skip at least one).
    static let maxLeadingEmptyLines = 4
    /// The maximum number of bytes kept of pipelined requests; beyond it 400.
    ///
    /// A connection that reads only while ``HTTPRequestParser/wantsInput`` is true never reaches
    /// it.
    static let maxPipelinedBytes = 256 * 1024
    /// The maximum size of a body in bytes that is read before its request may be refused.
    static let maxUncheckedBody = 64 * 1024
    /// The size of the parts in which a ``BodySource`` is asked for a large content, in bytes.
    package static let bodyPartSize = 128 * 1024
    /// The size up to which a part is included in the memory of the response's owner, in bytes:
    /// usually a part is longer than it should be by less than one item.
    package static let maxOwnedPartSize = 192 * 1024

    /// The maximum size in bytes of a request line, with its end, whose target may be within the
    /// limit.
    var maxRequestLine: Int {
        let (sum, overflow) = maxTarget.addingReportingOverflow(
            Self.maxMethod + "  HTTP/1.1\r\n".utf8.count)
        return overflow ? .max : sum
    }
}
