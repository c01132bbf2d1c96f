import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Page tokens (docs/api.md, Page tokens)")
struct PageTokenTests {
    private let seal = TokenSeal(.random())

    private var parameters: LayoutParameters {
        var parameters = LayoutParameters()
        parameters.viewport = Viewport(width: 768.25, height: 1024, scale: 1.5, direction: .rtl)
        parameters.options.coordinates = .content
        parameters.options.fields = .frames
        parameters.rounding = .none
        parameters.collapsed = IdentifierList(["홈", "a,b", ""])
        return parameters
    }

    @Test("A page token contains the page and every parameter except `pretty`")
    func roundTrip() throws {
        var pretty = parameters
        pretty.options.pretty = true
        for page in [0, 1, 127, 128, 16_384, 2_147_483_647] {
            let text = PageToken(after: page, pretty).sealed(by: seal, for: "home")
            let token = try #require(PageToken(text, sealedBy: seal, for: "home"))
            #expect(token.page == page)
            #expect(token.parameters == parameters)
        }
    }

    @Test("A page token contains the text scale, beside a scale that is listed and one that is not")
    func textScales() throws {
        for scale in [3, 2.625] {
            for textScale in [0.5, 1, 1.3528, 4] {
                var parameters = parameters
                parameters.viewport.scale = scale
                parameters.viewport.textScale = textScale
                let text = PageToken(after: 1, parameters).sealed(by: seal, for: "s")
                #expect(PageToken(text, sealedBy: seal, for: "s")?.parameters == parameters)
            }
        }
    }

    @Test("A page token contains the safe area, beside all that may be before it")
    func safeAreas() throws {
        for (client, catalog) in [
            (nil, nil), ("ios/5.2", nil), (nil, "menu"), ("ios/5.2", "menu"),
        ] as [(String?, String?)] {
            for area in [.zero, Insets(top: 59, left: 0.5, bottom: 34, right: 100_000)] {
                var parameters = parameters
                parameters.viewport.safeArea = area
                parameters.client = client.flatMap { Client($0) }
                let token = PageToken(
                    after: 1, parameters, catalog: catalog.flatMap { CatalogName($0) })
                let text = token.sealed(by: seal, for: "s")
                #expect(PageToken(text, sealedBy: seal, for: "s") == token)
            }
        }
    }

    @Test("A page token contains every combination of choices")
    func choices() throws {
        let scales = [1, 1.5, 2, 3, 4, 0.5, 1.25, 2.625, 2.75, 3.5, 8, 1.1000000238418579]
        for bits in 0..<(scales.count * 16) {
            var parameters = LayoutParameters()
            parameters.viewport.scale = scales[bits / 16]
            parameters.viewport.direction = bits & 1 == 0 ? .ltr : .rtl
            parameters.options.coordinates = bits & 2 == 0 ? .section : .content
            parameters.options.fields = bits & 4 == 0 ? .all : .frames
            parameters.rounding = bits & 8 == 0 ? .pixel : .none
            let text = PageToken(after: bits, parameters).sealed(by: seal, for: "s")
            #expect(PageToken(text, sealedBy: seal, for: "s")?.parameters == parameters)
        }
    }

    @Test("Page tokens of the time when there were five scales are valid, and made unchanged")
    func earlierForm() throws {
        let store = try #require(StoreIdentity(name: "s", sealingKey: Array(0..<16)))
        let seal = TokenSeal(store)
        let text = "A3kAAAAAAAKIQAAAAAAAAJBAAwADYSxiA-2ZiLXG3BY8PbehcCsvqkzw0ko"
        let token = try #require(PageToken(text, sealedBy: seal, for: "home"))
        #expect(token.page == 3)
        #expect(token.parameters == parameters)
        #expect(PageToken(after: 3, parameters).sealed(by: seal, for: "home") == text)
    }

    @Test("A page token contains the revision that it names, beside all that may be before it")
    func revisions() throws {
        for catalog in [nil, CatalogName("wishes")] {
            for area in [nil, Insets(top: 59, left: 0, bottom: 34, right: 0)] {
                for revision in [1, 127, 128, 999_999_999_999_999] as [UInt64] {
                    var parameters = parameters
                    parameters.viewport.safeArea = area
                    let token = PageToken(
                        after: 3, parameters, catalog: catalog, revision: revision)
                    let text = token.sealed(by: seal, for: "home")
                    #expect(PageToken(text, sealedBy: seal, for: "home") == token)
                }
            }
        }
    }

    @Test("A page token contains expanded sections")
    func expanded() throws {
        var parameters = parameters
        parameters.expanded = ["x", "y,z"]
        for collapsed in [parameters.collapsed, []] {
            parameters.collapsed = collapsed
            let text = PageToken(after: 3, parameters).sealed(by: seal, for: "home")
            #expect(PageToken(text, sealedBy: seal, for: "home")?.parameters == parameters)
        }
    }

    @Test("A page token needs no escaping in a URL")
    func safe() {
        let text = PageToken(after: 3, parameters).sealed(by: seal, for: "home")
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    }

    @Test("A page token is rejected if it is shortened or extended")
    func cut() {
        let text = PageToken(after: 3, parameters).sealed(by: seal, for: "home")
        for length in 0..<text.count {
            #expect(PageToken(String(text.prefix(length)), sealedBy: seal, for: "home") == nil)
            #expect(PageToken(String(text.suffix(length)), sealedBy: seal, for: "home") == nil)
        }
        for extra in ["A", "AA", "AAAA", "=", "==", " "] {
            #expect(PageToken(text + extra, sealedBy: seal, for: "home") == nil)
        }
    }

    @Test("A page token is rejected if a bit is flipped")
    func flipped() throws {
        let text = PageToken(after: 3, parameters).sealed(by: seal, for: "home")
        let bytes = try #require(Base64URL.decode(text))
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let token = PageToken(Base64URL.encode(changed), sealedBy: seal, for: "home")
            #expect(token == nil, "bit \(bit)")
        }
    }

    @Test("A page token is rejected if a character is replaced")
    func otherCharacters() {
        let text = Array(PageToken(after: 3, parameters).sealed(by: seal, for: "home"))
        for index in text.indices {
            for other in "Az09-_+/=. %" where other != text[index] {
                var changed = text
                changed[index] = other
                #expect(PageToken(String(changed), sealedBy: seal, for: "home") == nil)
            }
        }
    }

    @Test("A page token is rejected for another screen and for another store")
    func foreign() {
        let text = PageToken(after: 3, parameters).sealed(by: seal, for: "home")
        for other in ["Home", "home2", "hom", "", "e"] {
            #expect(PageToken(text, sealedBy: seal, for: other) == nil)
        }
        #expect(PageToken(text, sealedBy: TokenSeal(.random()), for: "home") == nil)
    }

    @Test("Tokens of other kinds are rejected")
    func kinds() throws {
        let name = try #require(ScreenName("home"))
        let listing = ListingToken(after: name).sealed(by: seal)
        #expect(PageToken(listing, sealedBy: seal, for: "") == nil)
        let page = PageToken(after: 3, parameters).sealed(by: seal, for: "")
        #expect(ListingToken(page, sealedBy: seal) == nil)
        #expect(ListingToken(listing, sealedBy: seal)?.name == name)
    }

    @Test("Sealed payloads that no writer produces are rejected", arguments: payloads)
    func malformedPayloads(payload: [UInt8]) {
        let text = seal.seal(payload, as: .page, for: "home")
        #expect(PageToken(text, sealedBy: seal, for: "home") == nil)
    }

    private static let payloads: [[UInt8]] = [
        [], [0], [0, 0], [0x80], Array(repeating: 0xFF, count: 12),
        [0, 0x80] + Array(repeating: 0, count: 17), [0, 5] + Array(repeating: 0, count: 17),
        [0, 0] + Array(repeating: 0, count: 16), [0, 0] + Array(repeating: 0, count: 18),
        [0, 7] + Array(repeating: 0, count: 8 + 17), [0, 6] + Array(repeating: 0, count: 8 + 17),
        [0, 0] + Array(repeating: 0, count: 16) + [1, 5, 0x61],
        [0, 0] + Array(repeating: 0, count: 16) + [1, 1, 0xFF],
        [0, 0] + Array(repeating: 0, count: 16)
            + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
    ]
}

@Suite("Page tokens through the API")
struct PageTokenAPITests {
    private let path = "/v1/screens/home/layout"

    private func service() async throws -> TestService {
        let service = try await TestService()
        for screen in ["home", "other"] {
            for page in 0...1 {
                try await service.send(
                    "PUT", "/v1/screens/\(screen)/pages/\(page)",
                    Pages.list(["p\(page)"], hasNext: page == 0))
            }
        }
        return service
    }

    @Test("Damaged tokens and tokens of others are INVALID_PAGE_TOKEN")
    func invalid() async throws {
        let service = try await service()
        let other = try await self.service()
        let token = try await service.send("GET", path).string("/nextPageToken")
        let tokens = [
            "", "x", "=", "%00", String(token.dropLast()), token + "A", token + "%3D",
            token.uppercased(), String(repeating: "A", count: 5000),
        ]
        for bad in tokens {
            let response = try await service.send("GET", "\(path)?pageToken=\(bad)")
            #expect(response.status == 400)
            #expect(response.code == "INVALID_PAGE_TOKEN", "\(bad)")
        }
        let replayed = try await service.send(
            "GET", "/v1/screens/other/layout?pageToken=\(token)")
        #expect(replayed.code == "INVALID_PAGE_TOKEN")
        #expect(
            try replayed.string("/detail")
                == "The page token is one of the screen \"home\", not of this one.")
        let foreign = try await other.send("GET", "\(path)?pageToken=\(token)")
        #expect(foreign.code == "INVALID_PAGE_TOKEN")
        let twice = try await service.send(
            "GET", "\(path)?pageToken=\(token)&pageToken=\(token)")
        #expect(twice.code == "INVALID_PARAMETER")
    }

    @Test("A token of a screen that is not in memory, or not the client's, is not distinguished")
    func otherScreens() async throws {
        let store = ScreenStore.inMemory()
        let service = try await TestService(store: store)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"], hasNext: true))
        let token = try await service.send("GET", path).string("/nextPageToken")
        let unknown = "The page token is damaged, or belongs to another screen or store."
        let fresh = try await TestService(store: store)
        let cold = try await fresh.send("GET", "/v1/screens/other/layout?pageToken=\(token)")
        #expect(try cold.string("/detail") == unknown)

        let keys = try KeyRing(ofLines: ["app read other never", "all read * never"])
        let restricted = try await TestService(
            store: store, access: AccessConfiguration(keys: keys))
        let all: HTTPHeaders = [.authorization: "Bearer secret-all"]
        try await restricted.send("GET", path, headers: all)
        for (name, isNamed) in [("app", false), ("all", true)] {
            let secret: HTTPHeaders = [.authorization: "Bearer secret-\(name)"]
            let received = try await restricted.send(
                "GET", "/v1/screens/other/layout?pageToken=\(token)", headers: secret)
            #expect(received.code == "INVALID_PAGE_TOKEN")
            #expect(try (received.string("/detail") != unknown) == isNamed, "\(name)")
        }
    }

    @Test("Every daemon on the same store accepts the token, with any catalog")
    func sameStore() async throws {
        let store = ScreenStore.inMemory()
        let one = try await TestService(store: store)
        let two = try await TestService(store: store, catalog: Catalogs.flatter)
        try await one.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"], hasNext: true))
        let token = try await one.send("GET", path).string("/nextPageToken")
        try await two.send("PUT", "/v1/screens/home/pages/1", Pages.list(["b"]))
        let response = try await two.send("GET", "\(path)?pageToken=\(token)")
        #expect(try response.itemIds == [["a", "b"]])
        #expect(try await one.send("GET", "\(path)?pageToken=\(token)").itemIds == [["a", "b"]])
    }
}
