import Foundation
import Testing

extension EndToEnd {
    /// PUT of a screen (docs/api.md, "Whole screens").
    @Suite struct WholeScreens {
        private let home = "/v1/screens/home"

        /// Returns the body with pages of one product each, by their numbers.
        private func body(_ pages: [(Int, String)]) -> [UInt8] {
            let texts = pages.map { number, product in
                """
                {"page":\(number),"sections":[{"sectionId":"List","units":[\
                {"unitType":"SS_PRODUCT_LIST","unitData":[{"id":"\(product)"}]}]}]}
                """
            }
            return Array(#"{"pages":[\#(texts.joined(separator: ","))]}"#.utf8)
        }

        @Test("What one daemon puts, all daemons with its server have, and new ones, too")
        func daemonsAgree() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            var daemons = try (0..<3).map { _ in try TestDaemon(["--store", redis.address]) }
            let sets: [[(Int, String)]] = [
                [(0, "a"), (1, "b"), (2, "c")], [(0, "a"), (2, "d")], [(0, "a"), (2, "d")],
                [(5, "e")], [(0, "a"), (1, "b"), (5, "e"), (6, "f")],
            ]
            var revisions: [Int?] = []
            for (turn, pages) in sets.enumerated() {
                let written = try daemons[turn % 3].request("PUT", home, body: body(pages))
                #expect(written.status == (turn == 0 ? 201 : 200))
                revisions.append(written.revision)
                if turn == 3 { daemons.append(try TestDaemon(["--store", redis.address])) }
                for daemon in daemons {
                    let layout = try daemon.request("GET", "\(home)/layout?pages=all")
                    #expect(layout.body == written.body)
                    let state = try daemon.request("GET", home)
                    #expect(state.text.contains("\"pageCount\":\(pages.count)"))
                }
            }
            #expect(revisions == [1, 2, 2, 3, 4])
        }

        @Test("A page that did not change keeps its tag across a restart and a kill on SQLite")
        func restarts() throws {
            let folder = try ScratchFolder()
            let options = ["--store", "sqlite:\(folder.path)/screens.db"]
            var daemon = try TestDaemon(options)
            try daemon.request("PUT", home, body: body([(0, "a"), (1, "b"), (2, "c")]))
            let tags = try (0...2).map { try daemon.request("GET", "\(home)/pages/\($0)")["ETag"] }
            for (turn, kill) in [false, true].enumerated() {
                if kill { daemon.program.end() } else { _ = try daemon.stop() }
                daemon = try TestDaemon(options)
                let pages = [(0, "a"), (1, "new \(turn)"), (2, "c"), (3, "d")]
                let written = try daemon.request("PUT", home, body: body(pages))
                #expect(written.revision == turn + 2)
                let again = try daemon.request("PUT", home, body: body(pages))
                #expect(again.revision == turn + 2 && again.body == written.body)
                let now = try (0...2).map {
                    try daemon.request("GET", "\(home)/pages/\($0)")["ETag"]
                }
                #expect(now[0] == tags[0] && now[1] != tags[1] && now[2] == tags[2])
            }
        }
    }
}
