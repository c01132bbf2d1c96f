import Glibc

/// A TCP connection to the daemon that uses blocking calls with deadlines.
final class ClientConnection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of the loopback interface.
    ///
    /// - Parameters:
    ///   - port: The port to connect to.
    ///   - receiveBuffer: The size of the kernel's receive buffer, in bytes. With a small one a
    ///     peer that writes much soon has to wait.
    ///   - source: The number of the client's own address in 127.0.0.0/24.
    init(port: UInt16, receiveBuffer: Int32? = nil, from source: UInt8 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw HarnessError("no socket: errno \(errno)") }
        if var size = receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size,
                socklen_t(MemoryLayout.size(ofValue: size)))
        }
        let isConnected =
            Self.with(Self.loopback(source, port: 0)) { bind(descriptor, $0, $1) } == 0
            && Self.with(Self.loopback(1, port: port)) { Glibc.connect(descriptor, $0, $1) } == 0
        guard isConnected else {
            let reason = errno
            close(descriptor)
            throw HarnessError("cannot connect to port \(port): errno \(reason)")
        }
    }

    deinit { close(descriptor) }

    private static func loopback(_ number: UInt8, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7f00_0000 + UInt32(number)).bigEndian
        return address
    }

    /// Calls a function of the system with an address and its length.
    private static func with(
        _ address: sockaddr_in, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Sends all of the given bytes.
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

    /// Shuts the sending side of the connection down.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the next response, which is for a request with the given method.
    func receive(
        responseTo method: String = "GET", until deadline: Deadline = .within()
    ) throws
        -> Response
    {
        while true {
            if let (response, length) = try Response.parse(buffer, responseTo: method) {
                buffer.removeFirst(length)
                return response
            }
            guard try fill(until: deadline) else {
                throw HarnessError("the connection ended after \(buffer.count) bytes of a response")
            }
        }
    }

    /// Returns all bytes up to the point where the peer closes the connection.
    func receiveToEnd(until deadline: Deadline = .within()) throws -> [UInt8] {
        while try fill(until: deadline) {}
        defer { buffer = [] }
        return buffer
    }

    /// Returns all bytes as soon as they satisfy a condition.
    func receive(
        until deadline: Deadline = .within(), _ isEnough: ([UInt8]) -> Bool
    ) throws -> [UInt8] {
        while !isEnough(buffer) {
            guard try fill(until: deadline) else {
                throw HarnessError("the connection ended after \(buffer.count) bytes")
            }
        }
        defer { buffer = [] }
        return buffer
    }

    /// Returns when a text has arrived, and keeps all bytes for the calls after it.
    func waitFor(_ text: String, until deadline: Deadline = .within()) throws {
        buffer = try receive(until: deadline) {
            String(decoding: $0, as: UTF8.self).contains(text)
        }
    }

    /// Returns whether a byte, or the end of the stream, arrives within the given duration.
    func isReadable(within duration: Duration) -> Bool {
        (try? wait(for: Int16(POLLIN), until: .within(duration))) != nil
    }

    /// Waits for bytes and reads them; returns `false` at the end of the stream or at a reset.
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

/// Serialises HTTP requests.
enum Request {
    /// Returns the bytes of a request, with a `Content-Length` when there is a body.
    static func bytes(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}
