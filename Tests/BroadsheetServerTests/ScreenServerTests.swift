import Broadsheet
import BroadsheetServer
import BroadsheetStores
import StoreTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A server in a Swift program", .timeLimit(.minutes(hangMinutes)))
struct ScreenServerTests {
    /// A cell as tall as its data says.
    private struct Tile: CellType {
        private struct Model: Decodable {
            var height: Double
        }

        static let id: JSONPointer? = "/id"

        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
            let model = try? data.decode(Model.self)
            return Size(width: container.available.width, height: model?.height ?? 0)
        }
    }

    private static let tiles: CellRegistry = {
        var registry = CellRegistry()
        registry.register("TILES") { unit, section in
            section.cells(Tile.self, data: unit.data)
        }
        return registry
    }()

    private static func page(_ type: String) -> String {
        #"{"sections":[{"sectionId":"S","units":[{"unitType":"\#(type)","#
            + #""unitData":[{"id":"a","height":42},{"id":"b","height":7}]}]}]}"#
    }

    private static let pagePath = "/v1/screens/home/pages/0"

    @Test("A server on port 0 has its address once it listens, and ends when its task is cancelled")
    func lifetime() async throws {
        let backend = InterceptingBackend()
        let server = ScreenServer(store: backend.store, configuration: .forTests())
        let running = Task { try await server.run() }
        let address = try #require(await server.address)
        #expect(address.port > 0)
        #expect(address.url == "http://127.0.0.1:\(address.port)")
        #expect(try await HTTPClient(address: address).send("GET", "/livez").status == 200)
        #expect(!backend.isClosed)
        running.cancel()
        try await running.value
        #expect(backend.isClosed)
        await #expect(throws: URLError.self) {
            try await HTTPClient(address: address).send("GET", "/livez")
        }
    }

    @Test("A server that is stopped before it starts ends at once, and a server runs once")
    func stopped() async throws {
        let server = ScreenServer(configuration: .forTests())
        server.stop()
        try await server.run()
        #expect(await server.address == nil)
        await #expect(throws: ServerError.configuration("a server runs once")) {
            try await server.run()
        }
    }

    @Test("A task that waits for the address of a server that never runs can be cancelled")
    func cancelledWait() async {
        let server = ScreenServer(configuration: .forTests())
        let waiting = Task { await server.address }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test("A request in flight is completed before the server ends")
    func drain() async throws {
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        var registry = Self.tiles
        registry.handle("wait") { _ in
            enter.yield()
            for await _ in released { break }
            return []
        }
        let server = ScreenServer(registry: registry, configuration: .forTests())
        let running = Task { try await server.run() }
        let client = HTTPClient(address: try #require(await server.address))
        #expect(try await client.send("PUT", Self.pagePath, Self.page("TILES")).status == 201)
        async let response = client.send(
            "POST", "/v1/screens/home/events",
            #"{"events":[{"type":"action","section":"S","item":"a","name":"wait"}]}"#)
        for await _ in entered { break }
        running.cancel()
        release.yield()
        #expect(try await response.status == 202)
        try await running.value
    }

    @Test("A server serves the cell types of its program")
    func swiftCells() async throws {
        try await ScreenServer.running(registry: Self.tiles) { client in
            #expect(try await client.send("PUT", Self.pagePath, Self.page("TILES")).status == 201)
            let tree = try await client.send("GET", "/v1/screens/home/layout?width=100")
            #expect(tree.status == 200)
            #expect(tree.text.contains(#""type":"Tile""#))
            #expect(tree.text.contains(#""height":42"#))
            #expect(try await client.send("GET", "/v1/catalog").text == "{}")
        }
    }

    @Test("Of a registry and a catalog, the registry wins by unit type and by section")
    func precedence() async throws {
        let catalog = try Catalog(
            Array(
                #"""
                {"units": {"TILES": {"cells": {"type": "Plain"}},
                           "ROWS": {"cells": {"type": "Plain"}}},
                 "cellTypes": {"Plain": {"id": "/id", "size": {"height": 5}}}}
                """#.utf8))
        try await ScreenServer.running(registry: Self.tiles, catalog: catalog) { client in
            for (page, type) in ["TILES", "ROWS"].enumerated() {
                let path = "/v1/screens/home/pages/\(page)"
                #expect(try await client.send("PUT", path, Self.page(type)).status == 201)
            }
            let tree = try await client.send("GET", "/v1/screens/home/layout?pages=all").text
            #expect(tree.contains(#""type":"Tile""#) && tree.contains(#""type":"Plain""#))
            #expect(try await client.send("GET", "/v1/catalog").text.contains("ROWS"))
        }
        let server = ScreenServer(
            registry: catalog.registry, catalog: try Catalog(Array("{}".utf8)),
            configuration: .forTests())
        await #expect(
            throws: ServerError.configuration(
                "the registry has the unit type 'ROWS' of another catalog")
        ) {
            try await server.run()
        }
    }

    @Test("Entity tags are those of one run, or of a version of the registry's code")
    func versions() async throws {
        let base = MemoryBackend()
        let tags = Mutex<[String?]>([])
        for version in [nil, nil, "1", "1", "2"] as [String?] {
            try await ScreenServer.running(
                registry: Self.tiles, store: InterceptingBackend(base).store, version: version
            ) {
                client in
                if try await client.send("GET", Self.pagePath).status == 404 {
                    _ = try await client.send("PUT", Self.pagePath, Self.page("TILES"))
                }
                let tag = try await client.send("GET", "/v1/screens/home/layout").tag
                tags.withLock { $0.append(tag) }
            }
        }
        let all = tags.withLock { $0 }
        #expect(all.count == 5 && !all.contains(nil))
        #expect(all[2] == all[3])
        #expect(Set(all).count == 4)
    }

    @Test("An address of other machines is refused without keys, with the message of serve")
    func exposure() async throws {
        var configuration = ServerConfiguration.forTests()
        configuration.host = "0.0.0.0"
        let open = ScreenServer(configuration: configuration)
        let error = await #expect(throws: ServerError.self) { try await open.run() }
        #expect(error?.description.hasPrefix("--host 0.0.0.0: other machines") == true)
        configuration.host = "127.0.0.1"
        configuration.memory = 1 << 20
        let small = ScreenServer(configuration: configuration)
        await #expect(throws: ServerError.self) { try await small.run() }
    }

    @Test("A port that is in use is an error, and the store is closed")
    func portInUse() async throws {
        try await ScreenServer.running { client in
            let backend = InterceptingBackend()
            var configuration = ServerConfiguration.forTests()
            configuration.port = client.address.port
            let second = ScreenServer(store: backend.store, configuration: configuration)
            let error = await #expect(throws: ServerError.self) { try await second.run() }
            #expect(error?.description.contains("cannot listen on 127.0.0.1") == true)
            #expect(backend.isClosed)
            #expect(await second.address == nil)
        }
    }

    @Test("A setting that cannot be read is refused, and a valid one is taken")
    func settings() throws {
        var configuration = ServerConfiguration()
        #expect(throws: ServerError.self) { try configuration.setAllowedHosts(["a b"]) }
        #expect(throws: ServerError.self) { try configuration.setCORSOrigins(["shop"]) }
        #expect(throws: ServerError.self) { try configuration.setTrustedProxies(["10.0.0.0/99"]) }
        #expect(throws: ServerError.self) { try configuration.setOrigin("file:///etc") }
        #expect(throws: ServerError.self) { try AccessKeys(Array("nonsense".utf8)) }
        let before = configuration
        try configuration.setAllowedHosts(["shop.example"])
        try configuration.setTrustedProxies(["10.0.0.0/8"])
        try configuration.setCORSOrigins(["https://shop.example"])
        try configuration.setOrigin("https://shop.example/screens", prefetches: true)
        #expect(configuration != before)
    }
}
