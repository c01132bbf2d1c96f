import Glibc

/// A TCP connection to the daemon, in plain blocking calls with deadlines.
final class Connection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects; `receiveBuffer` makes the kernel's own buffer for what comes in that many bytes,
    /// so that a peer that writes much is soon held up.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw HarnessError("no socket: errno \(errno)") }
        if var size = receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size,
                socklen_t(MemoryLayout.size(ofValue: size)))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = errno
            close(descriptor)
            throw HarnessError("cannot connect to port \(port): errno \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Sends all of `bytes`.
    func send(_ bytes: [UInt8], until deadline: Deadline = .within()) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: Int16(POLLOUT), until: deadline)
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count >= 0 else { throw HarnessError("cannot send: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends text.
    func send(_ text: String, until deadline: Deadline = .within()) throws {
        try send(Array(text.utf8), until: deadline)
    }

    /// Says that nothing more will be sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next answer, to a request of that method.
    func receive(
        answering method: String = "GET", until deadline: Deadline = .within()
    ) throws
        -> Reply
    {
        while true {
            if let (reply, length) = try Reply.parse(buffer, answering: method) {
                buffer.removeFirst(length)
                return reply
            }
            guard try fill(until: deadline) else {
                throw HarnessError("the connection ended after \(buffer.count) bytes of an answer")
            }
        }
    }

    /// Everything up to the peer's end of the connection.
    func receiveToEnd(until deadline: Deadline = .within()) throws -> [UInt8] {
        while try fill(until: deadline) {}
        defer { buffer = [] }
        return buffer
    }

    /// Whether a byte, or the end, comes in within `duration`.
    func hears(within duration: Duration) -> Bool {
        (try? wait(for: Int16(POLLIN), until: .within(duration))) != nil
    }

    /// Reads what is there, waiting for it; false at the end or at a reset.
    private func fill(until deadline: Deadline) throws -> Bool {
        try wait(for: Int16(POLLIN), until: deadline)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }

    private func wait(for events: Int16, until deadline: Deadline) throws {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let count = poll(&request, 1, deadline.milliseconds)
            if count > 0 { return }
            if count == 0 { throw HarnessError("nothing happened on the connection in time") }
            guard errno == EINTR else { throw HarnessError("cannot wait: errno \(errno)") }
        }
    }
}
