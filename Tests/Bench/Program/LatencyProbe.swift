import Glibc

/// A client that sends a request every few milliseconds, so that it does not add to the load, and
/// that counts every delay once.
final class LatencyProbe {
    private static let requests = 600
    private static let interval: UInt32 = 5_000

    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 20)

    init(port: UInt16) throws { socket = try Loopback.connect(to: port) }

    deinit { close(socket) }

    /// Returns the 99th percentile of the durations of GET requests, in seconds.
    func percentile99(of path: String) throws -> Double {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        var seconds: [Double] = []
        for _ in 0..<Self.requests {
            usleep(Self.interval)
            let start = ContinuousClock.now
            try exchange(request)
            seconds.append(start.secondsToNow)
        }
        return seconds.percentile99
    }

    /// Sends a request and reads its response.
    func exchange(_ request: [UInt8]) throws {
        var sent = 0
        while sent < request.count {
            let count = Glibc.send(
                socket, Array(request[sent...]), request.count - sent, Int32(MSG_NOSIGNAL))
            guard count > 0 else {
                throw BenchmarkError("the daemon has closed the connection of a probe")
            }
            sent += count
        }
        try receive()
    }

    /// Reads one response.
    private func receive() throws {
        var count = 0
        var length: Int?
        while length.map({ count < $0 }) ?? true {
            let received = recv(socket, &buffer[count], buffer.count - count, 0)
            guard received > 0 else { throw BenchmarkError("a probe received no response") }
            count += received
            if length == nil { length = try Self.length(of: buffer[..<count]) }
        }
    }

    /// Returns the length of a response with its head; `nil` while the head is incomplete.
    private static func length(of bytes: ArraySlice<UInt8>) throws -> Int? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let field = "Content-Length: "
        guard let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix(field) }),
            let count = Int(line.dropFirst(field.count))
        else { throw BenchmarkError("a response has no length: \(head)") }
        return end.upperBound + count
    }
}
