import BroadsheetClient
import BroadsheetHTTP
import TestSupport
import Testing

@testable import BroadsheetService

/// A transport to a service without sockets.
private struct ServiceTransport: ClientTransport {
    let service: TestService

    func send(_ request: ClientRequest) async throws -> ClientResponse {
        var headers: HTTPHeaders = [:]
        headers[.lastEventID] = request.headers["Last-Event-ID"]
        let received = try await service.send(
            request.method, request.target, bytes: request.body ?? [], headers: headers)
        let fields = received.etag.map { ["ETag": $0] } ?? [:]
        guard received.response.stream != nil else {
            return ClientResponse(status: received.status, headers: fields, bytes: received.body)
        }
        let reader = try StreamReader(received.response)
        let events = AsyncThrowingStream<[UInt8], any Error> {
            try await reader.next().map { event in
                let id = event.id.map { "id: \($0)\n" } ?? ""
                return Array("event: \(event.type)\n\(id)data: \(event.data)\n\n".utf8)
            }
        }
        return ClientResponse(status: received.status, headers: fields, body: events)
    }
}

@Suite("A client of a window (docs/client.md)", .timeLimit(.minutes(hangMinutes)))
struct WindowClientTests {
    @Test(
        "The window of a client is a fresh one: paged both ways, edited above, without its anchor")
    func follows() async throws {
        let chat = try await ChatScreen()
        var query = ScreenQuery()
        query.window = .init(around: .item("m25"), before: 250, after: 250)
        let client = ScreenClient(
            "home", query: query, transport: ServiceTransport(service: chat.service))
        var updates = client.updates.makeAsyncIterator()
        func expectFresh(_ revision: UInt64, around anchor: String) async throws {
            var update = try #require(try await updates.next())
            while update.tree.revision != revision {
                update = try #require(try await updates.next())
                #expect(update.changes != nil)
            }
            let fresh = try await chat.get(
                "layout?coordinates=section&item=\(anchor)&before=250&after=250")
            #expect(update.tree == (try Tree(json: fresh.body)), "\(anchor)")
        }
        try await expectFresh(5, around: "m25")
        #expect(try await client.loadPreviousPage())
        try await expectFresh(5, around: "m22")
        #expect(try await client.loadPreviousPage())
        try await expectFresh(5, around: "m19")
        #expect(try await client.loadNextPage())
        try await expectFresh(5, around: "m22")
        try await chat.put(0, ["m0", "new", "m1"])
        try await expectFresh(6, around: "m22")
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m22"]"#)
        try await expectFresh(7, around: "m23")
    }
}
