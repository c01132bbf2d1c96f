import Testing

extension EndToEnd {
    /// What docs/deploy ships, as it is shipped.
    @Suite struct Deployment {
        private let json = "Content-Type: application/json"

        @Test("The shipped nginx.conf gives no warning; TLS, HTTP/2 and compression change no byte")
        func proxy() throws {
            let folder = try ScratchFolder()
            let daemon = try Daemon()
            let proxy = try ProxyServer(folder: folder.path, before: [daemon])
            let test = try Shell.run(["nginx", "-t", "-p", folder.path, "-c", proxy.configuration])
            #expect(test.status == 0 && test.errors.contains("test is successful"))
            for words in [test.errors, proxy.log] {
                #expect(!words.contains("[warn]") && !words.contains("deprecated"), "\(words)")
            }

            let client = SecureClient(proxy: proxy)
            let put = try client.request(
                "/v1/screens/home/pages/0", "-X", "PUT", "-H", json, "--data-binary", "@-",
                body: try Storefront.page(0))
            #expect(put.version == "HTTP/2" && put.status == 201, "\(put.head)")
            let layout = "/v1/screens/home/layout?width=768"
            let answer = try client.request(layout, "--compressed")
            #expect(answer.version == "HTTP/2" && answer.status == 200, "\(answer.head)")
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(try answer.body == daemon.request("GET", layout).body)
            let tag = try #require(answer["ETag"])
            #expect(tag.hasPrefix("W/"))
            let again = try client.request(layout, "--compressed", "-H", "If-None-Match: \(tag)")
            #expect(again.status == 304 && again.body.isEmpty)
            let request = try #require(answer["X-Request-Id"])
            _ = try daemon.program.errors.line { $0.contains(request) }
        }

        @Test("Behind the shipped nginx.conf there is the API and nothing else, within its limits")
        func limits() throws {
            let folder = try ScratchFolder()
            let daemon = try Daemon()
            let client = SecureClient(
                proxy: try ProxyServer(folder: folder.path, before: [daemon]))
            for path in ["/metrics", "/readyz", "/livez", "/"] {
                #expect(try client.request(path).status == 404)
            }
            // Most of it fits what the daemon takes, and one byte more does not.
            let most = [UInt8](repeating: 0x20, count: 16 << 20)
            let sizes = [(most, 400), (most + [0x20], 413)]
            for (body, status) in sizes {
                let answer = try client.request(
                    "/v1/layout", "-H", json, "-H", "Expect:", "--data-binary", "@-", body: body)
                #expect(answer.status == status, "\(answer.head)")
            }
        }

        @Test("While the store is away the daemons' own 503 comes through, however often one asks")
        func storeAway() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<3).map { _ in try Daemon(["--store", redis.address]) }
            let client = SecureClient(
                proxy: try ProxyServer(folder: folder.path, before: daemons))
            try Storefront.store(0..<1, as: "home", in: daemons[0])
            redis.kill()
            for _ in 0..<9 {
                let answer = try client.request(
                    "/v1/screens/home/pages/0", "-X", "PUT", "-H", json, "--data-binary", "@-",
                    body: try Storefront.page(0))
                #expect(answer.status == 503, "\(answer.head)")
                #expect(answer["Retry-After"] != nil)
                #expect(answer["Content-Type"] == "application/problem+json")
            }
        }
    }
}
