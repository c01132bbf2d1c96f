import BroadsheetIO

/// The part of a response that the kernel has not accepted yet: the rest of a head, and the body.
///
/// It exists only while a response is partly sent, so that an idle connection has no buffer.
struct Outbox {
    /// The result of one attempt to send, with the number of bytes sent.
    enum Progress: Hashable {
        /// The kernel has accepted all bytes.
        case finished(Int)
        /// The socket's buffer is full; the kernel will report that it is writable again.
        case blocked(Int)
        /// The socket is writable, but other connections have waited long enough.
        case paused(Int)
        /// The rest cannot be sent.
        case failed
    }

    /// The number of bytes after which an attempt pauses: a fast reader of a large response would
    /// otherwise occupy the loop.
    static let fairShare = 4 * 1024 * 1024

    private let head: [UInt8]
    private let body: [UInt8]
    private var offset: Int

    /// Stores the bytes after the first `offset` ones of `head` and `body` together.
    init(head: [UInt8], body: [UInt8], offset: Int) {
        self.head = head
        self.body = body
        self.offset = offset
    }

    /// Sends until all is sent, the socket's buffer is full or the fair share is used.
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
