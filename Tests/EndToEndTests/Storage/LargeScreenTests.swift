import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct LargeScreens {
        private static let large = "/v1/screens/large/pages"
        private static let small = Array(#"{"sections":[[]]}"#.utf8)
        private static let minimal = [
            ("Content-Type", "application/json"), ("Prefer", "return=minimal"),
        ]

        /// Returns a page of about 15 MB with 3000 items.
        private static let page: [UInt8] = {
            let text = String(repeating: "x", count: 5_000)
            let items = (0..<3_000).map { #"{"id":"P\#($0)","title":"\#(text)"}"# }
            let data = items.joined(separator: ",")
            let unit = #"{"unitType":"SS_PRODUCT_LIST","unitData":[\#(data)]}"#
            return Array(#"{"sections":[[\#(unit)]]}"#.utf8)
        }()

        /// Stores pages of 15 MB and a small one, and another screen.
        private func fill(_ store: String, pages: Int) throws {
            let daemon = try TestDaemon(["--store", store])
            for number in 0..<pages {
                let stored = try daemon.request(
                    "PUT", "\(Self.large)/\(number)", headers: Self.minimal, body: Self.page)
                #expect(stored.status == 201)
            }
            for target in ["\(Self.large)/9", "/v1/screens/other/pages/0"] {
                try daemon.request("PUT", target, headers: Self.minimal, body: Self.small)
            }
            #expect(try daemon.stop() == .status(0))
        }

        @Test("After a start, one page of 60 MiB is read and written without the others")
        func cost() throws {
            let folder = try ScratchFolder()
            let store = "sqlite:\(folder.path)/screens.db"
            try fill(store, pages: 4)
            let daemon = try TestDaemon(["--store", store])
            try daemon.waitForInspection()
            // Each request with its status, and the number of bytes of its page that it reads.
            let requests = [
                ("PUT", "other/pages/0", 200, 0), ("PUT", "large/pages/9", 200, 0),
                ("PUT", "large/pages/10", 201, 0), ("GET", "large/pages/9", 200, 0),
                ("GET", "large/pages/2", 200, Self.page.count),
                ("DELETE", "large/pages/10", 204, 0),
            ]
            for (method, path, status, bytes) in requests {
                let before = try daemon.bytesRead()
                let response = try daemon.request(
                    method, "/v1/screens/\(path)", headers: Self.minimal,
                    body: method == "PUT" ? Self.small : nil)
                let cost = try daemon.bytesRead() - before
                #expect(response.status == status, "\(method) \(path)")
                if method == "GET" {
                    #expect(response.body == (bytes == 0 ? Self.small : Self.page))
                }
                #expect(cost >= bytes && cost < bytes + (1 << 20), "\(method) \(path): \(cost)")
            }
            #expect(try daemon.stop() == .status(0))
        }

        @Test("A screen above the limits is 503, is never loaded, and can be removed page by page")
        func aboveTheLimits() throws {
            let folder = try ScratchFolder()
            let store = "sqlite:\(folder.path)/screens.db"
            try fill(store, pages: 2)
            let daemon = try TestDaemon(["--store", store, "--max-screen-bytes", "1048576"])
            try daemon.waitForInspection()
            let before = try daemon.bytesRead()
            for target in ["/v1/screens/large/layout", "/v1/screens/large/layout.svg", Self.large] {
                let refused = try daemon.request("GET", target)
                #expect(refused.status == 503)
                let text = String(decoding: refused.body, as: UTF8.self)
                #expect(text.contains("STORED_SCREEN_TOO_LARGE"))
                #expect(text.contains("1048576 (--max-screen-bytes)"))
            }
            let list = String(
                decoding: try daemon.request("GET", "/v1/screens").body, as: UTF8.self)
            #expect(list.contains("large") && list.contains("other"))
            #expect(try daemon.request("GET", "\(Self.large)/9").body == Self.small)
            #expect(try daemon.request("GET", "/v1/screens/other/layout").status == 200)
            #expect(try daemon.request("GET", "/readyz").status == 200)
            #expect(try daemon.bytesRead() - before < 1 << 20)
            let figures = try ProcessFigures(of: daemon.program.processIdentifier)
            #expect(figures.residentBytes < 128 << 20)
            for number in 0..<2 {
                #expect(try daemon.request("DELETE", "\(Self.large)/\(number)").status == 204)
            }
            #expect(try daemon.request("GET", "/v1/screens/large/layout").status == 200)
            #expect(try daemon.request("DELETE", "/v1/screens/large").status == 204)
            #expect(try daemon.stop() == .status(0))
        }
    }
}

extension TestDaemon {
    /// Waits until all screens have been read once after the start.
    fileprivate func waitForInspection() throws {
        _ = try program.errors.line { $0.contains("stored screens were inspected") }
    }

    /// Returns the number of bytes that the daemon has read from files.
    fileprivate func bytesRead() throws -> Int {
        let path = "/proc/\(program.processIdentifier)/io"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("rchar:") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
}
