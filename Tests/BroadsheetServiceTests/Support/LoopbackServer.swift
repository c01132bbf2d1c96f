import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import BroadsheetService

/// A service behind a server on a free port of 127.0.0.1, with one client.
final class LoopbackServer: Sendable {
    let service: TestService
    /// The handler between the server and the service.
    let handler: CountingHandler
    private let group: EventLoopGroup
    private let server: HTTPServer
    private let client: LoopbackClient

    /// Starts a server for a service, and connects a client.
    ///
    /// - Parameter repeats: A Boolean value that indicates whether responses are repeated.
    init(_ service: TestService, clock: ManualClock, repeats: Bool) async throws {
        self.service = service
        handler = CountingHandler(service.service, repeats: repeats)
        group = try EventLoopGroup(count: 1, clock: clock.time)
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        // Clocks that tests advance by hours must not end the connection.
        configuration.idleTimeout = .seconds(1_000_000)
        configuration.headerTimeout = .seconds(1_000_000)
        server = HTTPServer(group: group, configuration: configuration, handler: handler)
        client = try LoopbackClient(port: try await server.start().port)
    }

    /// Sends requests as these pieces, and returns that many responses.
    func send(_ pieces: [String], responses: Int = 1, hasBody: Bool = true) async throws -> [String]
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [client] in
                continuation.resume(
                    with: Result {
                        for piece in pieces { try client.send(piece) }
                        return try (0..<responses).map { _ in try client.response(hasBody) }
                    })
            }
        }
    }

    /// Ends the connection and the server.
    func stop() async {
        client.close()
        await server.shutdown(drain: .zero)
        group.shutdown()
    }
}

/// A handler that counts the requests that reach the service, and may prevent repetitions.
final class CountingHandler: HTTPHandler {
    private let service: BroadsheetService
    private let repeats: Bool
    private let calls = Atomic(0)

    init(_ service: BroadsheetService, repeats: Bool) {
        self.service = service
        self.repeats = repeats
    }

    /// The number of requests that the service has handled in a task.
    var callCount: Int { calls.load(ordering: .relaxed) }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        calls.wrappingAdd(1, ordering: .relaxed)
        var response = await service.respond(to: request)
        if !repeats { response.repeatable = nil }
        return response
    }

    func response(
        to error: HTTPError, in head: HTTPRequestHead?, from peer: IPAddress
    ) -> HTTPResponse {
        service.response(to: error, in: head, from: peer)
    }

    func completed(_ exchange: HTTPExchange) { service.completed(exchange) }
}

/// A client with a blocking socket.
private final class LoopbackClient: Sendable {
    struct Failure: Error { let call: String }

    private let socket: Int32
    private let received = Mutex<[UInt8]>([])

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) { [socket] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "connect") }
        var seconds = timeval(tv_sec: Int(waitTimeout.components.seconds), tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &seconds, socklen_t(MemoryLayout<timeval>.size))
    }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(call: "send")
        }
    }

    /// Reads the next response.
    func response(_ hasBody: Bool) throws -> String {
        let end = Array("\r\n\r\n".utf8)
        while true {
            let bytes = received.withLock { $0 }
            if let head = bytes.firstRange(of: end) {
                let text = String(decoding: bytes[..<head.upperBound], as: UTF8.self)
                let length = text.split(separator: "\r\n")
                    .first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
                let total = head.upperBound + (hasBody ? length ?? 0 : 0)
                if bytes.count >= total {
                    received.withLock { $0.removeFirst(total) }
                    return String(decoding: bytes[..<total], as: UTF8.self)
                }
            }
            try receive()
        }
    }

    func close() { Glibc.close(socket) }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure(call: "recv") }
        received.withLock { $0 += buffer.prefix(count) }
    }
}
