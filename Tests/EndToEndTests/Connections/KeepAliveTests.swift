import Testing

extension EndToEnd {
    @Suite struct KeepAlive {
        @Test("A connection serves many requests, and problems of the API keep it open")
        func manyRequests() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            for round in 0..<50 {
                try connection.send(Request.bytes("GET", "/v1/screens/none/layout"))
                #expect(try connection.receive().status == 404, "round \(round)")
                try connection.send(Request.bytes("GET", "/livez"))
                #expect(try connection.receive().status == 200, "round \(round)")
            }
        }

        @Test("Connection: close ends the connection after the response (RFC 9112, 9.6)")
        func close() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            try connection.send(
                Request.bytes("GET", "/livez", headers: [("Connection", "close")]))
            #expect(try connection.receive()["Connection"] == "close")
            #expect(try connection.receiveToEnd().isEmpty)
        }

        @Test("A client that has half-closed its connection receives its response")
        func halfClose() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            try connection.send(
                Request.bytes("POST", "/v1/layout", body: try Storefront.page(0)))
            connection.finishSending()
            #expect(try connection.receive(responseTo: "POST").status == 200)
            #expect(try connection.receiveToEnd().isEmpty)
        }

        @Test(
            "Responses to pipelined requests are in order, for any segmentation (RFC 9112, 9.3.2)")
        func pipelining() throws {
            let daemon = try TestDaemon()
            let page = try Storefront.page(0)
            let batch =
                Request.bytes("PUT", "/v1/screens/pipe/pages/0", body: page)
                + Request.bytes("HEAD", "/v1/screens/pipe/layout")
                + Request.bytes("GET", "/v1/screens/pipe/pages/0")
                + Request.bytes("DELETE", "/v1/screens/pipe")
                + Request.bytes("GET", "/v1/screens/pipe/pages/0")
            let methods = ["PUT", "HEAD", "GET", "DELETE", "GET"]
            for piece in [batch.count, 1_009, 97] {
                let connection = try daemon.connect()
                for start in stride(from: 0, to: batch.count, by: piece) {
                    try connection.send(Array(batch[start..<min(start + piece, batch.count)]))
                }
                let responses = try methods.map { try connection.receive(responseTo: $0) }
                #expect(responses.map(\.status) == [201, 200, 200, 204, 404], "cut by \(piece)")
                #expect(responses[2].body == page)
            }
        }

        @Test("A client can send a thousand pipelined requests before it reads")
        func longPipeline() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            let one = Request.bytes("GET", "/livez")
            try connection.send((0..<1_000).flatMap { _ in one })
            for number in 0..<1_000 {
                #expect(try connection.receive().status == 200, "response \(number)")
            }
        }

        @Test("A client that expects 100-continue receives it, and then the response")
        func continues() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            let page = try Storefront.page(0)
            try connection.send(
                Request.bytes(
                    "POST", "/v1/layout",
                    headers: [("Expect", "100-continue"), ("Content-Length", "\(page.count)")]))
            #expect(try connection.receive().status == 100)
            try connection.send(page)
            #expect(try connection.receive(responseTo: "POST").status == 200)
        }

        @Test("A chunked page is stored as any other page (RFC 9112, 7.1)")
        func chunked() throws {
            let daemon = try TestDaemon()
            let connection = try daemon.connect()
            let page = try Storefront.page(0)
            try connection.send(
                Request.bytes(
                    "PUT", "/v1/screens/chunks/pages/0", headers: [("Transfer-Encoding", "chunked")]
                ))
            for start in stride(from: 0, to: page.count, by: 1_000) {
                let chunk = page[start..<min(start + 1_000, page.count)]
                try connection.send("\(String(chunk.count, radix: 16));part=\(start)\r\n")
                try connection.send(Array(chunk) + Array("\r\n".utf8))
            }
            try connection.send("0\r\nX-Checksum: none\r\n\r\n")
            #expect(try connection.receive(responseTo: "PUT").status == 201)
            try connection.send(Request.bytes("GET", "/v1/screens/chunks/pages/0"))
            #expect(try connection.receive().body == page)
        }
    }
}
