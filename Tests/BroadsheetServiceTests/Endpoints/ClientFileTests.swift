import Broadsheet
import BroadsheetHTTP
import Foundation
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The files of the web client (docs/web.md, Files)")
struct ClientFileTests {
    static let names = ["client.js", "element.js", "catalog.js", "client.d.ts", "element.d.ts"]

    private func file(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "Sources/BroadsheetWeb/\(name)")))
    }

    @Test("Each file is served as it is in the sources, with its type and fields", arguments: names)
    func served(name: String) async throws {
        let received = try await TestService().send("GET", "/\(name)?v=1&unknown")
        #expect(received.status == 200)
        let headers = received.response.headers
        #expect(received.response.body == (try file(name)))
        let type = name.hasSuffix(".js") ? "text/javascript" : "text/plain"
        #expect(headers[.contentType] == "\(type); charset=utf-8")
        #expect(headers[.cacheControl] == "no-cache")
        #expect(headers[.accessControlAllowOrigin] == "*")
        #expect(headers[.crossOriginResourcePolicy] == "cross-origin")
        #expect(headers[.vary] == "Accept-Encoding")
        #expect(headers[.contentTypeOptions] == "nosniff")
        #expect(headers[.etag]?.hasPrefix("\"") == true)
    }

    @Test(
        "The compressed form has its own tag, and at most the bytes that a page may spend",
        arguments: zip(names, [9216, 14336, 5632, Int.max, Int.max]))
    func compressed(name: String, limit: Int) async throws {
        let service = try await TestService()
        let plain = try await service.send("GET", "/\(name)")
        let packed = try await service.send(
            "GET", "/\(name)", headers: [.acceptEncoding: "gzip"])
        #expect(packed.response.headers[.contentEncoding] == "gzip")
        #expect(try gunzip(packed.response.body) == file(name))
        #expect(packed.response.body.count <= limit)
        #expect(
            packed.response.headers[.etag]
                == plain.response.headers[.etag].map { "\($0.dropLast())-gzip\"" })
    }

    @Test("A client that has a file receives 304 with the fields", arguments: names)
    func notModified(name: String) async throws {
        let service = try await TestService()
        for coding in ["identity", "gzip"] {
            let first = try await service.send(
                "GET", "/\(name)", headers: [.acceptEncoding: coding])
            let tag = try #require(first.response.headers[.etag])
            for condition in [tag, "*"] {
                let second = try await service.send(
                    "HEAD", "/\(name)",
                    headers: [.acceptEncoding: coding, .ifNoneMatch: condition])
                #expect(second.status == 304)
                #expect(second.response.headers[.etag] == tag)
                #expect(second.response.headers[.accessControlAllowOrigin] == "*")
                #expect(second.response.headers[.cacheControl] == "no-cache")
                #expect(second.response.headers[.vary] == "Accept-Encoding")
            }
            let other = try await service.send(
                "GET", "/\(name)", headers: [.acceptEncoding: coding, .ifNoneMatch: "\"other\""])
            #expect(other.status == 200)
        }
    }

    @Test("Pages of all origins may import the files, without a key")
    func origins() async throws {
        let origin = try #require(WebOrigin("https://shop.example"))
        var access = AccessConfiguration()
        access.keys = try KeyRing(ofLines: ["k read * never"])
        access.corsOrigins = [origin]
        let service = try await TestService(access: access)
        for from in ["https://shop.example", "https://other.example"] {
            let received = try await service.send(
                "GET", "/client.js", headers: [.origin: from])
            #expect(received.status == 200)
            #expect(received.response.headers.values(of: .accessControlAllowOrigin) == ["*"])
            #expect(received.response.headers.values(of: .vary) == ["Accept-Encoding"])
        }
    }

    @Test("Other names are not found", arguments: ["client.mjs", "client.js/", "%2e"])
    func others(name: String) async throws {
        #expect(try await TestService().send("GET", "/\(name)").status == 404)
    }

    @Test("The version of the client is that of the daemon")
    func version() throws {
        let text = String(decoding: try file("client.js"), as: UTF8.self)
        #expect(text.contains("export const version = \"\(BroadsheetVersion.current)\";\n"))
    }
}
