package import BroadsheetIO
import Glibc

/// A response that its handler may give again, with another id, to a request with the same head.
///
/// A connection repeats it on its loop, without a task and without parsing the request. A head is
/// the only input: a request with a body, or with an `X-Request-Id`, never has one.
package protocol RepeatableResponse: AnyObject, Sendable {
    /// Returns the next repetition, and counts it as a response, if the handler would give the same
    /// response now; otherwise `nil`.
    ///
    /// Runs on a loop's thread and never blocks.
    func begin() -> Repetition?

    /// The owner of the memory of the content, if that is still in memory.
    var contentOwner: (any AnyObject & Sendable)? { get }

    /// Appends the `X-Request-Id` of a repetition.
    func appendID(of repetition: Repetition, to head: inout [UInt8])

    /// Receives the outcome of a repetition, as ``HTTPHandler/completed(_:)`` does.
    func completed(_ repetition: Repetition, _ delivery: ResponseDelivery)
}

package struct Repetition: Sendable {
    /// The number that the id of the repetition derives from.
    package let number: UInt64
    /// The content, also of a response to HEAD.
    package let body: [UInt8]

    package init(number: UInt64, body: [UInt8]) {
        self.number = number
        self.body = body
    }
}

package struct ResponseDelivery: Sendable, Hashable {
    package let peer: IPAddress
    /// The bytes of the response, including its head, that the kernel accepted.
    package let bytesSent: Int
    /// The time from the end of the request until the kernel accepted the last byte, in
    /// nanoseconds.
    package let nanoseconds: UInt64
    /// A Boolean value that indicates whether the whole response was sent.
    package let isComplete: Bool
}

/// A repeatable response with the bytes that are the same in each repetition.
final class RepeatEntry {
    /// The maximum length of the request's head and of the response's, in bytes.
    static let maxHeadBytes = 2048

    /// The request's head, with the empty line at its end.
    let requestHead: [UInt8]
    let hash: UInt64
    let response: any RepeatableResponse
    /// A Boolean value that indicates whether the content follows the head.
    let sendsBody: Bool
    /// The response's head up to its date, from there to its id, and after its id.
    private let parts: (toDate: [UInt8], toID: [UInt8], rest: [UInt8])
    /// The memory of the entry (``byteCount``), for as long as the table has it.
    private var memory: MemoryReservation?

    /// Creates the entry of a response; `nil` if it must not be repeated.
    ///
    /// - Parameters:
    ///   - response: The response, whose connection stays open after it.
    ///   - request: The head of its request.
    ///   - head: The response's head as it was sent.
    init?(_ response: HTTPResponse, to request: HTTPRequestHead, head: [UInt8]) {
        guard let repeatable = response.repeatable, request.isWholeRequest,
            request.headers.bytes.count <= Self.maxHeadBytes, head.count <= Self.maxHeadBytes,
            let date = head.value(of: "\r\nDate: "),
            let id = head.value(of: "\r\nX-Request-Id: "), date.upperBound < id.lowerBound
        else { return nil }
        self.response = repeatable
        requestHead = request.headers.bytes
        hash = requestHead.withUnsafeBytes(Self.hash)
        sendsBody = HTTPResponseSerializer.sendsBody(response, to: request.method)
        parts = (
            Array(head[..<date.lowerBound]), Array(head[date.upperBound..<id.lowerBound]),
            Array(head[id.upperBound...])
        )
    }

    /// The estimated size of the entry besides its heads: six blocks of memory, what the response
    /// keeps of its request, and the entry's place in the table.
    private static let overhead = 512

    /// The estimated size in memory, in bytes.
    var byteCount: Int {
        requestHead.count + parts.toDate.count + parts.toID.count + parts.rest.count
            + Self.overhead
    }

    /// Reserves the memory of the entry; returns `false` if that is not free.
    func reserve(in budget: MemoryBudget) -> Bool {
        memory = budget.reservation(of: byteCount, for: .repetitions)
        return memory != nil
    }

    /// Returns whether a request of these bytes has the same head and nothing else.
    func isFor(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == requestHead.count, let base = bytes.baseAddress else { return false }
        return requestHead.withUnsafeBytes { head in
            head.baseAddress.map { memcmp($0, base, bytes.count) == 0 } ?? false
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

    /// Spreads the bits of a word: the halves of a product with an odd constant, combined.
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
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
    /// The number of entries that a lookup compares.
    static let entriesPerSet = 4
    /// The number of sets, a power of two.
    static let setCount = 256
    static var capacity: Int { entriesPerSet * setCount }

    private var entries: [RepeatEntry?] = []
    /// The number of entries that replaced others, which selects the next one to replace.
    private var replacements = 0

    var count: Int { entries.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }

    /// Returns the entry for a request of exactly these bytes.
    func entry(for bytes: UnsafeRawBufferPointer) -> RepeatEntry? {
        guard !entries.isEmpty, bytes.count <= RepeatEntry.maxHeadBytes else { return nil }
        let hash = RepeatEntry.hash(bytes)
        for index in Self.set(of: hash) {
            if let entry = entries[index], entry.hash == hash, entry.isFor(bytes) { return entry }
        }
        return nil
    }

    /// Adds an entry, in place of one with the same head, of none, or of another one of its set.
    mutating func insert(_ entry: RepeatEntry) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.capacity) }
        let set = Self.set(of: entry.hash)
        let index =
            set.first { entries[$0]?.requestHead == entry.requestHead }
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
