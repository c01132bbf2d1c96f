import Broadsheet
import BroadsheetClient
import Foundation
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Streams of random histories", .timeLimit(.minutes(hangMinutes)))
struct StreamHistoryTests {
    /// A stream with the collection view that applies its events.
    private struct Client {
        let query: String
        var reader: StreamReader
        var view: CollectionView?
        var id: String?
        var changes = 0

        /// Reads events up to the tree with a tag.
        mutating func read(upTo tag: String) async throws {
            while id.map({ !$0.hasSuffix(".\(tag)") }) ?? true {
                let event = try #require(try await reader.next())
                id = event.id
                if event.type == "tree" {
                    view = try CollectionView(try event.value)
                } else {
                    changes += 1
                    try view?.apply(try event.value)
                }
            }
        }
    }

    private static let seeds: [UInt64] = {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap(UInt64.init)
        return given.map { [$0] } ?? [1, 2, .random(in: 3...UInt64(Int32.max))]
    }()

    private static let queries = [
        "width=390", "width=390", "width=390&page=1", "width=320&pages=all",
        "width=800&height=600&pages=all&coordinates=content", "width=390&page=0&lint=true",
    ]

    @Test(
        "A collection view that applies a stream has the tree, however slowly it reads",
        arguments: seeds)
    func collectionViews(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var screens = RandomScreens(seed: seed)
        let service = try await TestService(catalog: RandomScreens.catalog)
        try await service.send("PUT", "/v1/screens/home/pages/0", screens.page())
        var clients: [Client] = []
        for query in Self.queries {
            let reader = try await service.stream("?changes=true&\(query)")
            clients.append(Client(query: query, reader: reader))
        }
        for step in 0..<60 {
            let page = Int.random(in: 0...3, using: &random)
            let isRemoval = page > 0 && Int.random(in: 0...3, using: &random) == 0
            try await service.send(
                isRemoval ? "DELETE" : "PUT", "/v1/screens/home/pages/\(page)",
                isRemoval ? "" : screens.page())
            for index in clients.indices where Int.random(in: 0...3, using: &random) == 0 {
                let query = clients[index].query
                let tree = try await tree(of: query, service)
                try await clients[index].read(upTo: tree.tag)
                #expect(
                    clients[index].view?.tree == tree.value,
                    "BROADSHEET_SEED=\(seed), step \(step), \(query)")
            }
        }
        #expect(clients.contains { $0.changes > 3 })
    }

    /// Returns the tree that the stream of a query has: up to a page, which need not be stored, it
    /// is a reset.
    private func tree(
        of query: String, _ service: TestService
    ) async throws -> WrittenScreen.FreshTree {
        let request = query.contains("page=") ? "changes?since=0&" : "layout?"
        return try WrittenScreen.tree(
            try await service.send("GET", "/v1/screens/home/\(request)\(query)"))
    }
}
