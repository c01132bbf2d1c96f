import Broadsheet
import BroadsheetHTTP
import BroadsheetServer
import Testing

@testable import BroadsheetCLI
@testable import BroadsheetService

@Suite("broadsheet key")
struct KeyCommandTests {
    private func words(_ line: String, of output: String) throws -> [String] {
        let lines = output.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("\(line): ") }, "\(output)")
        return line.split(separator: " ").dropFirst().map(String.init)
    }

    @Test("A new key is printed as its secret and its line, which has the digest alone")
    func new() async throws {
        let console = TestConsole()
        let status = await console.run(
            "key", "new", "shop.web-1", "--scopes", "admin,read", "--screens", "home-*,checkout",
            "--expires=2100-01-31T00:00:00+01:00")
        #expect(status == .success)
        #expect(console.errors.isEmpty)
        let secret = try words("secret", of: console.output)
        let line = try words("line", of: console.output)
        try #require(secret.count == 1 && line.count == 5)
        #expect(
            line.dropLast() == [
                "shop.web-1", "read,admin", "home-*,checkout", "2100-01-31T00:00:00+01:00",
            ])
        #expect(line[4] == SecretDigest(of: secret[0].utf8).hexadecimal)
        #expect(!line.joined().contains(secret[0]))
        #expect(
            try KeyRing(Array(line.joined(separator: " ").utf8)).keys.map(\.name) == ["shop.web-1"])
    }

    @Test("By default a key may read every screen and has no end; no two secrets are equal")
    func defaults() async throws {
        let (one, other) = (TestConsole(), TestConsole())
        #expect(await one.run("key", "new", "a") == .success)
        #expect(await other.run("key", "new", "a") == .success)
        #expect(try words("line", of: one.output).dropLast() == ["a", "read", "*", "never"])
        #expect(try words("secret", of: one.output) != words("secret", of: other.output))
    }

    @Test(
        "Any other command line is invalid",
        arguments: [
            [], ["new"], ["new", "a", "b"], ["old", "a"], ["new", "a b"], ["new", ""],
            ["new", "a", "--scopes", "reads"], ["new", "a", "--scopes="],
            ["new", "a", "--screens", "a*b"], ["new", "a", "--screens", "a,,b"],
            ["new", "a", "--expires", "2030-01-31"], ["new", "a", "--keys", "f"],
            ["new", "a", "--expires", "5m"], ["new", "a", "--screens", "user-{sub}"],
            ["new", "a", "--audience", "x"], ["issuer", "a"], ["issuer", "--screens", "a"],
            ["issuer", "a", "--screens", "user-{sub}*"],
            ["issuer", "a", "--screens", "a", "--scopes", "write"],
            ["issuer", "a", "--screens", "a", "--algorithm", "none"],
            ["issuer", "a", "--screens", "a", "--lifetime", "86401"],
            ["issuer", "a", "--screens", "a", "--catalogs", "a,,b"],
            ["issuer", "a", "--screens", "a", "--sub", "b"],
            ["issuer", "a", "--screens", "a", "--expires", "1d"], ["token"],
            ["token", "a", "--issuer", "f"], ["token", "--issuer", "f", "--screens", "a"],
            ["token", "--issuer", "f", "--screen", "a*b"],
            ["token", "--issuer", "f", "--screen", "a,,b"],
        ])
    func invalid(words: [String]) async {
        let console = TestConsole()
        #expect(await Command.run(["key"] + words, in: .empty) == .usage)
        #expect(console.output.isEmpty)
    }
}

@Suite("broadsheet key issuer, broadsheet key token")
struct IssuerCommandTests {
    /// Returns the output of `key issuer` with more options.
    private func issuer(_ words: String...) async throws -> String {
        let console = TestConsole()
        let status = await console.run(
            ["key", "issuer", "shop", "--screens", "home,user-{sub}-*"] + words)
        try #require(status == .success, "\(console.errors)")
        return console.output
    }

    private func line(of output: String) throws -> IssuerLine {
        let line = try #require(output.split(separator: "\n").last?.dropFirst("line: ".count))
        return try #require(try KeyRing(Array(line.utf8)).issuers.first)
    }

    /// Returns the header and the payload of a token whose signature is right.
    private func verified(_ token: String, by line: IssuerLine) throws -> [JSONValue] {
        let parts = token.dropLast().split(separator: ".").map(String.init)
        try #require(parts.count == 3 && token.hasSuffix("\n"))
        let bytes = try parts.map { try #require(Base64URL.decode($0)) }
        #expect(line.key.verifies(bytes[2], of: "\(parts[0]).\(parts[1])".utf8))
        return try bytes.prefix(2).map { try JSONDocument($0).root }
    }

    @Test("By default an issuer's key is of Ed25519, for reading, without an end")
    func defaults() async throws {
        let output = try await issuer()
        let line = try line(of: output)
        #expect(line.name == "shop" && line.scopes == [.read] && line.expiry == .never)
        #expect(line.screens.text == "home,user-{sub}-*" && line.key.algorithm == .edDSA)
        #expect(line.options.audience == nil && line.options.lifetime == 3600)
        let jwk = try #require(output.split(separator: "\n").first?.dropFirst("secret: ".count))
        let members = try JSONDocument(Array(jwk.utf8)).root.members.map(\.0.string)
        #expect(members == ["kty", "crv", "d", "x", "kid", "alg"])
        #expect(try await self.line(of: issuer()).key.id != line.key.id)
    }

    @Test("Every option of an issuer is in its line")
    func options() async throws {
        let output = try await issuer(
            "--algorithm=HS256", "--scopes=events,read", "--expires=2100-01-01T00:00:00Z",
            "--audience=shop", "--lifetime=900", "--catalogs=default,b", "--flags=x,y")
        let text = try line(of: output).line
        #expect(text.hasPrefix("shop read,events home,user-{sub}-* 2100-01-01T00:00:00Z HS256:"))
        #expect(text.hasSuffix(" audience=shop lifetime=900 catalogs=default,b flags=x,y"))
    }

    @Test(
        "A token has the claims of the options, and the audience of the line",
        arguments: TokenAlgorithm.allCases)
    func token(algorithm: TokenAlgorithm) async throws {
        let output = try await issuer("--algorithm", algorithm.rawValue, "--audience=shop")
        let console = TestConsole(files: ["f": output])
        let status = await console.run(
            "key", "token", "--issuer", "f", "--sub", "a", "--screen", "user-a-home", "--screen",
            "home*", "--scopes=read", "--expires=30s")
        try #require(status == .success, "\(console.errors)")
        let line = try line(of: output)
        let parts = try verified(console.output, by: line)
        #expect(parts[0]["alg"]?.string == algorithm.rawValue)
        #expect(parts[0]["kid"]?.string == line.key.id)
        let claims = parts[1]
        #expect(claims["iss"]?.string == "shop" && claims["aud"]?.string == "shop")
        #expect(claims["sub"]?.string == "a" && claims["scope"]?.string == "read")
        #expect(claims["screens"]?.elements.map(\.string) == ["user-a-home", "home*"])
        let (start, end) = (try #require(claims["iat"]?.int), try #require(claims["exp"]?.int))
        #expect(end - start == 30)
    }

    @Test(
        "A token is read from standard input, lasts five minutes, and has no claim without an option"
    )
    func tokenDefaults() async throws {
        let output = try await issuer()
        let console = TestConsole(files: ["-": output])
        #expect(await console.run("key", "token", "--issuer", "-") == .success)
        let claims = try verified(console.output, by: line(of: output))[1]
        #expect(claims.members.map(\.0.string) == ["iss", "iat", "exp"])
        let (start, end) = (try #require(claims["iat"]?.int), try #require(claims["exp"]?.int))
        #expect(end - start == 300)
    }

    @Test(
        "A duration has a unit, and is at most the lifetime of the issuer's tokens",
        arguments: [
            ("30s", .success), ("15m", .success), ("1h", .success), ("61m", .usage),
            ("1d", .usage), ("0s", .usage), ("5", .usage), ("-5m", .usage), ("1.5h", .usage),
            ("never", .usage), ("9999999s", .usage),
        ] as [(String, BroadsheetCLI.ExitStatus)])
    func durations(text: String, expected: BroadsheetCLI.ExitStatus) async throws {
        let console = TestConsole(files: ["f": try await issuer()])
        #expect(await console.run("key", "token", "--issuer=f", "--expires=\(text)") == expected)
    }

    @Test("A file that is not the output of key issuer is reported without its text")
    func otherFiles() async throws {
        let output = try await issuer()
        let other = try await issuer()
        let mixed = "\(output.split(separator: "\n")[0])\n\(other.split(separator: "\n")[1])"
        let texts = ["", output.replacing("line: ", with: ""), "secret: {}\nline: x\n", mixed]
        for text in texts {
            let console = TestConsole(files: ["f": text])
            #expect(await console.run("key", "token", "--issuer=f") == .failure)
            #expect(console.errors.count == 1 && !console.errors.joined().contains("\"d\""))
        }
    }
}

@Suite("The access of serve")
struct AccessConfigurationTests {
    private func configuration(_ words: String...) throws -> ServeConfiguration {
        try .reading(words, in: .empty)
    }

    @Test("Every flag of the access changes its property")
    func flags() throws {
        let configuration = try configuration(
            "--keys=k", "--open", "--metrics-open", "--allowed-hosts=A.example,b.example.",
            "--cors-origin=https://a.example,http://localhost:3000")
        #expect(configuration.keys == "k" && configuration.server.isOpen)
        let access = configuration.service.access
        #expect(access.isMetricsOpen)
        #expect(access.allowedHosts?.map(\.text) == ["a.example", "b.example"])
        #expect(
            access.corsOrigins.map(\.description) == ["https://a.example", "http://localhost:3000"])
    }

    @Test(
        "A host with a port, and an origin with a path or without a scheme, are refused",
        arguments: [
            "--allowed-hosts=a:80", "--allowed-hosts=a,", "--allowed-hosts=", "--allowed-hosts=a b",
            "--allowed-hosts=https://a", "--cors-origin=a.example", "--cors-origin=https://a/",
            "--cors-origin=*", "--cors-origin=null", "--cors-origin=https://a,",
        ])
    func malformed(word: String) {
        #expect(throws: CommandError.self) { try configuration(word) }
    }

    @Test(
        "The message about a text that is not an origin says what to write",
        arguments: [
            ("https://shop.example/", "write https://shop.example"),
            ("https://a,http://Localhost:3000/x", "write http://localhost:3000"),
            ("shop.example:444", "write https://shop.example:444"),
            ("*", "write an origin such as https://shop.example"),
        ])
    func originRemedies(text: String, remedy: String) throws {
        let error = #expect(throws: CommandError.self) { try configuration("--cors-origin", text) }
        let line = try #require(error?.lines.first)
        #expect(line.contains("'\(text)' is not") && line.contains(remedy), "\(line)")
        var server = ServerConfiguration()
        let other = #expect(throws: ServerError.self) {
            try server.setCORSOrigins(text.split(separator: ",").map(String.init))
        }
        #expect(other?.description.contains(remedy) == true)
    }

    @Test("By default the hosts are localhost, the machine's name, and that of --host")
    func hosts() throws {
        let hosts = try configuration("--host", "Broadsheet.internal").server.service(with: nil)
            .access.allowedHosts?.map(\.text)
        #expect(hosts?.first == "localhost")
        #expect(hosts?.last == "broadsheet.internal")
        let own = try configuration("--allowed-hosts", "a.example").server.service(with: nil)
        #expect(own.access.allowedHosts?.map(\.text) == ["a.example"])
    }

    @Test(
        "By default the inspector is for direct requests to a loopback address without proxies",
        arguments: [
            ([], .direct), (["--host=::1"], .direct), (["--host=localhost"], .direct),
            (["--keys=k"], .direct), (["--host=0.0.0.0"], .none), (["--host=192.0.2.1"], .none),
            (["--allowed-hosts=a.example"], .none), (["--trusted-proxies=10.0.0.0/8"], .none),
            (["--inspector", "true", "--host=0.0.0.0"], .all),
            (["--inspector=true", "--allowed-hosts=a.example"], .all),
            (["--inspector", "false"], .none),
        ] as [([String], InspectorAccess)])
    func inspector(words: [String], expected: InspectorAccess) throws {
        let configuration = try ServeConfiguration.reading(words, in: .empty)
        #expect(configuration.server.service(with: nil).inspector == expected)
    }

    @Test(
        "Without keys only a loopback address is accepted, unless --open is given",
        arguments: [
            ([], true), (["--host=::1"], true), (["--host=localhost"], true),
            (["--host=127.9.9.9"], true), (["--host=0.0.0.0"], false), (["--host=::"], false),
            (["--host=192.0.2.1"], false), (["--host=0.0.0.0", "--open"], true),
            (["--host=0.0.0.0", "--keys=k"], true), (["--host=0.0.0.0", "--metrics-open"], false),
            (["--host=0.0.0.0", "--open=false"], false),
        ])
    func exposure(words: [String], isAccepted: Bool) throws {
        let configuration = try ServeConfiguration.reading(words, in: .empty)
        let hasKeys = configuration.keys != nil
        if isAccepted {
            try configuration.server.checkExposure(hasKeys: hasKeys)
        } else {
            #expect(throws: ServerError.self) {
                try configuration.server.checkExposure(hasKeys: hasKeys)
            }
        }
    }
}
