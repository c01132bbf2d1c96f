import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
import CCurl

/// The response to one request while it arrives.
final class PageTransfer: @unchecked Sendable {
    // Unchecked: one task creates a transfer, then only the thread of libcurl uses it until it has
    // ended, and then only that task.

    /// The maximum size of the heads of a response and of its interim responses, in bytes.
    static let maxHeadBytes = 64 << 10
    private static let minCapacity = 16 << 10

    /// The status of the last head; 0 before there is one.
    private(set) var status = 0
    /// The fields of the last head that matter (``fieldNames``).
    private(set) var headers = HTTPHeaders()
    /// The body; empty unless the status is 200.
    private(set) var body: [UInt8] = []
    /// The reason why the transfer was ended here.
    private(set) var error: OriginError?

    private let maxBytes: Int
    private let memory: MemoryReservation
    private var isHeadComplete = false
    private var headBytes = 0
    private var bodyBytes = 0
    private var codedBytes = 0
    /// The number of codings of the body that libcurl would decode, one after the other.
    private var codings = 0

    private static let fieldNames: [HTTPFieldName] = [
        .contentType, .cacheControl, .screenLifetime,
    ]

    /// The maximum number of codings of a body, besides those that change no byte.
    static let maxCodings = 1
    /// The fields that list codings, of which libcurl decodes those of both.
    private static let codingNames: [HTTPFieldName] = [.contentEncoding, .transferEncoding]
    private static let plainCodings: Set = ["identity", "chunked"]

    /// `maxBytes` is the maximum size of the decoded body.
    init(maxBytes: Int, memory: MemoryReservation) {
        self.maxBytes = maxBytes
        self.memory = memory
    }

    /// Receives a line of a head, or of the trailers, which are ignored; returns `false` to end the
    /// transfer.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.maxHeadBytes else {
            let detail = "its header fields have more than \(Self.maxHeadBytes) bytes"
            return end(.failed(OriginFailure(detail)))
        }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            headers = HTTPHeaders()
            codings = 0
            isHeadComplete = false
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if text == "\r\n" || text == "\n" {
            isHeadComplete = true
        } else if !isHeadComplete, let colon = text.firstIndex(of: ":"),
            let name = HTTPFieldName(token: String(text[..<colon]))
        {
            return receive(name, text[text.index(after: colon)...])
        }
        return true
    }

    /// Receives a field of a head; returns `false` to end the transfer.
    ///
    /// Each coding may make a thousand bytes of one: several would take the processor for seconds,
    /// whatever the size of the outcome.
    private func receive(_ name: HTTPFieldName, _ value: Substring) -> Bool {
        if Self.fieldNames.contains(name) { headers.append(name, String(value)) }
        guard Self.codingNames.contains(name) else { return true }
        codings += value.split(separator: ",").count { coding in
            let coding = coding.drop { $0.isWhitespace }.prefix { !$0.isWhitespace && $0 != ";" }
            return !coding.isEmpty && !Self.plainCodings.contains(coding.lowercased())
        }
        guard codings <= Self.maxCodings else {
            let detail = "its body has more than one coding (Content-Encoding)"
            return end(.failed(OriginFailure(detail)))
        }
        return true
    }

    /// The maximum size of the bytes of a body as they arrive, with its coding and what is between
    /// its chunks.
    ///
    /// No page needs as many: a coding that makes a body longer adds little to it.
    private var maxCodedBytes: Int {
        let (twice, isUnlimited) = maxBytes.multipliedReportingOverflow(by: 2)
        return isUnlimited ? .max : max(twice, twice &+ Self.maxHeadBytes)
    }

    /// Receives the number of bytes of a part of the body as it arrived; returns `false` to end the
    /// transfer.
    ///
    /// They may decode to little or nothing, so that the size of the body would never end it.
    func receive(codedCount count: Int) -> Bool {
        codedBytes += count
        guard codedBytes <= maxCodedBytes else {
            let detail =
                "it has more than \(maxCodedBytes) bytes with its coding (twice --max-body)"
            return error != nil || end(.failed(OriginFailure(detail)))
        }
        return true
    }

    /// Receives a part of the decoded body; returns `false` to end the transfer.
    func receive(part: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += part.count
        guard bodyBytes <= maxBytes else {
            let detail = "it has more than \(maxBytes) bytes (--max-body)"
            return end(.failed(OriginFailure(detail)))
        }
        guard status == HTTPStatus.ok.code else { return true }
        guard reserve(bodyBytes) else { return end(.outOfMemory) }
        body.append(contentsOf: part)
        return true
    }

    private func reserve(_ count: Int) -> Bool {
        guard count > body.capacity else { return true }
        let capacity = max(count, min(maxBytes, max(Self.minCapacity, body.capacity * 2)))
        // Both copies exist while the bytes move.
        guard memory.resize(to: body.capacity + capacity) else { return false }
        body.reserveCapacity(capacity)
        memory.charge(to: body.capacity)
        return true
    }

    private func end(_ error: OriginError) -> Bool {
        self.error = error
        return false
    }
}
