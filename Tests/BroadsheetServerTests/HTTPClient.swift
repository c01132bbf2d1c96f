import Broadsheet
import BroadsheetServer
import BroadsheetStores
import Foundation
import FoundationNetworking

/// A client of a server on this machine.
struct HTTPClient {
    let address: ServerAddress

    /// A response with its content as text.
    struct Response {
        let status: Int
        let text: String
        let tag: String?
    }

    /// Sends a request and waits for its response.
    func send(
        _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> Response {
        guard let url = URL(string: address.url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        // On a busy machine a request may wait for the tasks of other tests for minutes.
        request.timeoutInterval = 1_200
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let (data, response) = try await session.data(for: request)
        let head = response as? HTTPURLResponse
        return Response(
            status: head?.statusCode ?? 0, text: String(decoding: data, as: UTF8.self),
            tag: head?.value(forHTTPHeaderField: "ETag"))
    }
}

extension ScreenServer {
    /// Runs the server on a free port while `body` uses it, and then stops it.
    static func running(
        registry: CellRegistry? = nil, catalog: Catalog? = nil,
        store: ScreenStore = ScreenStore.inMemory(), version: String? = nil,
        _ body: @Sendable (HTTPClient) async throws -> Void
    ) async throws {
        let server = ScreenServer(
            registry: registry, catalog: catalog, store: store,
            configuration: .forTests(version: version))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            guard let address = await server.address else {
                return try await group.waitForAll()
            }
            try await body(HTTPClient(address: address))
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

extension ServerConfiguration {
    /// Returns a configuration with a free port, without a log.
    static func forTests(version: String? = nil) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.isLogging = false
        configuration.store = .memory
        configuration.registryVersion = version
        configuration.loops = 1
        return configuration
    }
}
