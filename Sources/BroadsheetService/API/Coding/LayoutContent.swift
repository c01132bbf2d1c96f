import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// The content of a response: a tree, several trees, changes, or a picture.
enum LayoutContent: Sendable {
    case bytes([UInt8])
    /// A large document, which is written while it is sent.
    case source(PartsSource)

    /// The size in bytes up to which a document is written at once.
    static let maxBytesAtOnce = 256 * 1024

    /// Writes a document, or prepares to write it while it is sent if it is large.
    ///
    /// - Throws: `ANSWER_TOO_LARGE`, before more than ``maxBytesAtOnce`` are in memory.
    init(_ parts: some PayloadParts, limit: Int) throws(Problem) {
        var first = parts
        let bytes = first.next(byteCount: Self.maxBytesAtOnce + 1) ?? []
        if first.isFinished, bytes.count <= limit {
            self = .bytes(bytes)
        } else if let length = parts.byteCount(upTo: limit) {
            self = .source(PartsSource(parts, byteCount: length))
        } else {
            throw .responseTooLarge(limit: limit)
        }
    }

    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .source(let source): source.byteCount
        }
    }

    /// Calls `body` with one part of the content after another, until it returns `false`; nothing
    /// of the content has been sent.
    ///
    /// - Returns: A Boolean value that indicates whether `body` has had all parts.
    func forEachPart(
        of byteCount: Int, _ body: (ArraySlice<UInt8>) async throws(Problem) -> Bool
    ) async throws(Problem) -> Bool {
        switch self {
        case .bytes(let bytes):
            var rest = bytes[...]
            while !rest.isEmpty {
                guard try await body(rest.prefix(byteCount)) else { return false }
                rest = rest.dropFirst(byteCount)
            }
        case .source(let source):
            var rest = source.rest
            while let part = rest.next(byteCount: byteCount) {
                guard try await body(part[...]) else { return false }
            }
        }
        return true
    }

    /// Keeps an object with a reservation of memory that the content needs while it is sent.
    func keep(_ owner: any AnyObject & Sendable) {
        if case .source(let source) = self { source.keep(owner) }
    }

    /// Moves the memory for the part that is being sent from a reservation to a large document.
    func takeMemory(from reservation: MemoryReservation) {
        guard case .source(let source) = self else { return }
        source.keep(reservation.split(HTTPLimits.maxOwnedPartSize, for: .responses))
    }
}

/// A large document that is written while it is sent.
final class PartsSource: BodySource {
    let byteCount: Int
    private let parts: Mutex<any PayloadParts>
    private let owners = Mutex<[any AnyObject & Sendable]>([])

    /// `byteCount` is that of all parts, of which none has been written.
    init(_ parts: any PayloadParts, byteCount: Int) {
        self.parts = Mutex(parts)
        self.byteCount = byteCount
    }

    /// Creates a source of a document that another one has, whose owners it keeps.
    init(copying other: PartsSource) {
        byteCount = other.byteCount
        parts = Mutex(other.rest)
        keep(other)
    }

    var rest: any PayloadParts { parts.withLock { $0 } }

    func keep(_ owner: any AnyObject & Sendable) { owners.withLock { $0.append(owner) } }

    func next(byteCount: Int) -> [UInt8]? {
        // Contents are laid out while they are written, which must not give way with the lock.
        LongWork.withoutGivingWay { parts.withLock { $0.next(byteCount: byteCount) } }
    }
}

extension HTTPResponse {
    /// Creates a response of trees, which keeps what it needs of their reservation `memory`.
    static func json(
        _ content: LayoutContent, status: HTTPStatus = .ok, tag: EntityTag? = nil,
        _ memory: MemoryReservation
    ) -> HTTPResponse {
        switch content {
        case .bytes(let bytes):
            var response = json(bytes, status: status, tag: tag)
            memory.shrink(to: bytes.capacity)
            response.owner = memory
            return response
        case .source(let source):
            var response = json([], status: status, tag: tag)
            content.takeMemory(from: memory)
            response.source = source
            response.owner = source
            return response
        }
    }
}
