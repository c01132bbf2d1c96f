import Testing

extension EndToEnd {
    @Suite struct KeepAlive {
        @Test("One connection carries many requests, and errors of the API keep it open")
        func manyRequests() throws {
            let daemon = try Daemon()
            let connection = try daemon.connect()
            for round in 0..<50 {
                try connection.send(Request.bytes("GET", "/v1/screens/none/layout"))
                #expect(try connection.receive().status == 404, "round \(round)")
                try connection.send(Request.bytes("GET", "/livez"))
                #expect(try connection.receive().status == 200, "round \(round)")
            }
        }

        @Test("Connection: close ends the connection behind the answer")
        func close() throws {
            let daemon = try Daemon()
            let connection = try daemon.connect()
            try connection.send(
                Request.bytes("GET", "/livez", headers: [("Connection", "close")]))
            #expect(try connection.receive()["Connection"] == "close")
            #expect(try connection.receiveToEnd().isEmpty)
        }

        @Test("A client that has finished sending still gets its answer")
        func halfClose() throws {
            let daemon = try Daemon()
            let connection = try daemon.connect()
            try connection.send(
                Request.bytes("POST", "/v1/layout", body: try Storefront.page(0)))
            connection.finishSending()
            #expect(try connection.receive(answering: "POST").status == 200)
            #expect(try connection.receiveToEnd().isEmpty)
        }

        @Test("Pipelined requests are answered in their order, however they are cut")
        func pipelining() throws {
            let daemon = try Daemon()
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
                let replies = try methods.map { try connection.receive(answering: $0) }
                #expect(replies.map(\.status) == [201, 200, 200, 204, 404], "cut by \(piece)")
                #expect(replies[2].body == page)
            }
        }

        @Test("A thousand pipelined requests from a client that reads nothing meanwhile")
        func longPipeline() throws {
            let daemon = try Daemon()
            let connection = try daemon.connect()
            let one = Request.bytes("GET", "/livez")
            try connection.send((0..<1_000).flatMap { _ in one })
            for number in 0..<1_000 {
                #expect(try connection.receive().status == 200, "answer \(number)")
            }
        }

        @Test("A client that expects 100-continue gets it, and then its answer")
        func continues() throws {
            let daemon = try Daemon()
            let connection = try daemon.connect()
            let page = try Storefront.page(0)
            try connection.send(
                Request.bytes(
                    "POST", "/v1/layout",
                    headers: [("Expect", "100-continue"), ("Content-Length", "\(page.count)")]))
            #expect(try connection.receive().status == 100)
            try connection.send(page)
            #expect(try connection.receive(answering: "POST").status == 200)
        }

        @Test("A chunked page is a page like any other")
        func chunked() throws {
            let daemon = try Daemon()
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
            #expect(try connection.receive(answering: "PUT").status == 201)
            try connection.send(Request.bytes("GET", "/v1/screens/chunks/pages/0"))
            #expect(try connection.receive().body == page)
        }
    }
}
