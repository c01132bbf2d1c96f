import Glibc
import Testing

extension EndToEnd {
    /// Tests of keys and of the rules for web pages, with the release binary.
    @Suite struct Access {
        private let page = Array(#"{"sections":[]}"#.utf8)
        private let layout = "/v1/screens/home-1/layout"

        @Test("A key of `broadsheet key new` works for its scopes and screens, and is in no log")
        func keys() throws {
            let folder = try ScratchFolder()
            let reader = try TestKey("reader", "--screens", "home-*")
            let writer = try TestKey("writer", "--scopes=write", "--expires=2100-01-01T00:00:00Z")
            let path = try folder.write("# keys\n" + reader.line + writer.line, to: "keys")
            let daemon = try TestDaemon(["--keys", path, "--log", "text"])

            func status(_ method: String, _ target: String, _ keys: TestKey...) throws -> Int {
                let headers = keys.map(\.field) + [("Content-Type", "application/json")]
                return try daemon.request(
                    method, target, headers: headers, body: method == "PUT" ? page : nil
                ).status
            }
            #expect(try status("PUT", "/v1/screens/home-1/pages/0") == 401)
            #expect(try status("PUT", "/v1/screens/home-1/pages/0", reader) == 403)
            #expect(try status("PUT", "/v1/screens/home-1/pages/0", writer) == 201)
            #expect(try status("PUT", "/v1/screens/other/pages/0", writer) == 201)
            #expect(try status("GET", layout, writer) == 403)
            #expect(try status("GET", layout, reader) == 200)
            #expect(try status("GET", layout, reader, reader) == 400)
            #expect(try status("GET", "/v1/screens/other/layout", reader) == 403)
            #expect(try status("GET", "/v1/screens/missing/layout", reader) == 403)
            #expect(try status("GET", "/metrics", reader) == 403)
            for open in ["/livez", "/readyz", "/openapi.json"] {
                #expect(try status("GET", open) == 200)
            }
            let list = try daemon.request("GET", "/v1/screens", headers: [reader.field])
            #expect(list.text == #"{"screens":[{"screen":"home-1","revision":1}]}"#)
            let challenge = try daemon.request("GET", layout)
            #expect(challenge["WWW-Authenticate"] == #"Bearer realm="broadsheet""#)

            #expect(try daemon.stop() == .status(0))
            let log = try daemon.program.errors.all()
            #expect(log.contains(" key=reader") && log.contains(" key=writer"))
            for key in [reader, writer] {
                #expect(!log.contains(key.secret) && !log.contains(key.line.suffix(20).dropLast()))
            }
        }

        @Test("SIGHUP reads the keys again; an invalid, empty or missing file is logged, not used")
        func reload() throws {
            let folder = try ScratchFolder()
            let (first, second) = (try TestKey("first"), try TestKey("second"))
            let path = try folder.write(first.line, to: "keys")
            let daemon = try TestDaemon(["--keys", path])
            let connection = try daemon.connect()
            func statuses() throws -> [Int] {
                try [first, second].map { key in
                    try connection.send(
                        Request.bytes("GET", "/v1/screens", headers: [key.field]))
                    return try connection.receive().status
                }
            }
            #expect(try statuses() == [200, 401])
            for (text, complaint) in [
                ("", ":1: the file has no key"), ("# " + second.line, ":1: the file has no key"),
                (second.line + "second read * never\n", ":2: must have five words"),
                (second.line.replacing("never", with: second.secret), ":1: the expiry"),
            ] {
                try folder.write(text, to: "keys")
                daemon.program.send(SIGHUP)
                let line = try daemon.program.errors.line {
                    $0.contains("keys refused") && $0.contains(path + complaint)
                }
                #expect(!line.contains(second.secret))
                #expect(try statuses() == [200, 401])
            }
            unlink(path)
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line {
                $0.contains("keys refused") && $0.contains("No such file")
            }
            #expect(try statuses() == [200, 401])
            try folder.write(second.line, to: "keys")
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line { $0.contains("keys replaced") }
            #expect(try statuses() == [401, 200])
        }

        @Test("A removed key has no repeated responses, on any connection")
        func removed() throws {
            let folder = try ScratchFolder()
            let (reader, writer) = (try TestKey("reader"), try TestKey("writer", "--scopes=write"))
            let path = try folder.write(reader.line + writer.line, to: "keys")
            let daemon = try TestDaemon(["--keys", path, "--loops", "1"])
            #expect(
                try daemon.request(
                    "PUT", "/v1/screens/home-1/pages/0",
                    headers: [writer.field, ("Content-Type", "application/json")], body: page
                ).status == 201)
            let connections = try (0..<3).map { _ in try daemon.connect() }
            func statuses() throws -> Set<Int> {
                try Set(
                    connections.flatMap { connection in
                        try (0..<3).map { _ in
                            try connection.send(
                                Request.bytes("GET", layout, headers: [reader.field]))
                            return try connection.receive().status
                        }
                    })
            }
            #expect(try statuses() == [200])
            try folder.write(writer.line, to: "keys")
            daemon.program.send(SIGHUP)
            _ = try daemon.program.errors.line { $0.contains("keys replaced") }
            #expect(try statuses() == [401])
        }

        @Test("An invalid or missing file of keys prevents the start, with every violation")
        func invalidAtStart() throws {
            let folder = try ScratchFolder()
            let path = try folder.write("a read * never x\nb\n", to: "keys")
            for (file, complaints) in [
                (path, ["\(path):1: the SHA-256", "\(path):2: must have five words"]),
                (
                    path + "-missing",
                    ["--keys \(path)-missing: No such file", "broadsheet key new NAME"]
                ),
            ] {
                let outcome = try Shell.broadsheet("serve", "--port", "0", "--keys", file)
                #expect(outcome.status == 1)
                for complaint in complaints { #expect(outcome.errors.contains(complaint)) }
            }
        }

        @Test("A large body without a key is refused before it is read, and 100 is not sent")
        func largeBody() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(TestKey("a").line, to: "keys")
            let daemon = try TestDaemon(["--keys", path])
            for fields in [
                "Content-Length: 16777216", "Transfer-Encoding: chunked",
                "Content-Length: 2\r\nExpect: 100-continue",
            ] {
                let connection = try daemon.connect()
                try connection.send(
                    "PUT /v1/screens/home/pages/0 HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n")
                let response = try connection.receive()
                #expect(response.status == 401)
                #expect(response["Connection"] == "close")
                #expect(try response.problem().code == "UNAUTHENTICATED")
            }
        }

        @Test("Only the daemon's hosts are served, by default and with --allowed-hosts")
        func hosts() throws {
            var name = [CChar](repeating: 0, count: 256)
            #expect(gethostname(&name, name.count - 1) == 0)
            let machine = String(
                decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let cases: [(options: [String], served: [String], others: [String])] = [
                (
                    [], ["localhost", "127.0.0.1:80", "[::1]", machine, "LOCALHOST.:1"],
                    ["attacker.example", "localhost.attacker.example"]
                ),
                (
                    ["--allowed-hosts", "a.example,b.example"],
                    ["a.example", "B.example:8080", "127.0.0.1"],
                    ["localhost", "c.example", machine]
                ),
            ]
            for (options, served, others) in cases {
                let daemon = try TestDaemon(options)
                for host in served + others {
                    let connection = try daemon.connect()
                    try connection.send("GET /v1/screens HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    let status = try connection.receive().status
                    #expect(status == (served.contains(host) ? 200 : 421), "\(host) \(options)")
                }
            }
        }
    }
}
