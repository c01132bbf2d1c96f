package import BroadsheetIO
import Synchronization

/// The content of a response that is written over time.
package final class HTTPStream: Sendable {
    package let source: any StreamSource
    /// The beginning of the content, which is sent with the head.
    package let first: StreamPart?
    /// The part that is sent when nothing was due for a time, so that both sides notice a lost
    /// connection; `nil` for none.
    package let heartbeat: Heartbeat?
    let ticket: StreamTicket

    /// A part that is repeated while nothing else is due.
    package struct Heartbeat: Sendable {
        package let interval: Duration
        package let part: StreamPart

        package init(every interval: Duration, _ part: StreamPart) {
            self.interval = interval
            self.part = part
        }
    }

    package init(
        _ source: any StreamSource, first: StreamPart? = nil, heartbeat: Heartbeat? = nil,
        ticket: StreamTicket
    ) {
        self.source = source
        self.first = first
        self.heartbeat = heartbeat
        self.ticket = ticket
    }
}

/// The count of open streams, and their limit.
package final class StreamGate: Sendable {
    package let limit: Int
    private let memory: MemoryBudget
    fileprivate let counts: Counts

    fileprivate final class Counts: Sendable {
        let shares: Mutex<ClientShares>
        let open = Atomic(0)
        let opened = Atomic(0)
        let lost = Atomic(0)
        let bytes = Atomic(0)

        init(_ shares: ClientShares) { self.shares = Mutex(shares) }
    }

    /// The memory of an open stream without its request and its unsent part, in bytes: its
    /// connection, its source and its timer.
    package static let streamByteCount = 4096

    package init(limit: Int, memory: MemoryBudget) {
        self.limit = limit
        self.memory = memory
        counts = Counts(ClientShares(of: limit))
    }

    /// Takes the place of a stream, which is free again when the ticket is released.
    package func enter(
        _ head: HTTPRequestHead, for client: ClientKey
    ) -> Result<StreamTicket, StreamRefusal> {
        guard counts.shares.withLock({ $0.take(for: client) }) else { return .failure(.share) }
        guard counts.open.wrappingAdd(1, ordering: .relaxed).oldValue < limit else {
            counts.open.wrappingSubtract(1, ordering: .relaxed)
            counts.shares.withLock { $0.giveBack(of: client) }
            return .failure(.limit)
        }
        let ticket = StreamTicket(
            counts, client: client, memory: MemoryReservation(in: memory, for: .streams))
        let size = Self.streamByteCount + head.headers.bytes.count
        return ticket.memory.resize(to: size) ? .success(ticket) : .failure(.memory)
    }

    package var statistics: StreamStatistics {
        StreamStatistics(
            open: counts.open.load(ordering: .relaxed),
            opened: counts.opened.load(ordering: .relaxed),
            lost: counts.lost.load(ordering: .relaxed),
            byteCount: counts.bytes.load(ordering: .relaxed))
    }
}

/// The reason why no further stream can be opened.
package enum StreamRefusal: Error, Hashable {
    case limit
    /// The client, or the key that it shares with others, has its share of them.
    case share
    case memory
}

/// The place of an open stream; it is free again when the last reference is released.
package final class StreamTicket: Sendable {
    private let counts: StreamGate.Counts
    private let client: ClientKey
    fileprivate let memory: MemoryReservation

    fileprivate init(
        _ counts: StreamGate.Counts, client: ClientKey, memory: MemoryReservation
    ) {
        self.counts = counts
        self.client = client
        self.memory = memory
    }

    deinit {
        counts.open.wrappingSubtract(1, ordering: .relaxed)
        counts.shares.withLock { $0.giveBack(of: client) }
    }

    func countBeginning() { counts.opened.wrappingAdd(1, ordering: .relaxed) }

    func count(bytes: Int) { counts.bytes.wrappingAdd(bytes, ordering: .relaxed) }

    func countLoss() { counts.lost.wrappingAdd(1, ordering: .relaxed) }
}

package struct StreamStatistics: Sendable, Hashable {
    /// The number of streams that are open.
    package var open: Int
    package var opened: Int
    /// The number of streams whose connection was lost before their end.
    package var lost: Int
    package var byteCount: Int
}
