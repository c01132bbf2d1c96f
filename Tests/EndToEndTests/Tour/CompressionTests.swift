import TestSupport
import Testing

extension EndToEnd {
    /// Tests of compressed responses with clients of others (docs/api.md, "Compression").
    @Suite struct Compressing {
        /// Requests an address with gzip, and prints the fields that describe the content, and a
        /// digest of the decompressed content.
        private static let python = """
            import gzip, hashlib, sys, urllib.request
            request = urllib.request.Request(sys.argv[1], headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as response:
                body = response.read()
                fields = response.headers
            assert int(fields["Content-Length"]) == len(body)
            print(fields["Content-Encoding"], ", ".join(fields.get_all("Vary")), fields["ETag"])
            print(hashlib.sha256(gzip.decompress(body)).hexdigest())
            """

        private static let targets = [
            "/v1/screens/home/layout", "/v1/screens/home/layout?pages=all&pretty=true",
            "/v1/screens/home/layout.svg", "/v1/screens/home/pages/0", "/openapi.json",
        ]

        @Test("Clients (curl, Python) restore the plain content, also of a repeated response")
        func clients() throws {
            let daemon = try TestDaemon()
            try Storefront.store(Storefront.pages, as: "home", in: daemon)
            for target in Self.targets {
                let address = "http://\(daemon.address)\(target)"
                let plain = try daemon.request("GET", target)
                #expect(plain["Content-Encoding"] == nil)
                for _ in 0..<3 {
                    let curl = try Shell.run(["curl", "-sS", "--compressed", address])
                    #expect(Array(curl.output.utf8) == plain.body, "\(target)")
                }
                let digest = try Shell.run(["sha256sum"], input: plain.body).output.prefix(64)
                let python = try Shell.run(["python3", "-c", Self.python, address])
                #expect(python.status == 0, "\(python.errors)")
                let lines = python.output.split(separator: "\n")
                #expect(lines.first?.hasPrefix("gzip ") == true, "\(python.output)")
                #expect(lines.last == digest)
                guard let tag = plain["ETag"] else { continue }
                #expect(lines.first?.hasSuffix("Accept-Encoding \(tag.dropLast())-gzip\"") == true)
            }
        }

        @Test("HTTP/1.0 clients and HEAD have the fields of HTTP/1.1 and GET")
        func otherRequests() throws {
            let daemon = try TestDaemon()
            try Storefront.store(Storefront.pages, as: "home", in: daemon)
            let target = Self.targets[1]
            let fields = [("Accept-Encoding", "gzip")]
            let coded = try daemon.request("GET", target, headers: fields)
            #expect(coded["Content-Encoding"] == "gzip")
            #expect(try gunzip(coded.body) == daemon.request("GET", target).body)
            let head = try daemon.request("HEAD", target, headers: fields)
            for name in ["Content-Length", "Content-Encoding", "ETag", "Vary"] {
                #expect(head[name] == coded[name], "\(name)")
            }
            let connection = try daemon.connect()
            try connection.send("GET \(target) HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n")
            #expect(try connection.receive().body == coded.body)
        }
    }
}
