import BroadsheetClient
import BroadsheetKit
import Foundation
import FoundationNetworking
import Glibc
import TestSupport
import Testing

/// A server on a port of the loopback interface, which sends a fixed text over each connection.
private final class ScriptedServer: Sendable {
    let port: UInt16
    /// The requests as they were received, once all connections are closed.
    let requests: Task<[String], Never>

    /// Listens, and takes as many connections as there are responses.
    init(_ responses: [String]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        try #require(isListening)
        port = UInt16(bigEndian: address.sin_port)
        let (received, continuation) = AsyncStream<String>.makeStream()
        // A thread, because its calls wait.
        Thread.detachNewThread {
            for response in responses {
                let connection = accept(listener, nil, nil)
                continuation.yield(Self.head(from: connection))
                let bytes = Array(response.utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
            close(listener)
            continuation.finish()
        }
        requests = Task { await received.reduce(into: []) { $0.append($1) } }
    }

    private static func head(from connection: Int32) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("The transport of URLSession", .timeLimit(.minutes(hangMinutes)))
struct URLSessionTransportTests {
    private func response(_ status: String, _ fields: String = "", _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    private func transport(_ server: ScriptedServer) throws -> URLSessionTransport {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/base/?x=1"))
        return URLSessionTransport(url, headers: ["Authorization": "Bearer secret"])
    }

    @Test(
        "Targets are appended to the path of the URL, and the response has status, fields and body")
    func request() async throws {
        let server = try ScriptedServer([response("201 Created", "X-One: 1\r\n", "body")])
        let received = try await transport(server).send(
            ClientRequest("POST", "/v1/a?b=c", headers: ["X-Two": "2"], body: Array("in".utf8)))
        #expect(received.status == 201 && received.headers["X-One"] == "1")
        var body: [UInt8] = []
        for try await part in received.body { body += part }
        #expect(body == Array("body".utf8))
        let request = try #require(await server.requests.value.first)
        #expect(request.hasPrefix("POST /base/v1/a?b=c HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer secret\r\n"))
        #expect(request.contains("X-Two: 2\r\n"))
    }

    @Test("A redirect keeps the header fields within the origin, and another origin has none")
    func redirects() async throws {
        let other = try ScriptedServer([response("200 OK")])
        let elsewhere = "Location: http://127.0.0.1:\(other.port)/there\r\n"
        let server = try ScriptedServer([
            response("307 Temporary Redirect", "Location: /here\r\n"),
            response("307 Temporary Redirect", elsewhere),
        ])
        let received = try await transport(server).send(ClientRequest("GET", "/first"))
        #expect(received.status == 200)
        let own = await server.requests.value
        #expect(own.map { $0.contains("Authorization: Bearer secret\r\n") } == [true, true])
        let others = await other.requests.value
        #expect(others.map { $0.hasPrefix("GET /there ") } == [true])
        #expect(others.map { $0.contains("secret") } == [false])
    }

    @Test("The time limits of a configuration do not apply, and the caller's copy keeps them")
    func configuration() async throws {
        let server = try ScriptedServer([response("200 OK", "", "body")])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 1e-9
        configuration.timeoutIntervalForResource = 1e-9
        // The transport is gone before its response is read.
        let received = try await URLSessionTransport(url, configuration: configuration)
            .send(ClientRequest("GET", "/"))
        var body: [UInt8] = []
        for try await part in received.body { body += part }
        #expect(body == Array("body".utf8))
        #expect(configuration.timeoutIntervalForRequest == 1e-9)
        #expect(configuration.timeoutIntervalForResource == 1e-9)
    }

    @Test("A connection that is lost, and an address without a server, are errors")
    func failures() async throws {
        let server = try ScriptedServer([""])
        let transport = try transport(server)
        await #expect(throws: URLError.self) {
            try await transport.send(ClientRequest("GET", "/first"))
        }
        _ = await server.requests.value
        await #expect(throws: URLError.self) {
            try await transport.send(ClientRequest("GET", "/second"))
        }
    }
}
