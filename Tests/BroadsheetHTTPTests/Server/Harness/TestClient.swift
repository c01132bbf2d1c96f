import BroadsheetIO
import Glibc
import Synchronization

/// A client with a blocking socket that sends what it is told, byte for byte, and reads answers.
final class TestClient: Sendable {
    /// An answer as it came over the wire.
    struct Answer: Sendable, Equatable {
        var status: Int
        /// The lines between status line and empty line, as they came.
        var fields: [String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var closes: Bool { fields.contains("Connection: close") }
    }

    /// How a connection ended.
    enum End: Sendable, Hashable {
        /// The server ended its stream.
        case closed
        /// The server reset the connection.
        case reset
    }

    private let socket: Mutex<FileDescriptor?>
    private let number: Int32
    /// What was received and not yet read.
    private let received = Mutex<[UInt8]>([])

    /// Connects.
    ///
    /// - Parameter receiveBuffer: Bytes that the kernel keeps for this side; small ones make a
    ///   server feel soon that nobody reads.
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

    /// Sends all of `bytes`, waiting for room on the calling thread.
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

    /// Ends this side's stream and goes on reading.
    func halfClose() {
        shutdown(number, Int32(SHUT_WR))
    }

    /// Closes in the usual way.
    func close() {
        socket.withLock { $0 = nil }
    }

    /// Vanishes with a reset.
    func reset() {
        _ = Syscalls.system.resetOnClose(number)
        close()
    }

    // MARK: Receiving

    /// The next answer.
    ///
    /// - Parameter hasBody: False for answers to HEAD and `100 Continue`, which have none whatever
    ///   their Content-Length.
    func answer(hasBody: Bool = true) async throws -> Answer {
        try await blocking { [self] in
            let end = Array("\r\n\r\n".utf8)
            try fill("a head") { $0.firstRange(of: end) != nil }
            let lines = takeHead(end).split(separator: "\r\n").map(String.init)
            let length = lines.first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
            let count = hasBody ? length.flatMap { Int($0) } ?? 0 : 0
            try fill("a body of \(count) bytes") { $0.count >= count }
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return Answer(status: status ?? 0, fields: Array(lines.dropFirst()), body: take(count))
        }
    }

    /// Waits for the end of the connection; what came before is left to be read.
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

    /// All bytes that have come and were not read yet.
    var unread: [UInt8] { received.withLock { $0 } }

    /// Receives so many bytes more and no others, to make room for the server's next ones.
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
        let milliseconds = Int32(patience.components.seconds * 1000)
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
