package import BroadsheetIO
import Glibc

/// A response that its handler may give again, with another id, to a request with the same head.
///
/// A connection repeats it on its loop, without a task and without parsing the request. A head is
/// the only input: a request with a body, or with an `X-Request-Id`, never has one.
package protocol RepeatableResponse: AnyObject, Sendable {
    /// A Boolean value that indicates whether requests with other values of `Authorization` may
    /// have the same response.
    var isForOtherCredentials: Bool { get }

    /// Returns the next repetition, and counts it as a response, if the handler would give the same
    /// response now.
    ///
    /// Runs on a loop's thread and never blocks.
    ///
    /// - Parameter credentials: The value of `Authorization`; `nil` if that is a part of the head
    ///   that is the same.
    func begin(with credentials: UnsafeRawBufferPointer?) -> RepetitionStart

    var contentOwner: (any AnyObject & Sendable)? { get }

    /// Appends the `X-Request-Id` of a repetition.
    func appendID(of repetition: Repetition, to head: inout [UInt8])

    func completed(_ repetition: Repetition, _ delivery: ResponseDelivery)
}

/// The result of an attempt to repeat a response.
package enum RepetitionStart: Sendable {
    case repetition(Repetition)
    /// The handler would give another response now, to any client.
    case changed
    /// The handler may give another response to this client.
    case otherClient
}

package struct Repetition: Sendable {
    /// The number that the id of the repetition derives from.
    package let number: UInt64
    /// The content, also of a response to HEAD.
    package let body: [UInt8]
    package let client: HTTPClient?

    package init(number: UInt64, body: [UInt8], client: HTTPClient? = nil) {
        (self.number, self.body, self.client) = (number, body, client)
    }
}

package struct ResponseDelivery: Sendable, Hashable {
    package let peer: IPAddress
    /// The bytes of the response, including its head, that the kernel accepted.
    package let bytesSent: Int
    /// The time from the end of the request until the kernel accepted the last byte, in
    /// nanoseconds.
    package let nanoseconds: UInt64
    package let isComplete: Bool
}

/// A repeatable response with the bytes that are the same in each repetition.
final class RepeatEntry {
    /// The maximum length of the request's head and of the response's, in bytes; without the
    /// credentials, if others may be in their place.
    static let maxHeadBytes = 2048

    /// The request's head, with the empty line at its end; without the credentials, if others may
    /// be in their place.
    let requestHead: [UInt8]
    /// The place of the credentials in the head; `nil` if they are a part of it.
    let credentials: Int?
    let hash: UInt64
    let response: any RepeatableResponse
    let sendsBody: Bool
    /// The response's head up to its date, from there to its id, and after its id.
    private let parts: (toDate: [UInt8], toID: [UInt8], rest: [UInt8])
    /// The memory of the entry (``byteCount``), for as long as the table has it.
    private var memory: MemoryReservation?

    /// Fails if the response must not be repeated; `head` is the response's, as it was sent.
    init?(_ response: HTTPResponse, to request: HTTPRequestHead, head: [UInt8]) {
        guard let repeatable = response.repeatable, request.isWholeRequest,
            let own = Self.head(request.headers.bytes, repeatable.isForOtherCredentials),
            own.bytes.count <= Self.maxHeadBytes, head.count <= Self.maxHeadBytes,
            let date = head.value(of: "\r\nDate: "),
            let id = head.value(of: "\r\nX-Request-Id: "), date.upperBound < id.lowerBound
        else { return nil }
        self.response = repeatable
        (requestHead, credentials) = own
        hash = own.bytes.withUnsafeBytes { Self.hash($0, around: own.credentials) }
        sendsBody = HTTPResponseSerializer.sendsBody(response, to: request.method)
        parts = (
            Array(head[..<date.lowerBound]), Array(head[date.upperBound..<id.lowerBound]),
            Array(head[id.upperBound...])
        )
    }

    /// Returns the head of a request without its credentials and their place, or the whole head.
    private static func head(
        _ bytes: [UInt8], _ isForOtherCredentials: Bool
    ) -> (bytes: [UInt8], credentials: Int?)? {
        guard isForOtherCredentials else { return (bytes, nil) }
        guard let range = bytes.withUnsafeBytes(CredentialsField.value) else { return nil }
        return (
            Array(bytes[..<range.lowerBound] + bytes[range.upperBound...]), range.lowerBound
        )
    }

    /// The estimated size of the entry besides its heads: six blocks of memory, what the response
    /// keeps of its request, and the entry's place in the table.
    private static let overhead = 512

    var byteCount: Int {
        requestHead.count + parts.toDate.count + parts.toID.count + parts.rest.count
            + Self.overhead
    }

    func reserve(in budget: MemoryBudget) -> Bool {
        memory = budget.reservation(of: byteCount, for: .repetitions)
        return memory != nil
    }

    /// Returns whether a request of these bytes has the same head and nothing else.
    ///
    /// - Parameter range: The range of the credentials that are not compared; `nil` for none.
    func isFor(_ bytes: UnsafeRawBufferPointer, besides range: Range<Int>? = nil) -> Bool {
        let end = range ?? bytes.count..<bytes.count
        guard credentials == range?.lowerBound, bytes.count - end.count == requestHead.count,
            let base = bytes.baseAddress
        else { return false }
        return requestHead.withUnsafeBytes { head in
            guard let own = head.baseAddress else { return false }
            return memcmp(own, base, end.lowerBound) == 0
                && memcmp(own + end.lowerBound, base + end.upperBound, bytes.count - end.upperBound)
                    == 0
        }
    }

    func appendHead(of repetition: Repetition, date: [UInt8], to head: inout [UInt8]) {
        head.append(contentsOf: parts.toDate)
        head.append(contentsOf: date)
        head.append(contentsOf: parts.toID)
        response.appendID(of: repetition, to: &head)
        head.append(contentsOf: parts.rest)
    }

    /// Returns a hash of a head.
    ///
    /// A client may choose heads with equal hashes: a lookup compares at most
    /// ``RepeatTable/entriesPerSet`` heads.
    static func hash(_ head: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: head.count)
        var index = 0
        while index &+ 8 <= head.count {
            hash = mix(hash ^ head.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        while index < head.count {
            hash = mix(hash ^ UInt64(head[index]))
            index &+= 1
        }
        return hash
    }

    /// Returns the hash of a head with a place for credentials.
    static func hash(_ head: UnsafeRawBufferPointer, around place: Int?) -> UInt64 {
        guard let place else { return hash(head) }
        return hash(head, besides: place..<place)
    }

    /// Returns the hash of a head without its credentials.
    static func hash(_ head: UnsafeRawBufferPointer, besides range: Range<Int>) -> UInt64 {
        let start = hash(UnsafeRawBufferPointer(rebasing: head[..<range.lowerBound]))
        let end = hash(UnsafeRawBufferPointer(rebasing: head[range.upperBound...]))
        return mix(start ^ end.byteSwapped)
    }

    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

/// The place of `Authorization` in the bytes of a head.
private enum CredentialsField {
    private static let name = Array("authorization:".utf8)

    /// Returns the range of the value of the first field of the name, without blanks before it;
    /// `nil` without such a field.
    static func value(in head: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let base = head.baseAddress else { return nil }
        var line = 0
        while let end = memchr(base + line, Int32(UInt8.lineFeed), head.count - line) {
            let stop = UnsafeRawPointer(end) - base
            if isNamed(head, from: line, to: stop) {
                var start = line + name.count
                while start < stop, head[start] == .space || head[start] == .tab { start += 1 }
                let last = stop > start && head[stop - 1] == .carriageReturn ? stop - 1 : stop
                return start..<last
            }
            line = stop + 1
        }
        return nil
    }

    private static func isNamed(
        _ head: UnsafeRawBufferPointer, from start: Int, to end: Int
    ) -> Bool {
        guard end - start > name.count else { return false }
        for index in name.indices where head[start + index] | 0x20 != name[index] | 0x20 {
            return false
        }
        return head[start + name.count - 1] == UInt8(ascii: ":")
    }
}

extension HTTPRequestHead {
    /// A Boolean value that indicates whether a request for a representation ends with this head
    /// and leaves the connection open, and the response has an id of the handler's.
    fileprivate var isWholeRequest: Bool {
        (method == .get || method == .head) && keepAlive
            && !headers.contains(.contentLength) && !headers.contains(.transferEncoding)
            && !headers.contains(.expect) && !headers.contains(.requestID)
    }
}

extension [UInt8] {
    /// Returns the range of a field's value in a head that this server wrote.
    ///
    /// - Parameter start: The end of the line before the field, its name, and its colon.
    fileprivate func value(of start: StaticString) -> Range<Int>? {
        // `firstRange(of:)` of the standard library is not specialized, and takes 20 microseconds.
        let name = UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount)
        guard let place = indices.first(where: { self[$0...].starts(with: name) }),
            let end = self[(place + name.count)...].firstIndex(of: .carriageReturn)
        else { return nil }
        return place + name.count..<end
    }
}

/// The repeatable responses of a loop by the heads of their requests: a table of sets of fixed
/// size, without locks, in which a new entry may replace any other of its set.
struct RepeatTable {
    static let entriesPerSet = 4
    /// The number of sets, a power of two.
    static let setCount = 256
    static var capacity: Int { entriesPerSet * setCount }

    private var entries: [RepeatEntry?] = []
    /// The number of entries that replaced others, which selects the next one to replace.
    private var replacements = 0
    /// A Boolean value that indicates whether there may be entries for other credentials.
    private var hasOpenEntries = false

    static let maxCredentialsBytes = 8400

    var count: Int { entries.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }

    func entry(for bytes: UnsafeRawBufferPointer) -> RepeatEntry? {
        guard !entries.isEmpty, bytes.count <= RepeatEntry.maxHeadBytes else { return nil }
        let hash = RepeatEntry.hash(bytes)
        for index in Self.set(of: hash) {
            if let entry = entries[index], entry.hash == hash, entry.isFor(bytes) { return entry }
        }
        return nil
    }

    /// Returns the entry for a request of exactly these bytes besides its credentials, and their
    /// range.
    func openEntry(
        for bytes: UnsafeRawBufferPointer
    ) -> (entry: RepeatEntry, credentials: Range<Int>)? {
        guard hasOpenEntries,
            bytes.count <= RepeatEntry.maxHeadBytes + Self.maxCredentialsBytes,
            let range = CredentialsField.value(in: bytes)
        else { return nil }
        let hash = RepeatEntry.hash(bytes, besides: range)
        for index in Self.set(of: hash) {
            if let entry = entries[index], entry.hash == hash, entry.isFor(bytes, besides: range) {
                return (entry, range)
            }
        }
        return nil
    }

    /// Adds an entry, in place of one with the same head, of none, or of another one of its set.
    mutating func insert(_ entry: RepeatEntry) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.capacity) }
        if entry.credentials != nil { hasOpenEntries = true }
        let set = Self.set(of: entry.hash)
        let index =
            set.first {
                entries[$0]?.requestHead == entry.requestHead
                    && entries[$0]?.credentials == entry.credentials
            }
            ?? set.first { entries[$0] == nil }
        if let index {
            entries[index] = entry
        } else {
            entries[set.lowerBound + replacements % Self.entriesPerSet] = entry
            replacements &+= 1
        }
    }

    mutating func remove(_ entry: RepeatEntry) {
        for index in Self.set(of: entry.hash) where entries[index] === entry {
            entries[index] = nil
        }
    }

    private static func set(of hash: UInt64) -> Range<Int> {
        let start = Int(truncatingIfNeeded: hash & UInt64(setCount - 1)) * entriesPerSet
        return start..<start + entriesPerSet
    }
}
