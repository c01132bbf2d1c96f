import Testing

extension EndToEnd {
    @Suite struct SlowClients {
        /// The number of items in a page whose tree, 6 MB, is larger than the sockets' buffers.
        private static let items = 1_500

        private static func largePage() -> [UInt8] {
            let text = String(repeating: "x", count: 4_000)
            let data = (0..<items).map { #"{"id":"P\#($0)","title":"\#(text)"}"# }
            return Array(
                #"{"sections":[[{"unitType":"SS_PRODUCT_LIST","unitData":[\#(data.joined(separator: ","))]}]]}"#
                    .utf8)
        }

        @Test("Clients that neither send nor read do not delay other clients")
        func otherClientsContinue() throws {
            // One of them reads after the requests of the others, which may take any time.
            let daemon = try TestDaemon([
                "--loops", "1", "--write-timeout", "3600", "--min-rate", "0",
            ])
            let page = Self.largePage()
            let stored = try daemon.request(
                "PUT", "/v1/screens/large/pages/0", headers: [("Prefer", "return=minimal")],
                body: page)
            #expect(stored.status == 201)
            var slow = [ClientConnection]()
            for number in 0..<60 {
                let connection = try ClientConnection(port: daemon.port, receiveBuffer: 4_096)
                switch number % 3 {
                case 0: try connection.send("GET /livez HTTP/1.1\r\nHo")
                case 1: try connection.send(Request.bytes("GET", "/v1/screens/large/layout"))
                default:
                    try connection.send(
                        "POST /v1/layout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                    )
                }
                slow.append(connection)
            }
            for _ in 0..<200 {
                #expect(try daemon.request("GET", "/livez").status == 200)
            }
            // A client that reads late receives its whole response.
            let late = try slow[1].receive().tree()
            #expect(late.sections[0].items.count == Self.items)
        }

        @Test("The connection of a client that does not read is closed after the write timeout")
        func writeTimeout() throws {
            let daemon = try TestDaemon(["--write-timeout", "1"])
            let connection = try ClientConnection(port: daemon.port, receiveBuffer: 4_096)
            // After a response the daemon counts the connection.
            try connection.send(Request.bytes("GET", "/livez"))
            #expect(try connection.receive().status == 200)
            let page = Self.largePage()
            try connection.send(Request.bytes("POST", "/v1/layout", body: page))
            // The daemon closes its end after the timeout; bytes already sent remain readable. The
            // connection of the request for the metrics is then the only one.
            try daemon.wait(for: "broadsheet_connections_open", toBe: 1)
            #expect(try daemon.request("GET", "/livez").status == 200)
            // Only the contents of the sockets' buffers have arrived.
            #expect(try connection.receiveToEnd().count < page.count)
        }
    }
}
