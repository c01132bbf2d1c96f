import BroadsheetClient
import BroadsheetKit
import Foundation
import Testing

/// An issuer that `broadsheet key issuer` made.
struct TestTokenIssuer {
    /// The line for the file of keys.
    let line: String
    /// The output of the command, by which tokens are made.
    private let output: [UInt8]

    init(_ algorithm: String, screens: String) throws {
        let outcome = try Shell.broadsheet(
            "key", "issuer", "shop", "--algorithm", algorithm, "--screens", screens)
        let lines = outcome.output.split(separator: "\n")
        guard outcome.status == 0, let line = lines.last, line.hasPrefix("line: ") else {
            throw HarnessError("no issuer: \(outcome.output) \(outcome.errors)")
        }
        output = Array(outcome.output.utf8)
        self.line = line.dropFirst("line: ".count) + "\n"
    }

    /// Makes a token of a reader.
    func token(of reader: String, lasting time: String) throws -> String {
        let outcome = try Shell.broadsheet(
            "key", "token", "--issuer", "-", "--sub", reader, "--expires", time, input: output)
        guard outcome.status == 0 else { throw HarnessError(outcome.errors) }
        return outcome.output.trimmingCharacters(in: .newlines)
    }
}

extension EndToEnd {
    /// Tests of issuers and of the tokens of their readers, with the release binary.
    @Suite struct Tokens {
        @Test("A token of `broadsheet key token` reads its screens, and is in no log")
        func tokens() throws {
            for algorithm in ["EdDSA", "HS256"] {
                let folder = try ScratchFolder()
                let issuer = try TestTokenIssuer(algorithm, screens: "home,user-{sub}-*")
                let writer = try TestKey("writer", "--scopes=write")
                let path = try folder.write(issuer.line + writer.line, to: "keys")
                let daemon = try TestDaemon(["--keys", path, "--log", "text"])
                let token = try issuer.token(of: "ada", lasting: "1h")
                for screen in ["home", "user-ada-1", "user-bob-1"] {
                    let stored = try daemon.request(
                        "PUT", "/v1/screens/\(screen)/pages/0",
                        headers: [writer.field, ("Content-Type", "application/json")],
                        body: Array(#"{"sections":[]}"#.utf8))
                    #expect(stored.status == 201)
                    let read = try daemon.request(
                        "GET", "/v1/screens/\(screen)/layout",
                        headers: [("Authorization", "Bearer \(token)")])
                    #expect(read.status == (screen == "user-bob-1" ? 403 : 200))
                }
                #expect(try daemon.stop() == .status(0))
                let log = try daemon.program.errors.all()
                #expect(log.contains(" issuer=shop reader="))
                for part in token.split(separator: ".") { #expect(!log.contains(part)) }
                #expect(!log.contains("ada "))
            }
        }

        @Test("Without libcrypto an issuer of EdDSA ends the start with one line; HS256 needs none")
        func withoutLibrary() throws {
            let folder = try ScratchFolder()
            // The loader looks here first, and finds a file that is no library.
            try folder.write(String(repeating: "x", count: 200), to: "libcrypto.so.3")
            let earlier = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
            let environment = ["LD_LIBRARY_PATH": "\(folder.path):\(earlier)"]
            let path = try folder.write(
                TestTokenIssuer("EdDSA", screens: "home").line, to: "keys")
            let outcome = try Shell.broadsheet(
                "serve", "--port", "0", "--keys", path, environment: environment)
            #expect(outcome.status == 1)
            #expect(
                outcome.errors == """
                    \(path):1: EdDSA needs OpenSSL 3's libcrypto, which is missing: \
                    apt install libssl3

                    """)
            try folder.write(TestTokenIssuer("HS256", screens: "home").line, to: "keys")
            let daemon = try TestDaemon(["--keys", path], environment: environment)
            #expect(try daemon.request("GET", "/livez").status == 200)
        }
    }
}

extension EndToEndClients {
    @Suite struct TokenRenewals {
        @Test("A client goes on through 20 renewals without a reset while its screen is written")
        func renewals() async throws {
            let folder = try ScratchFolder()
            let issuer = try TestTokenIssuer("EdDSA", screens: "home")
            let writer = try TestKey("writer", "--scopes=write")
            let path = try folder.write(issuer.line + writer.line, to: "keys")
            let daemon = try TestDaemon(["--keys", path])
            // So many that changes are shorter than the tree.
            let rest = (0..<30).map { #"{"id": "rest-\#($0)"}"# }.joined(separator: ",")
            func write(_ number: Int) throws {
                let page = """
                    {"sections": [{"sectionId": "s", "units": [{"unitType": "SS_PRODUCT_LIST",
                      "unitData": [{"id": "\(number)"}, \(rest)]}]}]}
                    """
                let stored = try daemon.request(
                    "PUT", "/v1/screens/home/pages/0",
                    headers: [writer.field, ("Content-Type", "application/json")],
                    body: Array(page.utf8))
                guard stored.status < 300 else { throw HarnessError(stored.text) }
            }
            try write(0)
            let count = Counter()
            let transport = URLSessionTransport(
                try #require(URL(string: "http://\(daemon.address)")),
                token: { problem in
                    if let problem { throw HarnessError("a request was refused: \(problem)") }
                    await count.increment()
                    return try issuer.token(of: "ada", lasting: "3s")
                })
            let client = ScreenClient("home", transport: transport)
            var number = 0
            for try await update in client.updates {
                // The first tree is whole; each later one follows from the one before.
                #expect((update.changes == nil) == (number == 0))
                #expect(update.tree.sections[0].items.first?.id == "\(number)")
                if await count.value > 20 { break }
                number += 1
                try write(number)
            }
            #expect(await count.value > 20)
        }
    }
}

/// The number of calls of a function.
private actor Counter {
    private(set) var value = 0

    func increment() { value += 1 }
}
