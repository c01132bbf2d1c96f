import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite("Pages on demand from a second process (docs/operations.md, Pages on demand)")
    struct Origins {
        /// Starts a daemon with an origin; the proxies of this machine do not matter.
        ///
        /// The default time limit is two seconds, in which a busy machine may not respond.
        private func daemon(
            of origin: OriginServer, _ options: String..., host: String = "127.0.0.1"
        ) throws -> TestDaemon {
            try TestDaemon(
                ["--origin", origin.url(host: host), "--origin-timeout", "60"] + options,
                environment: ["no_proxy": "*"])
        }

        private func layout(_ screen: String) -> String { "/v1/screens/\(screen)/layout" }

        @Test("Pages are fetched as they are needed, with the request's id and nothing else of it")
        func pages() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin)
            let first = try daemon.request(
                "GET", layout("home"),
                headers: [
                    ("X-Request-Id", "abc"), ("Authorization", "Bearer x"), ("Cookie", "a=b"),
                ]
            ).tree()
            #expect(first.items(of: "S") == ["p0.u0.e0"])
            var token = first.nextPageToken
            for number in 1...3 {
                let tree = try daemon.request(
                    "GET", "\(layout("home"))?pageToken=\(try #require(token))"
                ).tree()
                #expect(tree.items(of: "S").last == "p\(number).u0.e0")
                token = tree.nextPageToken
            }
            #expect(token == nil)
            #expect(try origin.paths == (0...3).map { "/screens/home/pages/\($0)" })
            let headers = try #require(try origin.requests.first?.headers)
            #expect(
                Set(headers.keys)
                    == ["Host", "User-Agent", "Accept", "Accept-Encoding", "X-Request-Id"])
            #expect(headers["X-Request-Id"] == "abc")
        }

        @Test("What an origin does wrong is 502, 503 or 504 with the reason, and is not stored")
        func failures() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin, "--origin-rest", "1", "--max-body", "1000000")
            let cases: [(screen: String, code: String, detail: String)] = [
                ("silent", "ORIGIN_TIMEOUT", "within 1 s"),
                ("dribble", "ORIGIN_TIMEOUT", "within 1 s"),
                ("missing", "SCREEN_NOT_FOUND", "does not exist"),
                ("error", "ORIGIN_FAILED", "the status 500"),
                ("huge", "ORIGIN_FAILED", "more than 1000000 bytes (--max-body)"),
                ("endless", "ORIGIN_FAILED", "more than 1000000 bytes (--max-body)"),
                ("missing-2", "SCREEN_NOT_FOUND", "does not exist"),
                ("bomb", "ORIGIN_FAILED", "more than 1000000 bytes (--max-body)"),
                ("layers", "ORIGIN_FAILED", "more than one coding"),
                ("empty", "ORIGIN_FAILED", "more than 2065536 bytes with its coding"),
                ("missing-6", "SCREEN_NOT_FOUND", "does not exist"),
                ("titled", "ORIGIN_FAILED", "more than 2065536 bytes with its coding"),
                ("extended", "ORIGIN_FAILED", "more than 2065536 bytes with its coding"),
                ("members", "ORIGIN_FAILED", "its coding"),
                ("missing-7", "SCREEN_NOT_FOUND", "does not exist"),
                ("coded", "ORIGIN_FAILED", "coding"),
                ("html", "ORIGIN_FAILED", "Content-Type is not JSON"),
                ("missing-3", "SCREEN_NOT_FOUND", "does not exist"),
                ("fields", "ORIGIN_FAILED", "more than one coding"),
                ("wrong", "ORIGIN_FAILED", "/sections/0/units must be an array of units"),
                ("cut", "ORIGIN_FAILED", "ended early"),
                ("heads", "ORIGIN_FAILED", "header fields have more than 65536 bytes"),
                ("missing-4", "SCREEN_NOT_FOUND", "does not exist"),
                ("garbage", "ORIGIN_FAILED", "HTTP is not valid"),
                ("loop", "ORIGIN_FAILED", "redirects more than 5 times"),
                ("elsewhere", "ORIGIN_FAILED", "redirects to another origin"),
                ("missing-5", "SCREEN_NOT_FOUND", "does not exist"),
                ("file", "ORIGIN_FAILED", "redirects to another origin"),
                ("named", "ORIGIN_FAILED", "redirects to another origin"),
                ("user", "ORIGIN_FAILED", "redirects to another origin"),
            ]
            // Each of the others may take longer than a second on a busy machine.
            let limited = try self.daemon(of: origin, "--origin-timeout", "1")
            for (screen, code, detail) in cases {
                let asked = code == "ORIGIN_TIMEOUT" ? limited : daemon
                let problem = try asked.request("GET", layout(screen)).problem()
                #expect(problem.code == code, "\(screen): \(problem.detail)")
                #expect(problem.detail.contains(detail), "\(screen): \(problem.detail)")
                #expect(try asked.request("GET", "/v1/screens/\(screen)").status == 404)
            }
            let paths = try origin.paths
            #expect(!paths.contains { $0.hasPrefix("elsewhere:") })
            #expect(paths.count { $0.contains("/error/") } == 2, "a failure of the server")
            #expect(paths.count { $0.contains("/html/") } == 1)
            #expect(paths.count { $0.contains("/loop/") } == 6)
            #expect(try daemon.request("GET", layout("home")).status == 200)
        }

        @Test("Redirects within the origin, compressed pages, and a second try work")
        func successes() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin)
            for screen in ["within", "gzipped", "flaky", "slow", "large"] {
                let response = try daemon.request("GET", layout(screen))
                #expect(response.status == 200, "\(screen): \(response.text)")
            }
            let paths = try origin.paths
            #expect(paths.contains("/screens/moved0/pages/0"))
            #expect(paths.count { $0.contains("/flaky/") } == 2)
        }

        @Test("No name of a screen leads out of the configured URL")
        func names() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin)
            for name in [
                "..", ".", "%2e%2e", "%2e%2e%2fadmin", "a%2fb", "a%3fb", "a%23b", "a%00b",
                "a@evil.example", "http:%2f%2fevil.example", "a%0d%0ab", "%25", "a%20b",
            ] {
                let status = try daemon.request("GET", layout(name)).status
                #expect([400, 404].contains(status), "\(name)")
            }
            #expect(try origin.paths.isEmpty)
            for name in ["...", "~a-_.B9", "-", "a..b"] {
                #expect(try daemon.request("GET", layout(name)).status == 200)
                #expect(try origin.paths.last == "/screens/\(name)/pages/0")
            }
        }

        @Test("Requests that wait share a fetch and hold no thread; stored screens are served")
        func waiting() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin, "--loops", "1", "--workers", "1")
            try daemon.request(
                "PUT", "/v1/screens/here/pages/0", body: Array(#"{"sections":[]}"#.utf8))
            #expect(try daemon.request("GET", layout("flaky")).status == 200)
            let threads = try threadCount(of: daemon)
            let connections = try (0..<60).map { number in
                let connection = try daemon.connect()
                let target = layout(number < 30 ? "slow" : "slow-\(number)")
                try connection.send(Request.bytes("GET", target))
                return connection
            }
            for number in 30..<60 { try origin.wait(for: "/screens/slow-\(number)/pages/0") }
            #expect(try daemon.request("GET", layout("here")).status == 200)
            // The runtime starts a few threads when it needs them.
            #expect(try threadCount(of: daemon) < threads + 10)
            for connection in connections { #expect(try connection.receive().status == 200) }
            #expect(try origin.paths.count { $0.contains("/slow/") } == 1)
        }

        private func threadCount(of daemon: TestDaemon) throws -> Int {
            let path = "/proc/\(daemon.program.processIdentifier)/task"
            return try FileManager.default.contentsOfDirectory(atPath: path).count
        }

        @Test("An origin that is down is 502, then rests: 503; stored screens are served")
        func down() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin, "--origin-rest", "300")
            #expect(try daemon.request("GET", layout("home")).status == 200)
            origin.end()
            for number in 0..<5 {
                let problem = try daemon.request("GET", layout("s\(number)")).problem()
                #expect(problem.code == "ORIGIN_FAILED")
                #expect(!problem.detail.contains("127.0.0.1"), "addresses are for the log")
            }
            let resting = try daemon.request("GET", layout("home-2"))
            #expect(try resting.problem().code == "ORIGIN_UNAVAILABLE")
            let seconds = resting["Retry-After"].flatMap { Int($0) } ?? 0
            #expect(1...300 ~= seconds)
            #expect(try daemon.request("GET", layout("home")).status == 200)
            #expect(try daemon.request("GET", "/readyz").status == 200)
            _ = try daemon.program.errors.line { $0.contains("the origin rests") }
            _ = try daemon.program.errors.line { $0.contains("127.0.0.1:\(origin.port)") }
        }

        @Test("SIGTERM during a fetch ends the daemon in good order, with a response")
        func stopping() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin, "--drain", "20")
            let waiting = try daemon.connect()
            try waiting.send(Request.bytes("GET", layout("slow")))
            try origin.wait(for: "/screens/slow/pages/0")
            daemon.program.send(SIGTERM)
            #expect(try waiting.receive().status == 200)
            #expect(try daemon.program.wait() == .status(0))
        }

        @Test("SIGTERM during a fetch that does not end takes no longer than --drain")
        func stoppingSilent() throws {
            let origin = try OriginServer()
            let daemon = try daemon(of: origin, "--drain", "0", "--origin-timeout", "60")
            let waiting = try daemon.connect()
            try waiting.send(Request.bytes("GET", layout("silent")))
            try origin.wait(for: "/screens/silent/pages/0")
            #expect(try daemon.stop(within: .seconds(30)) == .status(0))
        }

        @Test("Certificates are verified: by the system, or by --origin-ca, and for the name")
        func certificates() throws {
            let folder = try ScratchFolder()
            try OriginServer.makeCertificate(in: folder.path)
            let origin = try OriginServer(certificate: folder.path)
            let file = folder.path + "/origin.pem"
            let known = try daemon(of: origin, "--origin-ca", file, host: "localhost")
            #expect(try known.request("GET", layout("home")).status == 200)
            let byAddress = try daemon(of: origin, "--origin-ca", file)
            let bySystem = try daemon(of: origin, host: "localhost")
            for daemon in [byAddress, bySystem] {
                let problem = try daemon.request("GET", layout("home")).problem()
                #expect(problem.code == "ORIGIN_FAILED")
                #expect(problem.detail.contains("certificate"))
            }
            #expect(try origin.paths.count == 1, "nothing is sent without a certificate")
        }

        @Test("An invalid --origin, or a file of certificates that is missing, prevents a start")
        func invalid() throws {
            for options in [
                ["--origin", "shop.example"], ["--origin", "http://a", "--origin-ca", "/none"],
            ] {
                let outcome = try Shell.run([Repository.binary, "serve", "--port", "0"] + options)
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains(options[options.count - 2]))
            }
        }

        @Test("The log says at the start where pages come from, and through which proxy")
        func log() throws {
            let options = ["--origin", "http://pages.example/a/"]
            let daemon = try TestDaemon(
                options, environment: ["http_proxy": "http://user:secret@127.0.0.1:1"])
            let line = try daemon.program.errors.line { $0.contains("pages on demand") }
            #expect(line.contains("http://pages.example/a, by libcurl"))
            #expect(line.contains("http_proxy") && !line.contains("secret"))
        }
    }
}
