import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// A stream of one client: its place among the equal ones, and the event that it sends.
final class ScreenStream: StreamSource, @unchecked Sendable {
    // Unchecked: `state`, `seen`, `isWaiting` and `isOver` are used while the lock of the group is
    // held; `signaller` is set before the group has the stream; the rest is used on the thread of
    // the connection's event loop only.

    var state: StreamState
    /// The version of the content up to which the client has had all events; `nil` before the
    /// first one.
    var seen: TreeVersion?
    /// A Boolean value that indicates whether everything that was due is sent.
    var isWaiting = false
    var isOver = false

    private let hub: ScreenStreams
    private let key: StreamKey
    /// The content, until the stream begins.
    private var content: (any StreamContent)?
    private var group: StreamGroup?
    private var signaller: StreamSignal?
    private var large: LargeEventWriter?
    private var isDraining = false

    /// `content` is for the first of the equal streams, which share `key`.
    init(
        _ content: any StreamContent, _ key: StreamKey, from state: StreamState,
        in hub: ScreenStreams
    ) {
        self.content = content
        self.key = key
        self.state = state
        self.hub = hub
    }

    func signal() { signaller?.send() }

    func begin(_ signal: StreamSignal) {
        signaller = signal
        group = content.map { hub.add(self, to: key, $0) }
        content = nil
    }

    func next() -> StreamStep {
        if let step = large?.next() { return step }
        large = nil
        guard !isDraining, let group else { return .end }
        switch group.next(for: self) {
        case .wait, .output(.nothing): return .wait
        case .end: return .end
        case .output(.event(let part, _)), .output(.last(let part, _)): return .part(part)
        case .output(.large(let event, _)):
            guard var writer = LargeEventWriter(event, in: hub.memory) else { return .failure }
            defer { large = writer }
            return writer.next() ?? .wait
        }
    }

    func drain() { isDraining = true }

    func end() {
        if let group { hub.remove(self, from: group) }
        group = nil
        large = nil
    }
}

/// An event with a large document as its data, which each stream writes while it sends it.
struct LargeEvent: Sendable {
    let head: [UInt8]
    /// The document, of which nothing has been taken.
    let document: PartsSource
}

/// The part of a large event that a stream has not sent.
private struct LargeEventWriter {
    private var head: [UInt8]
    private let document: PartsSource
    private let memory: MemoryReservation
    private var isComplete = false

    /// Creates a writer, which has sent nothing; `nil` if there is no memory for a part.
    init?(_ event: LargeEvent, in budget: MemoryBudget) {
        let size = HTTPLimits.maxOwnedPartSize
        guard let memory = budget.reservation(of: size, for: .responses) else {
            budget.countRefusal(of: .responses)
            return nil
        }
        self.memory = memory
        head = event.head
        document = PartsSource(copying: event.document)
    }

    mutating func next() -> StreamStep? {
        guard !isComplete else { return nil }
        var bytes = head
        let start = bytes.count
        head = []
        if let part = document.next(byteCount: HTTPLimits.bodyPartSize) {
            bytes += part
            StreamEvent.joinLines(of: &bytes, from: start)
        } else {
            isComplete = true
            bytes += StreamEvent.end
        }
        guard memory.resize(to: max(memory.count, bytes.count)) else { return .failure }
        return .part(StreamPart(bytes, owner: memory))
    }
}
