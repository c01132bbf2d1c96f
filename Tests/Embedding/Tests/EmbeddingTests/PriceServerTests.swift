import BroadsheetServer
import BroadsheetStores
import Embedding
import Foundation
import Testing

@Suite("A server of a Swift cell type")
struct PriceServerTests {
    private let page = """
        {"sections": [{"sectionId": "Prices", "units": [{"unitType": "SHOP_PRICES", "unitData":
          [{"id": "cup", "lines": ["5.00"]}, {"id": "pot", "lines": ["19.00", "per pot"]}]}]}]}
        """

    @Test("A page that curl posts has the frames of its Swift type, and an action removes an item")
    func curl() async throws {
        let backend = DictionaryBackend()
        // [embedded-run]
        var configuration = ServerConfiguration()
        configuration.port = 0
        let store = ScreenStore(backend)
        let server = priceServer(store: store, configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            if let address = await server.address {
                print("listening on \(address.url)")
                try await use(address)
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        // [/embedded-run]
        let reopened = ScreenStore(backend)
        #expect(try await reopened.screens(after: nil, limit: 9).map(\.revision) == [2])
    }

    /// Uses the server at an address as a client would.
    private func use(_ address: ServerAddress) async throws {
        let screen = "\(address.url)/v1/screens/shop"
        let json = "Content-Type: application/json"
        let put = try await curl(["-X", "PUT", "-H", json, "-d", page, "\(screen)/pages/0"])
        #expect(put.contains(#""revision":1"#))
        let tree = try await curl(["\(screen)/layout?width=320"])
        #expect(tree.contains(#""type":"PriceCell""#))
        #expect(tree.contains(#""height":36"#) && tree.contains(#""height":56"#))
        let event =
            #"{"events":[{"type":"action","section":"Prices","item":"pot","name":"remove"}]}"#
        let taken = try await curl(["-H", json, "-d", event, "\(screen)/events"])
        #expect(taken == #"{"accepted":1,"revision":2}"#)
        #expect(try await !curl(["\(screen)/layout?width=320"]).contains(#""pot""#))
    }

    /// Runs curl, and returns what it prints.
    private func curl(_ arguments: [String]) async throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "--silent", "--show-error", "--noproxy", "*"] + arguments
        process.standardOutput = output
        // Not waited for on a thread of Swift's pool, which the store needs.
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do {
                try process.run()
            } catch {
                done.resume(throwing: error)
            }
        }
        #expect(process.terminationStatus == 0)
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
