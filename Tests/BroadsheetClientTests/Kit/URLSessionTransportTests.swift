import BroadsheetClient
import BroadsheetKit
import Foundation
import FoundationNetworking
import Glibc
import Synchronization
import TestSupport
import Testing

/// A server on a port of the loopback interface, which sends a fixed text over each connection.
private final class ScriptedServer: Sendable {
    let port: UInt16
    /// The requests as they were received, once all connections are closed.
    let requests: Task<[String], Never>

    /// Listens, and takes as many connections as there are responses.
    ///
    /// - Parameters:
    ///   - responses: The responses.
    ///   - staysOpen: A Boolean value that indicates whether the connection of the first response
    ///     stays open until the client closes it.
    init(_ responses: [String], staysOpen: Bool = false) throws {
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
            var opened: Int32?
            for response in responses {
                let connection = accept(listener, nil, nil)
                continuation.yield(Self.head(from: connection))
                let bytes = Array(response.utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                if staysOpen, opened == nil { opened = connection } else { close(connection) }
            }
            if let opened {
                _ = Self.head(from: opened)
                close(opened)
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

    /// The calls of a function that gets tokens: their problems.
    private final class Calls: Sendable {
        private let problems = Mutex<[String?]>([])
        var all: [String?] { problems.withLock { $0 } }

        /// Records a call; returns its number, from 1.
        func add(_ problem: ClientError?) -> Int {
            problems.withLock { problems in
                problems.append(problem.map { "\($0)" })
                return problems.count
            }
        }
    }

    private func transport(
        _ server: ScriptedServer, token: @escaping @Sendable (ClientError?) async throws -> String
    ) throws -> URLSessionTransport {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        return URLSessionTransport(url, headers: ["X-App": "1"], token: token)
    }

    private func bearers(_ server: ScriptedServer) async -> [String?] {
        await server.requests.value.map { request in
            request.components(separatedBy: "\r\n").first { $0.hasPrefix("Authorization: ") }
                .map { String($0.dropFirst("Authorization: ".count)) }
        }
    }

    @Test("A token is requested once for all requests, and after a 401 with its problem")
    func tokens() async throws {
        let problem = #"{"status":401,"code":"TOKEN_EXPIRED","detail":"why"}"#
        let server = try ScriptedServer([
            response("200 OK"), response("401 Unauthorized", "", problem), response("200 OK"),
            response("401 Unauthorized", "", problem), response("401 Unauthorized", "", problem),
        ])
        let calls = Calls()
        let transport = try transport(server) { "t\(calls.add($0))" }
        var statuses: [Int] = []
        for _ in 0..<3 {
            statuses.append(try await transport.send(ClientRequest("GET", "/")).status)
        }
        #expect(statuses == [200, 200, 401])
        #expect(
            await bearers(server) == [
                "Bearer t1", "Bearer t1", "Bearer t2", "Bearer t2", "Bearer t3",
            ])
        #expect(calls.all == [nil, "401 TOKEN_EXPIRED: why", "401 TOKEN_EXPIRED: why"])
    }

    @Test("Requests that need a token at the same time wait for one call")
    func oneCall() async throws {
        let server = try ScriptedServer([response("200 OK"), response("200 OK")])
        let calls = Calls()
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let transport = try transport(server) { problem in
            let number = calls.add(problem)
            for await _ in gate { break }
            return "t\(number)"
        }
        async let first = transport.send(ClientRequest("GET", "/a")).status
        async let second = transport.send(ClientRequest("GET", "/b")).status
        #expect(await eventually { calls.all.count == 1 })
        opening.finish()
        #expect(try await [first, second] == [200, 200])
        #expect(calls.all.count == 1)
        #expect(await bearers(server) == ["Bearer t1", "Bearer t1"])
    }

    @Test("An error of the function is that of its request, and the next one calls it again")
    func noToken() async throws {
        struct NoToken: Error {}
        let server = try ScriptedServer([response("200 OK")])
        let calls = Calls()
        let transport = try transport(server) { problem in
            guard calls.add(problem) > 1 else { throw NoToken() }
            return "t"
        }
        await #expect(throws: NoToken.self) {
            try await transport.send(ClientRequest("GET", "/"))
        }
        #expect(try await transport.send(ClientRequest("GET", "/")).status == 200)
    }

    @Test("A stream ends before its token does, to be opened again with the next one")
    func renewal() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: \n\n"
        let server = try ScriptedServer([head, head], staysOpen: true)
        let calls = Calls()
        // A second from now is the earliest time.
        let transport = try transport(server) { problem in
            let now = Int(Date().timeIntervalSince1970)
            let claims = #"{"iat":\#(now),"exp":\#(now + 1),"n":\#(calls.add(problem))}"#
            return "e30.\(Data(claims.utf8).base64EncodedString()).c2ln"
        }
        let request = ClientRequest("GET", "/", headers: ["Accept": "text/event-stream"])
        let stream = try await transport.send(request)
        await #expect(throws: StreamReopening.self) { for try await _ in stream.body {} }
        #expect(calls.all.count == 2)
        _ = try await transport.send(request)
        let received = await bearers(server)
        #expect(received.count == 2 && received[0] != received[1])
    }
}
