import Foundation
import Synchronization
import Testing

extension EndToEnd {
    @Suite struct ExpensiveRequests {
        /// A body that takes much time to read or to lay out.
        enum Load: String, CaseIterable {
            case longPage = "a page of 15 MB"
            case equalIds = "300,000 equal ids"
            case longPointer = "a catalog with an id pointer of 8 MB"

            var body: [UInt8] {
                switch self {
                case .longPage:
                    let text = String(repeating: "x", count: 5_000)
                    return Self.page((0..<3_000).map { #"{"id":"P\#($0)","title":"\#(text)"}"# })
                case .equalIds:
                    return Self.page(Array(repeating: #"{"id":"x"}"#, count: 300_000))
                case .longPointer:
                    let pointer = "/" + String(repeating: "a", count: 8 << 20)
                    let cells = #""units":{"U":{"cells":{"type":"C"}}}"#
                    let types = #""cellTypes":{"C":{"id":"\#(pointer)","size":{"height":1}}}"#
                    let pages = #"[{"sections":[[{"unitType":"U","unitData":[{},{},{}]}]]}]"#
                    return Array(#"{"pages":\#(pages),"catalog":{\#(cells),\#(types)}}"#.utf8)
                }
            }

            private static func page(_ items: [String]) -> [UInt8] {
                let data = items.joined(separator: ",")
                let unit = #"{"unitType":"SS_PRODUCT_LIST","unitData":[\#(data)]}"#
                return Array(#"{"sections":[[\#(unit)]]}"#.utf8)
            }
        }

        private static let clients = 4
        private static let requestsPerClient = 3

        @Test(
            "While four clients post expensive bodies, others are served without waiting for them",
            arguments: Load.allCases)
        func othersAreServed(load: Load) throws {
            let daemon = try TestDaemon(["--loops", "1"])
            let cached = "/v1/screens/home/layout"
            try Storefront.store(0..<1, as: "home", in: daemon)
            let tree = try daemon.request("GET", cached).body
            let (body, port) = (load.body, daemon.port)
            let statuses = Posts()
            for _ in 0..<Self.clients {
                Thread.detachNewThread {
                    for _ in 0..<Self.requestsPerClient {
                        statuses.add(Self.statusOfPost(body, to: port))
                    }
                }
            }
            // On one loop, a request would otherwise wait for at least one of the expensive ones,
            // so that there would be fewer rounds than those.
            let total = Self.clients * Self.requestsPerClient
            let connection = try daemon.connect()
            var rounds = 0
            let deadline = Deadline.within(.seconds(240))
            while statuses.all.count < total, !deadline.hasPassed {
                try connection.send(Request.bytes("GET", "/livez"))
                #expect(try connection.receive().status == 200)
                try connection.send(Request.bytes("GET", cached))
                #expect(try connection.receive().body == tree)
                rounds += 1
            }
            #expect(rounds > total)
            #expect(statuses.all.count == total)
            #expect(statuses.all.allSatisfy { $0 == 200 || $0 == 422 }, "\(statuses.all)")
            #expect(try daemon.stop() == .status(0))
        }

        /// 20,000 items, of which each takes 9,002 judgements by the schema of its cell type.
        ///
        /// For every second one the first condition fails, and all are judged again for the report.
        private static var judgedItems: [UInt8] {
            let many = Array(repeating: #"{"type": "number"}"#, count: 9_000).joined(separator: ",")
            let items = (0..<20_000).map { $0 % 2 == 0 ? "0" : "2" }.joined(separator: ",")
            return Array(
                #"""
                {"catalog": {"units": {"U": {"cells": {"type": "C"}}, "P": {"cells": {"type": "P"}}},
                 "cellTypes": {"P": {}, "C": {"schema": {"allOf": [{"const": 0}, \#(many)]}}}},
                 "pages": [{"sections": [[{"unitType": "U", "unitData": [\#(items)]},
                                          {"unitType": "P", "unitData": [1]}]]}]}
                """#.utf8)
        }

        @Test("Items beyond the 10 million judgements of a page are left out and counted")
        func judgements() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            let target = "/v1/layout?fields=frames"
            try connection.send(Request.bytes("POST", target, body: Self.judgedItems))
            let response = try connection.receive(
                responseTo: "POST", until: .within(.seconds(240)))
            #expect(response.status == 200)
            let text = response.text
            let items = text.matches(of: /"id":"p0\.u0\.e\d+"/).count
            #expect((540...570).contains(items), "\(items)")
            #expect(text.contains(#""id":"p0.u1.e0""#))
            #expect(text.contains("must be 0"))
            #expect(text.contains("more than the 10000000 judgements"))
            #expect(text.contains("\(20_000 - items - 1_000) more diagnostics of this page"))
            #expect(try daemon.stop() == .status(0))
        }

        /// Posts a body and returns the status of the response, or 0.
        private static func statusOfPost(_ body: [UInt8], to port: UInt16) -> Int {
            let request = Request.bytes(
                "POST", "/v1/layout", headers: [("Connection", "close")], body: body)
            let deadline = Deadline.within(.seconds(240))
            guard let connection = try? ClientConnection(port: port),
                (try? connection.send(request, until: deadline)) != nil,
                let bytes = try? connection.receiveToEnd(until: deadline),
                let line = String(bytes: bytes.prefix(12), encoding: .utf8),
                let code = line.split(separator: " ").last.flatMap({ Int($0) })
            else { return 0 }
            return code
        }
    }
}

/// The statuses of posts by several threads.
private final class Posts: Sendable {
    private let statuses = Mutex<[Int]>([])

    var all: [Int] { statuses.withLock { $0 } }

    func add(_ status: Int) { statuses.withLock { $0.append(status) } }
}
