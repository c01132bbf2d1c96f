import BroadsheetIO

/// What the kernel had no room for yet: the rest of a head, and the body behind it.
///
/// It exists only while an answer is stuck half-way, so that a connection at rest holds no buffer.
struct Outbox {
    /// How one attempt to send ended, and how many bytes it moved.
    enum Progress: Hashable {
        /// All is with the kernel.
        case finished(Int)
        /// The kernel is full and will say when it no longer is.
        case blocked(Int)
        /// There is room for more, but other connections have waited long enough.
        case paused(Int)
        /// The peer will not get the rest.
        case failed
    }

    /// How many bytes one attempt moves before it pauses: a fast reader of a huge answer would
    /// otherwise keep the loop to itself.
    static let fairShare = 4 * 1024 * 1024

    private let head: [UInt8]
    private let body: [UInt8]
    private var offset: Int

    /// Keeps what comes after the first `offset` bytes of `head` and `body` together.
    init(head: [UInt8], body: [UInt8], offset: Int) {
        self.head = head
        self.body = body
        self.offset = offset
    }

    /// Sends until all is gone, the kernel is full or the fair share is used up.
    mutating func flush(to socket: Int32, _ syscalls: Syscalls) -> Progress {
        let progress = Self.send(head, body, from: offset, to: socket, syscalls)
        switch progress {
        case .blocked(let count), .paused(let count), .finished(let count): offset += count
        case .failed: break
        }
        return progress
    }

    /// Sends `head` and `body` from byte `offset` of the two together.
    static func send(
        _ head: [UInt8], _ body: [UInt8], from offset: Int, to socket: Int32, _ syscalls: Syscalls
    ) -> Progress {
        let total = head.count + body.count
        var sent = offset
        while sent < total {
            if sent - offset >= fairShare { return .paused(sent - offset) }
            switch sendOnce(head, body, from: sent, to: socket, syscalls) {
            case let count where count > 0: sent += count
            case Syscalls.interrupted: continue
            case Syscalls.wouldBlock: return .blocked(sent - offset)
            default: return .failed
            }
        }
        return .finished(sent - offset)
    }

    private static func sendOnce(
        _ head: [UInt8], _ body: [UInt8], from offset: Int, to socket: Int32, _ syscalls: Syscalls
    ) -> Int {
        head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                let rest = UnsafeRawBufferPointer(rebasing: head.dropFirst(offset))
                let bodyRest = body.dropFirst(max(0, offset - head.count))
                return syscalls.send(socket, rest, UnsafeRawBufferPointer(rebasing: bodyRest))
            }
        }
    }
}
