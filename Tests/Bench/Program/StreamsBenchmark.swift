import BroadsheetIO
import Glibc

/// The memory of 5,000 streams of one daemon, and the time in which a write reaches all of them,
/// also while some of their clients do not read.
enum StreamsBenchmark {
    private static let count = 5000
    private static let unreadCount = 100
    /// The maximum resident memory of the daemon, in megabytes.
    private static let maxMegabytes = 100.0
    /// The number of writes that are measured.
    private static let writes = 20
    /// The maximum ratio of the times beside clients that do not read.
    private static let spread = 2.0

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        try raiseFileLimit(to: count + 200)
        let daemon = try DaemonProcess(context)
        defer { daemon.end() }
        try daemon.store(context.page(products: 40), as: 0, of: "home")
        var clients = StreamClients()
        try clients.open(count, of: path, on: daemon.port)
        let megabytes = Double(try daemon.residentBytes()) / 1e6
        var writer = try PageWriter(context, port: daemon.port)
        let usual = try clients.timesOfWrites(writes, by: &writer)
        clients.stopReading(unreadCount)
        // The events of these writes fill the buffers of clients that do not read.
        _ = try clients.timesOfWrites(writes, by: &writer)
        let beside = try clients.timesOfWrites(writes, by: &writer)
        clients.close()
        let ratio = beside.percentile99 / usual.percentile99
        return [
            ResultRow(
                name: "\(count) streams, resident memory", figure: "\(megabytes.formatted(1)) MB",
                target: Target(figure: megabytes, .below(maxMegabytes), unit: "MB")),
            ResultRow(
                name: "  a write reaches all of them, p99", figure: usual.percentile99.milliseconds,
                baseline: "p50 \(usual.median.milliseconds)",
                ratio: (usual.percentile99 / usual.median).formatted()),
            ResultRow(
                name: "  \(unreadCount) of them do not read, p99 of the others",
                figure: beside.percentile99.milliseconds,
                baseline: "all read \(usual.percentile99.milliseconds)",
                ratio: ratio.formatted(), target: Target(ratio: ratio, .atMost(spread))),
        ]
    }

    private static let path = "/v1/screens/home/stream?changes=true&width=390"

    private static func raiseFileLimit(to wanted: Int) throws {
        let limit = OpenFileLimit.raise(to: wanted)
        guard limit >= wanted else { throw BenchmarkError("only \(limit) file descriptors") }
    }
}

/// A client that replaces the page of a screen by another one of the same length.
private struct PageWriter {
    private let socket: Int32
    private let pages: [[UInt8]]
    private var count = 0

    init(_ context: BenchmarkContext, port: UInt16) throws {
        socket = try Loopback.connect(to: port)
        let page = String(decoding: try context.page(products: 40), as: UTF8.self)
        pages = ["A", "B"].map { letter in
            let body = page.replacing("\"title\":\"", with: "\"title\":\"\(letter)")
            return Array(
                """
                PUT /v1/screens/home/pages/0 HTTP/1.1\r
                Host: 127.0.0.1\r
                Content-Type: application/json\r
                Prefer: return=minimal\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """.utf8)
        }
    }

    /// Sends the next write, and returns the time at which it was sent.
    mutating func write() throws -> ContinuousClock.Instant {
        count += 1
        let request = pages[count % pages.count]
        let start = ContinuousClock.now
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw BenchmarkError("the write could not be sent")
        }
        return start
    }

    /// Reads the response.
    func finish() throws {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 12, bytes[9] == UInt8(ascii: "2") else {
            throw BenchmarkError("a write was not accepted")
        }
    }
}

/// The clients of many streams, on one thread.
private struct StreamClients {
    /// The bytes of a stream since the last event.
    private struct Progress {
        var count = 0
        /// The last four bytes.
        var tail: UInt32 = 0

        /// A Boolean value that indicates whether they end with an event, and its chunk: longer
        /// than a heartbeat.
        var isEvent: Bool { count > 100 && tail == 0x0A0A_0D0A }
    }

    private var sockets: [pollfd] = []
    /// The streams that are not read.
    private var unread: [Int32] = []
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    /// The longest time without any event, in milliseconds.
    private static let timeout: Int32 = 30_000

    /// Opens streams, and waits for the first event of each.
    mutating func open(_ count: Int, of path: String, on port: UInt16) throws {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        for _ in 0..<count {
            let socket = try Loopback.connect(to: port)
            sockets.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
            guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
                throw BenchmarkError("a stream could not be requested")
            }
        }
        _ = try arrivals(since: .now)
    }

    /// Excludes the first streams from reading.
    mutating func stopReading(_ count: Int) {
        unread = sockets.prefix(count).map(\.fd)
        sockets.removeFirst(count)
    }

    /// Returns the times in which writes reach the streams that are read, in seconds.
    mutating func timesOfWrites(_ count: Int, by writer: inout PageWriter) throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<count {
            let start = try writer.write()
            times += try arrivals(since: start)
            try writer.finish()
        }
        return times
    }

    func close() {
        for socket in sockets.map(\.fd) + unread { Glibc.close(socket) }
    }

    /// Reads until each stream has an event, and returns the times at which they arrived.
    private mutating func arrivals(since start: ContinuousClock.Instant) throws -> [Double] {
        var progress = [Progress](repeating: Progress(), count: sockets.count)
        var times: [Double] = []
        while times.count < sockets.count {
            guard poll(&sockets, nfds_t(sockets.count), Self.timeout) > 0 else {
                throw BenchmarkError("\(sockets.count - times.count) streams have no event")
            }
            for index in sockets.indices where sockets[index].revents != 0 {
                let wasEvent = progress[index].isEvent
                try receive(from: sockets[index].fd, &progress[index])
                if !wasEvent, progress[index].isEvent { times.append(start.secondsToNow) }
            }
        }
        return times
    }

    private mutating func receive(from socket: Int32, _ progress: inout Progress) throws {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchmarkError("a stream was closed") }
        progress.count += count
        for byte in buffer[max(0, count - 4)..<count] {
            progress.tail = progress.tail << 8 | UInt32(byte)
        }
    }
}
