import BroadsheetIO
import Glibc
import Synchronization
import TestSupport

/// A client with a blocking socket that sends given bytes and reads responses.
final class TestClient: Sendable {
    /// A response as it was received.
    struct Response: Sendable, Equatable {
        var status: Int
        /// The lines between status line and empty line, as received.
        var fields: [String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var closes: Bool { fields.contains("Connection: close") }
    }

    /// The end of a connection.
    enum End: Sendable, Hashable {
        /// The server ended its stream.
        case closed
        /// The server reset the connection.
        case reset
    }

    private let socket: Mutex<FileDescriptor?>
    private let number: Int32
    /// The bytes that were received and not read.
    private let received = Mutex<[UInt8]>([])

    /// Connects.
    ///
    /// - Parameter receiveBuffer: The size of the receive buffer; a small one soon blocks a server
    ///   whose responses are not read.
    init(_ address: SocketAddress, receiveBuffer: Int32? = nil) throws {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        number = Glibc.socket(AF_INET, type, 0)
        socket = Mutex(FileDescriptor(owning: number))
        if var size = receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: target) { [number] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try IOError.check(result == 0 ? 0 : -Int(errno), "connect")
    }

    // MARK: Sending

    /// Sends all of `text`, which must fit into the socket buffers.
    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends all of `bytes`, and blocks the calling thread while the buffers are full.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all.dropFirst(sent))
                return Glibc.send(number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            try IOError.check(count >= 0 ? 0 : -Int(errno), "send")
            sent += count
        }
    }

    /// Ends this side's stream; reading stays possible.
    func halfClose() {
        shutdown(number, Int32(SHUT_WR))
    }

    /// Closes the connection.
    func close() {
        socket.withLock { $0 = nil }
    }

    /// Resets the connection.
    func reset() {
        _ = Syscalls.system.resetOnClose(number)
        close()
    }

    // MARK: Receiving

    /// Reads the next response.
    ///
    /// - Parameter hasBody: `false` for responses to HEAD and for `100 Continue`, which have no
    ///   body whatever their Content-Length.
    func response(hasBody: Bool = true) async throws -> Response {
        try await blocking { [self] in
            let end = Array("\r\n\r\n".utf8)
            try fill("a head") { $0.firstRange(of: end) != nil }
            let lines = takeHead(end).split(separator: "\r\n").map(String.init)
            let length = lines.first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
            let count = hasBody ? length.flatMap { Int($0) } ?? 0 : 0
            try fill("a body of \(count) bytes") { $0.count >= count }
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return Response(
                status: status ?? 0, fields: Array(lines.dropFirst()), body: take(count))
        }
    }

    /// Waits for the end of the connection; the bytes before it can still be read.
    func end() async throws -> End {
        try await blocking { [self] in
            while true {
                switch try receive("the end") {
                case 0: return .closed
                case -Int(ECONNRESET): return .reset
                default: continue
                }
            }
        }
    }

    /// All bytes that were received and not read.
    var unread: [UInt8] { received.withLock { $0 } }

    /// Reads the chunks of a response up to the last one, or so many bytes of them.
    ///
    /// - Parameter count: The number of bytes without their frames; all if it is left out.
    func chunks(atLeast count: Int? = nil) async throws -> [UInt8] {
        try await blocking { [self] in
            let end = Array("\r\n".utf8)
            var content: [UInt8] = []
            while count.map({ content.count < $0 }) ?? true {
                try fill("the size of a chunk") { $0.firstRange(of: end) != nil }
                let size = Int(takeHead(end).dropLast(1), radix: 16) ?? -1
                try fill("a chunk of \(size) bytes") { $0.count >= size + end.count }
                content += take(size)
                guard take(end.count) == end else { throw Overdue(description: "a chunk's end") }
                if size == 0 { break }
            }
            return content
        }
    }

    /// Receives at least so many bytes more, so that the server can send again.
    func receive(atLeast count: Int) async throws {
        try await blocking { [self] in
            let goal = unread.count + count
            try fill("\(count) bytes more") { $0.count >= goal }
        }
    }

    private func fill(_ what: String, until isEnough: ([UInt8]) -> Bool) throws {
        while !received.withLock({ isEnough($0) }) {
            let count = try receive(what)
            guard count > 0 else { throw Overdue(description: "\(what): ended with \(count)") }
        }
    }

    /// One `recv`, its bytes appended: a number of bytes, 0 or `-errno`.
    private func receive(_ what: String) throws -> Int {
        var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(waitTimeout.components.seconds * 1000)
        guard poll(&watched, 1, milliseconds) > 0 else { throw Overdue(description: what) }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = buffer.withUnsafeMutableBytes { Syscalls.system.receive(number, $0) }
        if count > 0 { received.withLock { $0 += buffer.prefix(count) } }
        return count
    }

    private func takeHead(_ end: [UInt8]) -> String {
        let count = received.withLock { $0.firstRange(of: end)?.upperBound ?? 0 }
        return String(decoding: take(count), as: UTF8.self)
    }

    private func take(_ count: Int) -> [UInt8] {
        received.withLock { bytes in
            let taken = Array(bytes.prefix(count))
            bytes.removeFirst(taken.count)
            return taken
        }
    }
}
