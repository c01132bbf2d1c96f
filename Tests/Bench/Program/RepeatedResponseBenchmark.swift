import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
import BroadsheetStores
import Glibc

/// The heap blocks that an event loop allocates for a `GET …/layout` that it repeats.
enum RepeatedResponseBenchmark {
    private static let path = "/v1/screens/home/layout"
    private static let requests = 10_000
    /// The maximum number of blocks per request: the log allocates a few for each time that it is
    /// written, a hundred times a second.
    private static let limit = 0.05

    static func rows(_ context: BenchmarkContext) async throws -> [ResultRow] {
        let group = try EventLoopGroup(count: 1)
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        let sink = DescriptorLogSink(descriptor: null)
        let service = try await BroadsheetService(
            store: ScreenStore.inMemory(), catalogs: CatalogSet(.storefront),
            log: Log(format: .json, sink: sink))
        try await store(context.page(products: 7), in: service)
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let server = HTTPServer(group: group, configuration: configuration, handler: service)
        let socket = try Loopback.connect(to: try await server.start().port)
        let blocks = try await blocks(perRequestOn: socket, of: group.loops[0])
        close(socket)
        await server.shutdown(drain: .zero)
        group.stop()
        await group.waitForEnd()
        sink.flush()
        return [
            ResultRow(
                name: "heap blocks per repeated GET …/layout", figure: blocks.formatted(),
                target: Target(figure: blocks, .below(limit), unit: "blocks"))
        ]
    }

    private static func store(_ page: [UInt8], in service: BroadsheetService) async throws {
        guard let target = RequestTarget("/v1/screens/home/pages/0"),
            case let response = await service.respond(
                to: HTTPRequest(
                    head: HTTPRequestHead(
                        method: .put, target: target, headers: [.contentType: "application/json"]),
                    body: page)),
            response.status == .created
        else { throw BenchmarkError("the page was not stored") }
    }

    private static func blocks(
        perRequestOn socket: Int32, of loop: EventLoop
    ) async throws -> Double {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var length = 0
        // The first responses fill the tables and the buffers; the length of all of them is equal.
        for _ in 0..<100 {
            length = try exchange(request, &buffer, on: socket, length: length)
        }
        let before = try await loop.perform { Allocations.countOfThisThread }
        for _ in 0..<requests {
            _ = try exchange(request, &buffer, on: socket, length: length)
        }
        let after = try await loop.perform { Allocations.countOfThisThread }
        return Double(after - before) / Double(requests)
    }

    /// Sends a request, and returns the length of its response.
    ///
    /// - Parameter length: The length if it is known; otherwise the response is read at once.
    private static func exchange(
        _ request: [UInt8], _ buffer: inout [UInt8], on socket: Int32, length: Int
    ) throws -> Int {
        guard send(socket, request, request.count, 0) == request.count else {
            throw BenchmarkError("a connection failed: errno \(errno)")
        }
        var received = 0
        repeat {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw BenchmarkError("a connection failed: errno \(errno)") }
            received += count
        } while received < length
        return received
    }
}
