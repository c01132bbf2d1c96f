import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("The rights of tokens (docs/api.md, Tokens)")
struct ReaderRightsTests {
    private static let issuer = TestIssuer.hs256

    private func service(
        _ line: String, catalog: String = Catalogs.shop, named: [String: String] = [:],
        screens: [String] = ["home", "user-a-home", "user-a-x", "user-b-home"]
    ) async throws -> TestService {
        let ring = try KeyRing(issuers: [line], keys: ["w read,write,admin,events * never"])
        let service = try await TestService(
            catalog: catalog, named: named, access: AccessConfiguration(keys: ring),
            clock: ManualClock().time)
        for screen in screens {
            try await service.send(
                "PUT", "/v1/screens/\(screen)/pages/0", Pages.list(["a", "b"]), headers: .key("w"))
        }
        return service
    }

    private func token(_ members: String = #""sub":"a""#) throws -> HTTPHeaders {
        .token(try Self.issuer.token(TestIssuer.payload(members)))
    }

    /// The operations that tokens permit with `read`, and with `events`; from the document.
    private static let permitted: [String: AccessScope] = [
        "listScreens": .read, "getScreen": .read, "getLayout": .read, "getPicture": .read,
        "getChanges": .read, "getStream": .read, "getPageState": .read, "getPage": .read,
        "listCatalogs": .read, "getCatalogCells": .read, "getFont": .read, "postEvents": .events,
    ]

    private func path(_ operation: Operation, _ screen: String) -> String {
        operation.path.replacing("{screen}", with: screen).replacing("{page}", with: "0")
            .replacing("{clientFile}", with: "client.js")
            .replacing("{inspectorFile}", with: "inspector.js")
            .replacing("{font}", with: "f").replacing("{file}", with: "0")
    }

    @Test(
        "An operation needs its scope and a screen of the reader; all others are refused",
        arguments: Operation.all)
    func operations(operation: Operation) async throws {
        let service = try await service(Self.issuer.line("read,events"))
        let isOfScreen = operation.path.contains("{screen}")
        for (scope, screen, isOwn) in [
            ("read", "user-a-home", true), ("events", "user-a-home", true),
            ("read events", "user-b-home", false), ("read events", "user-b-gone", false),
            ("", "home", true), ("write admin", "home", true),
        ] {
            let words = scope.split(separator: " ").map(String.init)
            let hasScope = Self.permitted[operation.id].map { words.contains($0.rawValue) } ?? false
            let mayCall = operation.access.scopes.isEmpty || hasScope && (isOwn || !isOfScreen)
            let received = try await service.send(
                operation.method.token, path(operation, screen), Pages.list(["a"]),
                headers: token(#""sub":"a","scope":"\#(scope)""#))
            let isForbidden = received.status == 403 && received.code == "FORBIDDEN"
            #expect(isForbidden == !mayCall, "\(scope) \(screen): \(received.status)")
            #expect(received.status != 401)
        }
    }

    @Test("The OpenAPI document has the scopes that tokens need, and the codes of their problems")
    func openAPI() async throws {
        let document = try await service(Self.issuer.line()).send("GET", "/openapi.json")
        let scheme = try document.value("/components/securitySchemes/token")
        #expect(scheme?["scheme"]?.string == "bearer" && scheme?["bearerFormat"]?.string == "JWT")
        for operation in Operation.all {
            let pointer = "/paths/\(operation.path.replacing("/", with: "~1"))"
            let node = try #require(
                try document.value("\(pointer)/\(operation.method.token.lowercased())"))
            let security = Array(try #require(node["security"]).elements)
            let scopes = security.compactMap { $0["token"]?.elements.map(\.string) }
            #expect(scopes == (Self.permitted[operation.id].map { [[$0.rawValue]] } ?? []))
            guard !operation.access.scopes.isEmpty else { continue }
            let responses = try #require(node["responses"])
            #expect(responses["401"] != nil && responses["429"] != nil, "\(operation.id)")
        }
        let text = document.text
        for code in ProblemCode.ofTokens { #expect(text.contains(code.rawValue)) }
    }

    @Test("A line without `events` permits none, whatever a token says")
    func boundsOfLine() async throws {
        let service = try await service(Self.issuer.line("read"))
        let received = try await service.send(
            "POST", "/v1/screens/home/events", #"{"events":[]}"#,
            headers: token(#""sub":"a","scope":"read events""#))
        #expect(received.status == 403)
    }

    @Test("Earlier revisions are not for readers, whether they are kept or not")
    func revisions() async throws {
        let service = try await service(Self.issuer.line())
        for query in ["revision=1", "revision=2"] {
            let path = "/v1/screens/home/layout?\(query)"
            let received = try await service.send("GET", path, headers: token())
            #expect(received.status == 403 && received.code == "FORBIDDEN")
        }
    }

    @Test(
        "A list has the screens that the token and the line permit, in pages",
        arguments: [
            (#""sub":"a""#, ["home", "user-a-home", "user-a-x"]),
            (#""sub":"b""#, ["home", "user-b-home"]), (#""sub":"c-d""#, ["home"]),
            (#""iss":"shop""#, ["home"]),
            (#""sub":"a","screens":["user-*"]"#, ["user-a-home", "user-a-x"]),
            (#""sub":"a","screens":["user-a-x","user-b-home"]"#, ["user-a-x"]),
            (#""sub":"a","screens":["*"]"#, ["home", "user-a-home", "user-a-x"]),
            (#""sub":"a","screens":[]"#, []), (#""sub":"a","screens":["shop"]"#, []),
        ] as [(String, [String])])
    func lists(members: String, expected: [String]) async throws {
        let service = try await service(Self.issuer.line())
        let headers = try token(members)
        var (names, next) = ([String](), String?.none)
        repeat {
            let path = "/v1/screens?pageSize=1" + (next.map { "&pageToken=\($0)" } ?? "")
            let received = try await service.send("GET", path, headers: headers)
            #expect(received.status == 200)
            names +=
                try received.json["screens"]?.elements.compactMap { $0["screen"]?.string } ?? []
            next = try received.json["nextPageToken"]?.string
        } while next != nil
        #expect(names == expected)
        for screen in ["home", "user-a-home", "user-a-x", "user-b-home"] {
            let received = try await service.send(
                "GET", "/v1/screens/\(screen)", headers: headers)
            #expect(received.status == (expected.contains(screen) ? 200 : 403), "\(screen)")
        }
    }

    @Test("A problem does not name a screen of another reader")
    func hints() async throws {
        let service = try await service(
            Self.issuer.line("read", "user-a-*"), screens: ["user-a-hom", "user-b-home"])
        let missing = try await service.send(
            "GET", "/v1/screens/user-a-home", headers: token())
        #expect(missing.status == 404 && missing.text.contains("user-a-hom"))
        #expect(!missing.text.contains("user-b"))
    }

    @Test(
        "A catalog that is not the line's is 403, whether it exists or not; the list has the line's",
        arguments: [
            ("catalogs=default,b", ["b"], ["": 200, "?catalog=b": 200, "?catalog=c": 403]),
            ("catalogs=b", ["b"], ["": 403, "?catalog=b": 200, "?catalog=gone": 403]),
            ("catalogs=default", [], ["": 200, "?catalog=b": 403, "?catalog=default": 400]),
            ("", ["b", "c"], ["": 200, "?catalog=b": 200, "?catalog=gone": 400]),
        ] as [(String, [String], [String: Int])])
    func catalogs(options: String, listed: [String], statuses: [String: Int]) async throws {
        let service = try await service(
            Self.issuer.line("read,events", "*", options),
            named: ["b": Catalogs.shop, "c": Catalogs.shop])
        let list = try await service.send("GET", "/v1/catalogs", headers: token())
        #expect(try list.json["catalogs"]?.elements.compactMap(\.string) == listed)
        for (query, status) in statuses {
            for path in ["/v1/screens/home/layout", "/v1/screens/home", "/v1/catalog/cells"] {
                let received = try await service.send("GET", path + query, headers: token())
                #expect(received.status == status, "\(path)\(query)")
            }
        }
    }

    @Test("A catalog or a flag that is not the line's is 403, also out of a page token")
    func pageTokens() async throws {
        let service = try await service(
            Self.issuer.line("read,events", "*", "catalogs=default flags=x,y"),
            named: ["b": Catalogs.shop])
        for page in 0...1 {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", Pages.list(["p\(page)"], hasNext: true),
                headers: .key("w"))
        }
        for (query, status) in [
            ("?flags=x", 200), ("?flags=y,x", 200), ("?flags=z", 403), ("?flags=x,z", 403),
            ("?catalog=b", 403),
        ] {
            let path = "/v1/screens/home/layout"
            let direct = try await service.send("GET", path + query, headers: token())
            #expect(direct.status == status, "\(query)")
            let page = try await service.send("GET", path + query, headers: .key("w"))
                .string("/nextPageToken")
            let next = try await service.send(
                "GET", "\(path)?pageToken=\(page)", headers: token())
            #expect(next.status == status, "\(query)")
            let stream = try await service.send(
                "GET", "/v1/screens/home/stream\(query)", headers: token())
            #expect(stream.status == status, "\(query)")
            let events = try await service.send(
                "POST", "/v1/screens/home/events\(query)", #"{"events":[{"type":"scroll"}]}"#,
                headers: token())
            #expect(events.status == (status == 200 ? 202 : 403), "\(query)")
        }
    }

    @Test("Responses to tokens are for their reader alone; tags are those of keys")
    func caches() async throws {
        let service = try await service(Self.issuer.line())
        for (path, control, vary) in [
            ("/v1/screens/home/layout", "private, no-cache", false),
            ("/v1/screens/home", "private, no-cache", false),
            ("/v1/screens", "private, no-cache", true),
            ("/v1/catalogs", "private, no-cache", true),
            ("/v1/screens/other", "private, no-store", false),
            ("/v1/screens/home-2/pages/0", "private, no-store", false),
            ("/nothing", "private, no-store", false),
        ] {
            let own = try await service.send("GET", path, headers: token())
            #expect(own.response.headers.values(of: .cacheControl) == [control], "\(path)")
            let fields = own.response.headers.values(of: .vary)
            #expect(fields.contains("Authorization") == vary, "\(path)")
            let shared = try await service.send("GET", path, headers: .key("w"))
            #expect(shared.response.headers[.cacheControl]?.contains("private") != true)
            if own.status == shared.status { #expect(own.etag == shared.etag) }
        }
        let tag = try #require(
            try await service.send("GET", "/v1/screens/home/layout", headers: .key("w")).etag)
        var headers = try token()
        headers.append(.ifNoneMatch, tag)
        let known = try await service.send("GET", "/v1/screens/home/layout", headers: headers)
        #expect(known.status == 304)
        #expect(known.response.headers[.cacheControl] == "private, no-cache")
        let open = try await service.send("GET", "/client.js", headers: token())
        #expect(open.response.headers[.cacheControl]?.contains("private") != true)
    }

    @Test("Fonts are kept by the clients of a token for a year, and not by others")
    func fonts() async throws {
        let ring = try KeyRing(issuers: [Self.issuer.line()], keys: ["w read * never"])
        let service = try await TestService(
            catalog: CatalogCellsTests.catalog, measurer: FileMeasurer(),
            access: AccessConfiguration(keys: ring), clock: ManualClock().time, servesFonts: true)
        let path = "/v1/fonts/a%20b/0?v=00000000000000ab"
        let own = try await service.send("GET", path, headers: token())
        #expect(own.status == 200)
        #expect(
            own.response.headers.values(of: .cacheControl)
                == ["private, max-age=31536000, immutable"])
        let shared = try await service.send("GET", path, headers: .key("w"))
        #expect(shared.response.headers[.cacheControl] == "max-age=31536000, immutable")
        let missing = try await service.send("GET", "/v1/fonts/a%20b/9", headers: token())
        #expect(missing.response.headers.values(of: .cacheControl) == ["private, no-store"])
    }

    @Test("Events have the issuer and the reader, whatever was posted")
    func events() async throws {
        let service = try await service(
            Self.issuer.line("events", "*"), catalog: EventsTests.catalog)
        let feed = try StreamReader(
            try await service.send("GET", "/v1/screens/home/feed", headers: .key("w")).response)
        let action =
            #"{"events":[{"type":"action","section":"List","item":"a","name":"notify","#
            + #""issuer":"x","re\u0061der":"y"}]}"#
        for headers in [try token(), try token(""), .key("w")] {
            let posted = try await service.send(
                "POST", "/v1/screens/home/events", action, headers: headers)
            #expect(posted.status == 202, "\(posted.text)")
        }
        let event = #""type":"action","section":"List","item":"a","name":"notify"}"#
        #expect(
            feed.events().map(\.data) == [
                #"{"screen":"home","issuer":"shop","reader":"a","# + event,
                #"{"screen":"home","issuer":"shop","# + event, #"{"screen":"home","# + event,
            ])
        feed.close()
    }

    @Test("A revision that an action of a reader makes has the name of the issuer")
    func notes() async throws {
        let service = try await service(
            Self.issuer.line("events", "*"), catalog: EventsTests.catalog)
        let action =
            #"{"events":[{"type":"action","section":"List","item":"a","name":"favourite"}]}"#
        let posted = try await service.send(
            "POST", "/v1/screens/home/events", action, headers: token())
        #expect(posted.status == 202, "\(posted.text)")
        let list = try await service.send(
            "GET", "/v1/screens/home/revisions", headers: .key("w"))
        #expect(list.text.contains("\"key\":\"shop\""), "\(list.text)")
    }

    @Test("Work counts for the issuer and its reader, or for the issuer and an address")
    func clients() async throws {
        let service = try await service(Self.issuer.line())
        let address = try #require(IPAddress("192.0.2.1"))
        func client(_ members: String) async throws -> ClientKey {
            let identity = try service.service.access.identity(
                for: .list, try token(members))
            guard case .known(let caller) = identity else { throw KeyLineViolation("unverified") }
            return caller.client(at: address)
        }
        #expect(try await client(#""sub":"a""#) == .reader(ofIssuer: "shop", "a"))
        #expect(try await client("") == .member(ofKey: "shop", address))
        #expect(try await client("").owner == client(#""sub":"a""#).owner)
    }
}

@Suite("Random patterns with readers (Tests/Oracle/random_readers.py)")
struct RandomPatternTests {
    /// Random patterns with the screens of random readers.
    private struct RandomPatterns: Decodable {
        struct Reader: Decodable {
            let sub: String?
            let patterns: [String]?
            let screens: [String]
        }

        let patterns: String
        let valid: Bool
        let names: [String]
        let readers: [Reader]
    }

    @Test(
        "The screens of random readers are those of a second implementation", arguments: [48, nil])
    func sameAsOracle(fixed: Int?) throws {
        let seed = fixed ?? Int(SeededGenerator.seed(of: "RandomPatternTests") % 1_000_000)
        let cases: [RandomPatterns] = try OracleProcess.cases(
            of: "random_readers.py", seed: seed, count: 500)
        for random in cases {
            let line = TestIssuer.hs256.line("read", random.patterns)
            let ring = try? KeyRing(issuers: [line])
            #expect((ring != nil) == random.valid, "seed \(seed): \(random.patterns)")
            guard let issuer = ring?.issuers.first, random.valid else { continue }
            let shared = random.names.filter { issuer.screens.contains($0, of: nil) }
            var owners: [String: Set<String>] = [:]
            for reader in random.readers {
                let token = try self.token(reader, of: issuer)
                let (own, listed) = (
                    random.names.filter(token.permits),
                    random.names.filter(token.patterns.contains)
                )
                let what = "seed \(seed): \(random.patterns) of \(reader)"
                #expect(own == reader.screens, "\(what)")
                #expect(listed == reader.screens, "\(what)")
                for name in own where !shared.contains(name) {
                    owners[name, default: []].insert(reader.sub ?? "")
                }
            }
            #expect(owners.values.allSatisfy { $0.count == 1 }, "seed \(seed): \(random.patterns)")
        }
    }

    private func token(
        _ reader: RandomPatterns.Reader, of line: IssuerLine
    ) throws -> VerifiedToken {
        var members: [String] = []
        // A token without an empty `sub` is the same as one without any.
        if let sub = reader.sub, !sub.isEmpty { members.append("\"sub\":\"\(sub)\"") }
        if let patterns = reader.patterns {
            members.append("\"screens\":[\(patterns.map { "\"\($0)\"" }.joined(separator: ","))]")
        }
        let payload = TestIssuer.payload(members.joined(separator: ","))
        let claims = try ReadClaims(
            Array(payload.utf8), of: line, at: Int64(TestIssuer.now) * 1000)
        return VerifiedToken(claims, of: line, logKey: [1])
    }
}
