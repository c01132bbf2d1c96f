import Foundation
import Testing

extension EndToEnd {
    /// Tests of the shipped files in docs/deploy.
    @Suite struct Deployment {
        private let json = "Content-Type: application/json"

        @Test("The shipped nginx.conf has no warnings; TLS, HTTP/2 and compression change no byte")
        func proxy() throws {
            let folder = try ScratchFolder()
            let daemon = try TestDaemon(["--allowed-hosts", ProxyServer.hosts])
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
            #expect(put.version == "HTTP/2" && put.status == 201, "\(put)")
            let layout = "/v1/screens/home/layout?width=768"
            let response = try client.request(layout, "--compressed")
            #expect(response.version == "HTTP/2" && response.status == 200, "\(response)")
            #expect(response["Content-Encoding"] == "gzip")
            #expect(try response.body == daemon.request("GET", layout).body)
            // The daemon compresses, so the tag is strong, and a write may name it.
            let tag = try #require(response["ETag"])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("-gzip\""))
            #expect(response["Vary"] == "Accept-Encoding")
            #expect(response["Strict-Transport-Security"] == "max-age=31536000")
            #expect(response["X-Content-Type-Options"] == "nosniff")
            let again = try client.request(layout, "--compressed", "-H", "If-None-Match: \(tag)")
            #expect(again.status == 304 && again.body.isEmpty)
            let page = "/v1/screens/home/pages/0"
            let written = try #require(try client.request(page, "--compressed")["ETag"])
            let replaced = try client.request(
                page, "-X", "PUT", "-H", json, "-H", "If-Match: \(written)", "--data-binary", "@-",
                body: try Storefront.page(0))
            #expect(replaced.status == 200, "\(replaced)")
            let request = try #require(response["X-Request-Id"])
            let line = try daemon.program.errors.line { $0.contains(request) }
            #expect(line.contains(#""address":"127.0.0.1""#))
            let deadline = Deadline.within()
            let access = URL(filePath: folder.path + "/access.log")
            while try !String(contentsOf: access, encoding: .utf8).contains(request) {
                try #require(!deadline.hasPassed, "nginx's log has no \(request)")
            }
        }

        @Test("The shipped nginx.conf forwards requests to the API only, within its limits")
        func limits() throws {
            let folder = try ScratchFolder()
            let daemon = try TestDaemon(["--allowed-hosts", ProxyServer.hosts])
            let client = SecureClient(
                proxy: try ProxyServer(folder: folder.path, before: [daemon]))
            for path in ["/metrics", "/readyz", "/livez", "/"] {
                #expect(try client.request(path).status == 404)
            }
            // The first body is as long as the limit, the second is one byte longer.
            let longest = [UInt8](repeating: 0x20, count: 16 << 20)
            let sizes = [(longest, 400), (longest + [0x20], 413)]
            for (body, status) in sizes {
                let response = try client.request(
                    "/v1/layout", "-H", json, "-H", "Expect:", "--data-binary", "@-", body: body)
                #expect(response.status == status, "\(response)")
            }
        }

        @Test("While the store is unavailable, the proxy forwards the daemons' 503 every time")
        func storeUnavailable() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let daemons = try (0..<3).map { _ in
                try TestDaemon([
                    "--store", redis.address, "--allowed-hosts", ProxyServer.hosts,
                ])
            }
            let client = SecureClient(
                proxy: try ProxyServer(folder: folder.path, before: daemons))
            try Storefront.store(0..<1, as: "home", in: daemons[0])
            redis.kill()
            for _ in 0..<9 {
                let response = try client.request(
                    "/v1/screens/home/pages/0", "-X", "PUT", "-H", json, "--data-binary", "@-",
                    body: try Storefront.page(0))
                #expect(response.status == 503, "\(response)")
                #expect(response["Retry-After"] != nil)
                #expect(response["Content-Type"] == "application/problem+json")
            }
        }
    }
}

/// A client, with curl, of a TLS proxy whose certificate it trusts.
struct SecureClient {
    let proxy: ProxyServer

    /// Sends a request, with further options of curl.
    func request(_ target: String, _ options: String..., body: [UInt8] = []) throws -> Response {
        let authority = "\(ProxyServer.name):\(proxy.securePort)"
        let program = try Program(
            [
                "curl", "-sS", "-i", "--http2", "--max-time", "50", "--cacert", proxy.certificate,
                "--resolve", "\(authority):127.0.0.1", "https://\(authority)\(target)",
            ] + options, input: body)
        guard try program.wait() == .status(0) else {
            throw HarnessError("curl: \(program.errors.text)")
        }
        _ = try program.output.all()
        let bytes = program.output.bytes
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw HarnessError("no response: \(program.output.text)")
        }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        var response = try Response(head: head)
        response.body = Array(bytes[end.upperBound...])
        return response
    }
}
