import Glibc

/// A load of requests with large bodies that costs as little as possible, because it shares the
/// cores with the server.
///
/// Each connection repeats its request when the response to the previous one has arrived. A request
/// is one call, and the kernel discards the content of responses.
struct Load {
    /// A request that is repeated on a connection of its own, with each of its bodies in turn.
    struct Request {
        var method: String
        var path: String
        /// Further fields, as `Name: value`.
        var fields: [String] = []
        /// The bodies, which are sent as JSON.
        var bodies: [[UInt8]]

        fileprivate func bytes(to port: UInt16) -> [[UInt8]] {
            bodies.map { body in
                let fields =
                    ["Host: 127.0.0.1:\(port)", "Content-Type: application/json"] + fields
                    + ["Content-Length: \(body.count)"]
                let head = ["\(method) \(path) HTTP/1.1"] + fields + ["", ""]
                return Array(head.joined(separator: "\r\n").utf8) + body
            }
        }
    }

    /// The requests, each with a persistent connection; one thread serves them all.
    var requests: [Request]
    /// The duration, in seconds.
    var seconds = 2.0

    /// The longest time without a response, in milliseconds.
    private static let timeout: Int32 = 10_000

    /// Runs the load against a port of the loopback interface.
    ///
    /// - Throws: `BenchmarkError` unless every response has the status 2xx.
    func run(against port: UInt16) throws -> Wrk.Report {
        var clients = try requests.map { try LoadConnection($0.bytes(to: port), to: port) }
        var polled = clients.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        defer { for client in clients { close(client.socket) } }
        let start = ContinuousClock.now
        var (latencies, elapsed) = ([Double](), 0.0)
        for index in clients.indices { try clients[index].send(at: 0) }
        while elapsed < seconds {
            guard poll(&polled, nfds_t(polled.count), Self.timeout) > 0 else {
                throw BenchmarkError("port \(port) does not respond")
            }
            elapsed = start.secondsToNow
            for index in clients.indices where polled[index].revents != 0 {
                guard try clients[index].readResponse() else { continue }
                latencies.append(elapsed - clients[index].sendTime)
                try clients[index].send(at: elapsed)
            }
        }
        return Wrk.Report(
            rate: Double(latencies.count) / elapsed, median: latencies.median,
            percentile99: latencies.percentile99)
    }
}

/// A connection of a load, which blocks while it sends.
private struct LoadConnection {
    let socket: Int32
    /// The time at which the current request was sent, in seconds since the start of the load.
    private(set) var sendTime = 0.0
    private let requests: [[UInt8]]
    private var next = 0
    /// The number of bytes to come of the current response, once its head has arrived.
    private var rest: Int?
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init(_ requests: [[UInt8]], to port: UInt16) throws {
        self.requests = requests
        socket = try Loopback.connect(to: port)
    }

    mutating func send(at time: Double) throws {
        sendTime = time
        let request = requests[next]
        next = (next + 1) % requests.count
        var sent = 0
        while sent < request.count {
            let count = request.withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress?.advanced(by: sent), $0.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkError("a request cannot be sent") }
            sent += count
        }
    }

    /// Reads the head of a response, and discards the bytes of its content that have arrived.
    ///
    /// - Returns: A Boolean value that indicates whether the response is complete.
    mutating func readResponse() throws -> Bool {
        var rest = try self.rest ?? readHead()
        if rest > 0 {
            let count = recv(socket, nil, rest, Int32(MSG_DONTWAIT | MSG_TRUNC))
            guard count > 0 || (count < 0 && errno == EAGAIN) else {
                throw BenchmarkError("a response is not complete")
            }
            rest -= max(0, count)
        }
        self.rest = rest == 0 ? nil : rest
        return rest == 0
    }

    /// Reads a head, which arrives at once, and returns the number of bytes to come.
    private mutating func readHead() throws -> Int {
        let count = recv(socket, &buffer, buffer.count - 1, 0)
        guard count > 0, buffer.starts(with: "HTTP/1.1 2".utf8) else {
            throw BenchmarkError("a response is not 2xx")
        }
        buffer[count] = 0
        return try buffer.withUnsafeBytes { bytes in
            guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress,
                let end = strstr(start, "\r\n\r\n")
            else { throw BenchmarkError("a response's head is too long") }
            let head = UnsafePointer(end) - start + 4
            guard let field = strstr(start, "\r\nContent-Length:"), field < end else {
                return head - count
            }
            return head + atol(field + 17) - count
        }
    }
}
