import BroadsheetIO

/// One connection to a server: bytes out, values in, on one loop.
///
/// It knows nothing of who asked what; its owner does. Touched on its loop's thread only.
final class RedisConnection: ReadinessHandler {
    /// What an owner hears.
    struct Events {
        /// The connection stands; nothing has been said yet.
        var connected: () -> Void
        /// A value has come.
        var received: (RESPValue) -> Void
        /// The connection is over, and says why; nothing more is heard.
        var ended: (String) -> Void
    }

    /// The most bytes that wait for the kernel; an owner that sends more is cut off.
    static let maxUnsent = 256 * 1024 * 1024
    private static let readSize = 64 * 1024
    private static let readsPerTurn = 16

    /// Whether the server has accepted the connection.
    private(set) var isConnected = false

    private let loop: EventLoop
    private let syscalls: Syscalls
    private let socket: OutgoingSocket
    private let maxUnsent: Int
    /// Nil once the connection is over: the events keep their owner alive.
    private var events: Events?
    private var registration: Registration?
    private var parser = RESPParser()
    private var unsent: [UInt8] = []
    private var sentCount = 0
    private var readBuffer: [UInt8] = []
    /// Whether the end of what comes has been reported, though perhaps not read.
    private var hasPeerEnded = false

    /// Begins to connect; must be on the loop's thread.
    init(
        to address: SocketAddress, on loop: EventLoop, syscalls: Syscalls = .system,
        maxUnsent: Int = maxUnsent, events: Events
    ) throws(IOError) {
        self.loop = loop
        self.syscalls = syscalls
        self.maxUnsent = maxUnsent
        self.events = events
        socket = try OutgoingSocket(connectingTo: address)
        registration = try loop.register(
            socket.descriptor.number, for: [.readable, .writable, .peerEnded], .edge, self)
    }

    /// Sends bytes, now or when the kernel has room.
    func send(_ bytes: [UInt8]) {
        guard events != nil else { return }
        guard bytes.count <= maxUnsent - (unsent.count - sentCount) else {
            return end("the server takes nothing")
        }
        dropSent()
        unsent += bytes
        if isConnected { flush() }
    }

    /// Gives the connection to another owner, who hears what comes from now on.
    func transfer(to events: Events) {
        guard self.events != nil else { return }
        self.events = events
    }

    /// Ends the connection without a word to its owner.
    func close() {
        events = nil
        if let registration { loop.deregister(registration) }
        registration = nil
    }

    /// Hears from the kernel.
    func becameReady(_ readiness: Readiness) {
        guard let events else { return }
        if !isConnected {
            do throws(IOError) {
                try socket.checkConnected()
            } catch {
                return end(error.description)
            }
            isConnected = true
            events.connected()
        }
        flush()
        if !readiness.isDisjoint(with: [.peerEnded, .gone]) { hasPeerEnded = true }
        receive()
    }

    private func end(_ reason: String) {
        guard let events else { return }
        close()
        events.ended(reason)
    }

    private func flush() {
        while events != nil, sentCount < unsent.count {
            let result = unsent.withUnsafeBytes { bytes in
                syscalls.send(
                    socket.descriptor.number,
                    UnsafeRawBufferPointer(rebasing: bytes.dropFirst(sentCount)),
                    UnsafeRawBufferPointer(start: nil, count: 0))
            }
            switch result {
            case let count where count > 0: sentCount += count
            case Syscalls.interrupted: continue
            case Syscalls.wouldBlock: return
            default: return end("the server is gone")
            }
        }
        unsent.removeAll(keepingCapacity: unsent.capacity <= Self.readSize)
        sentCount = 0
    }

    /// Lets go of what is sent once that is the greater part, so that each byte is moved once at most.
    private func dropSent() {
        guard sentCount > unsent.count / 2 else { return }
        unsent.removeFirst(sentCount)
        sentCount = 0
    }

    /// Takes what has come.
    ///
    /// A read that does not fill its room has emptied the socket, and what comes later is a new edge;
    /// only the end, once its edge has been, is met by reading on.
    private func receive() {
        if readBuffer.isEmpty { readBuffer = [UInt8](repeating: 0, count: Self.readSize) }
        for _ in 0..<Self.readsPerTurn where events != nil {
            let number = socket.descriptor.number
            let count = readBuffer.withUnsafeMutableBytes { syscalls.receive(number, $0) }
            switch count {
            case let count where count > 0:
                take(count)
                guard count == readBuffer.count || hasPeerEnded else { return }
            case 0: return end("the server has closed the connection")
            case Syscalls.interrupted: continue
            case Syscalls.wouldBlock: return
            default: return end("the server is gone")
            }
        }
        // There may be more, and an edge is not repeated.
        if let registration { loop.redeliver(.readable, to: registration) }
    }

    private func take(_ count: Int) {
        readBuffer.withUnsafeBytes { parser.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        do throws(RESPError) {
            while let events, let value = try parser.next() { events.received(value) }
        } catch {
            end("the server does not speak the Redis protocol (\(error))")
        }
    }
}
