import BroadsheetHTTP
import BroadsheetIO
import Testing

@testable import BroadsheetService

@Suite("The log lines of refused requests (docs/cli.md, serve)") struct RefusedLinesTests {
    private static let proxy = "10.0.0.7"
    private static let client = "192.0.2.1"
    private static let key = "app"

    private let sink = MemoryLogSink()

    private func service() async throws -> BroadsheetService {
        try await TestService(
            access: AccessConfiguration(keys: KeyRing(of: "app write own never")),
            log: Log(format: .json, sink: sink),
            trustedProxies: [try #require(AddressRange(Self.proxy))]
        ).service
    }

    /// The head of a request of the client, which the proxy names.
    private func head(_ method: HTTPMethod, _ path: String) throws -> HTTPRequestHead {
        var headers = HTTPHeaders.key(Self.key)
        headers.append(.forwardedFor, Self.client)
        headers.append(.requestID, "id-1")
        return HTTPRequestHead(
            method: method, target: try #require(RequestTarget(path)), headers: headers,
            host: "localhost")
    }

    /// Checks that each line has the id of the request, and its client.
    private func expectClient(in lines: [String], _ message: String) {
        let facts = #""address":"\#(Self.client)","key":"\#(Self.key)""#
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(line.contains(#""message":"\#(message)","requestId":"id-1""#), "\(line)")
            #expect(line.contains(facts), "\(line)")
        }
    }

    @Test("A request that is refused by its head has the client's address and key")
    func early() async throws {
        let (service, peer) = (try await service(), try #require(IPAddress(Self.proxy)))
        let response = service.refusal(
            of: try head(.put, "/v1/screens/home/pages/0"), from: peer)
        #expect(response?.status.code == 403)
        expectClient(in: sink.lines, "refused")
    }

    @Test(
        "An error of HTTP has the id of the request, and the client's address and key",
        arguments: [.bodyTooLarge(limit: 9), .badRequest(.incomplete)] as [HTTPError])
    func failure(_ error: HTTPError) async throws {
        let (service, peer) = (try await service(), try #require(IPAddress(Self.proxy)))
        let head = try head(.put, "/v1/screens/own/pages/0")
        let response = service.response(to: error, in: head, from: peer)
        #expect(response.headers[.requestID] == "id-1")
        expectClient(in: sink.lines, "refused")
        service.completed(
            HTTPExchange(
                request: head, status: response.status, headers: response.headers,
                client: response.client, peer: peer, bytesSent: 1, duration: .zero,
                isComplete: true))
        try #require(sink.lines.count == 2)
        expectClient(in: [sink.lines[1]], "request")
        let request = #""method":"PUT","path":"/v1/screens/own/pages/0""#
        #expect(sink.lines[1].contains(request))
    }

    @Test("An error of HTTP before the first line of a request has the address of the peer")
    func failureWithoutHead() async throws {
        let (service, peer) = (try await service(), try #require(IPAddress(Self.proxy)))
        _ = service.response(to: .badRequest(.malformedMethod), in: nil, from: peer)
        try #require(sink.lines.count == 1)
        #expect(sink.lines[0].contains(#""address":"\#(Self.proxy)""#))
    }

    @Test(
        "A method or a path that does not exist has the name of a valid key",
        arguments: [(.delete, "/v1/layout", 405), (.get, "/v2", 404)]
            as [(HTTPMethod, String, Int)])
    func unmatched(_ method: HTTPMethod, _ path: String, _ status: Int) async throws {
        let (service, peer) = (try await service(), try #require(IPAddress(Self.proxy)))
        let response = await service.respond(
            to: HTTPRequest(head: try head(method, path), peer: peer))
        #expect(response.status.code == status && response.client == HTTPClient(key: Self.key))
        expectClient(in: sink.lines, "refused")
    }

    @Test("The warning of unknown unit types has the id of the write, and its client")
    func unknownUnitTypes() async throws {
        let (service, peer) = (try await service(), try #require(IPAddress(Self.proxy)))
        let body = Array(#"{"sections":[[{"unitType":"NEW"}]]}"#.utf8)
        let response = await service.respond(
            to: HTTPRequest(
                head: try head(.put, "/v1/screens/own/pages/0"), body: body, peer: peer))
        #expect(response.status == .created)
        expectClient(in: sink.lines, "unknown unit types")
    }
}
