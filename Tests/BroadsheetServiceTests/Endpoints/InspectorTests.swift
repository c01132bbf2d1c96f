import Broadsheet
import BroadsheetHTTP
import Foundation
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The files of the inspector (docs/inspector.md, docs/threat-model.md)")
struct InspectorTests {
    static let files = [
        ("inspector.css", "text/css"), ("inspector.js", "text/javascript"),
        ("common.js", "text/javascript"), ("devices.js", "text/javascript"),
        ("playground.js", "text/javascript"),
        ("icon.svg", "image/svg+xml"), ("samples.json", "application/json"),
    ]

    private func source(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "Sources/BroadsheetWeb/\(name)")))
    }

    private let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

    @Test("The page runs its own modules only, and is in no frame")
    func page() async throws {
        let received = try await TestService().send("GET", "/inspector?x=1")
        let headers = received.response.headers
        #expect(received.body == (try source("inspector/inspector.html")))
        #expect(headers[.contentType] == "text/html; charset=utf-8")
        #expect(headers[.contentSecurityPolicy] == policy)
        #expect(headers[.crossOriginOpenerPolicy] == "same-origin")
        try checkFields(of: received.response)
        for pattern in ["<script>", "style=", "onclick", "javascript:", "http", "//"] {
            #expect(!received.text.contains(pattern), "\(pattern)")
        }
    }

    private func checkFields(of response: HTTPResponse) throws {
        let headers = response.headers
        #expect(headers[.crossOriginResourcePolicy] == "same-origin")
        #expect(headers[.referrerPolicy] == "no-referrer")
        #expect(headers[.cacheControl] == "no-cache")
        let isSmall = response.contentLength < Compression.minBytes
        #expect(headers[.vary] == (isSmall ? nil : "Accept-Encoding"))
        #expect(headers[.contentTypeOptions] == "nosniff")
        #expect(headers[.accessControlAllowOrigin] == nil)
        #expect(headers[.etag]?.hasPrefix("\"") == true)
    }

    @Test("Each file is served as it is in the sources", arguments: files)
    func file(name: String, type: String) async throws {
        let service = try await TestService()
        let target = "/inspector/\(name)"
        let received = try await service.send("GET", target)
        #expect(received.body == (try source("inspector/\(name)")))
        #expect(received.response.headers[.contentType] == "\(type); charset=utf-8")
        try checkFields(of: received.response)
        let tag = try #require(received.etag)
        let again = try await service.send("HEAD", target, headers: [.ifNoneMatch: tag])
        #expect(again.status == 304)
        #expect(again.response.headers[.crossOriginResourcePolicy] == "same-origin")
        let packed = try await service.send("GET", target, headers: [.acceptEncoding: "gzip"])
        if packed.response.headers[.contentEncoding] == "gzip" {
            #expect(try gunzip(packed.body) == source("inspector/\(name)"))
        }
    }

    @Test("All files together have at most 62,500 bytes with gzip")
    func size() async throws {
        let service = try await TestService()
        let targets =
            ["/inspector", "/client.js", "/element.js"] + Self.files.map { "/inspector/\($0.0)" }
        var total = 0
        for target in targets {
            let packed = try await service.send("GET", target, headers: [.acceptEncoding: "gzip"])
            total += packed.body.count
        }
        #expect(total <= 62_500)
    }

    @Test("All files are listed here")
    func complete() {
        #expect(Set(InspectorFileNames.all) == Set(Self.files.map(\.0)))
    }

    @Test("A slash too many leads to the page; other files are 404, other methods 405")
    func others() async throws {
        let service = try await TestService()
        let redirect = try await service.send("GET", "/inspector/")
        #expect(redirect.status == 308)
        #expect(redirect.response.headers[.location] == "../inspector")
        for name in ["inspector.html", "other.js", "..%2Fclient.js", "inspector.js/", "CLIENT.js"] {
            let received = try await service.send("GET", "/inspector/\(name)")
            #expect(received.code == "NOT_FOUND", "\(name)")
        }
        for target in ["/inspector", "/inspector/", "/inspector/inspector.js"] {
            for method in ["POST", "PUT", "DELETE", "PATCH"] {
                #expect(try await service.send(method, target).status == 405)
            }
        }
    }

    private static let targets = [
        "/inspector", "/inspector/", "/inspector/inspector.js", "/%69nspector",
        "/inspector/samples.json", "/inspector/x",
    ]

    @Test("Without the inspector there is no route of it, nor a word in /openapi.json")
    func none() async throws {
        let service = try await TestService(inspector: .none)
        for target in Self.targets {
            for method in ["GET", "HEAD", "POST", "OPTIONS"] {
                let received = try await service.send(method, target)
                #expect(received.status == 404 && !received.text.contains("inspector/inspector"))
            }
        }
        #expect(try await service.send("GET", "/inspectr").text.contains("did you mean") == false)
        #expect(try await !service.send("GET", "/openapi.json").text.contains("/inspector"))
        let shown = try await TestService().send("GET", "/openapi.json")
        #expect(shown.text.contains("/inspector"))
    }

    @Test(
        "By default a request that a proxy forwarded finds no inspector",
        arguments: ["Forwarded", "X-Forwarded-For", "x-forwarded-host", "VIA"])
    func forwarded(field: String) async throws {
        let service = try await TestService()
        let name = try #require(HTTPFieldName(token: field))
        for target in Self.targets {
            for method in ["GET", "HEAD", "POST", "OPTIONS"] {
                let received = try await service.send(method, target, headers: [name: "1.1 p"])
                #expect(received.status == 404, "\(method) \(target)")
            }
        }
        let other = try await service.send("GET", "/client.js", headers: [name: "1.1 p"])
        #expect(other.status == 200)
        let all = try await TestService(inspector: .all)
        let shown = try await all.send("GET", "/inspector", headers: [name: "1.1 p"])
        #expect(shown.status == 200)
    }

    @Test("Its files need no key, and no other origin or host receives them")
    func access() async throws {
        var access = AccessConfiguration()
        access.keys = try KeyRing(ofLines: ["k read * never"])
        access.corsOrigins = [try #require(WebOrigin("https://shop.example"))]
        access.allowedHosts = [try #require(HostName("localhost"))]
        let service = try await TestService(access: access)
        for target in ["/inspector", "/inspector/inspector.js"] {
            let received = try await service.send(
                "GET", target, headers: [.origin: "https://shop.example"])
            #expect(received.status == 200)
            #expect(received.response.headers[.accessControlAllowOrigin] == nil)
            let foreign = try await service.send("GET", target, host: "attacker.example")
            #expect(foreign.status == 421)
        }
        #expect(try await service.send("GET", "/v1/screens").status == 401)
        #expect(try await service.send("GET", "/v1/catalogs").status == 401)
    }
}
