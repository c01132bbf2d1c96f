import Broadsheet
import Foundation
import Testing

/// An invalid or unusual page with its expected outcome (`Fixtures/hostile`).
struct HostilePage: Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable, Equatable {
        struct Line: Decodable, Sendable, Equatable {
            let code, pointer: String
        }
        let status: Int
        var code: String?
        var offset: Int?
        var errors: [String]?
        var diagnostics: [Line]?
        var ids: [String]?
    }

    let name: String

    var testDescription: String { name }

    func bytes() throws -> [UInt8] { try Fixtures.bytes("hostile/\(name).json") }

    func expectation() throws -> Expectation {
        let bytes = try Fixtures.bytes("hostile/\(name).expected.json")
        return try JSONDecoder().decode(Expectation.self, from: Data(bytes))
    }

    static let all: [HostilePage] = {
        let folder = Fixtures.folder.appending(path: "hostile").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json") }
            .sorted().map { HostilePage(name: String($0.dropLast(5))) }
    }()
}

@Suite("Hostile pages")
struct HostilePageTests {
    @Test(
        "Every hostile page has the outcome of its .expected.json file", arguments: HostilePage.all)
    func outcome(page: HostilePage) throws {
        var expected = try page.expectation()
        expected.errors?.sort()
        #expect(try Self.outcome(of: page.bytes()) == expected)
    }

    @Test("There are hostile pages")
    func some() {
        #expect(HostilePage.all.count > 30)
    }

    private struct Tree: Decodable {
        struct Section: Decodable {
            struct Item: Decodable { let id: String }
            let items: [Item]
        }
        let sections: [Section]
        let diagnostics: [HostilePage.Expectation.Line]
    }

    private static func outcome(of bytes: [UInt8]) throws -> HostilePage.Expectation {
        do {
            let bytes = try Engine.tree(
                catalog: Catalog.storefrontBytes, pages: [bytes], query: [:])
            let tree = try JSONDecoder().decode(Tree.self, from: Data(bytes))
            return HostilePage.Expectation(
                status: 200, diagnostics: tree.diagnostics,
                ids: tree.sections.flatMap { $0.items.map(\.id) })
        } catch ComposeError.invalidJSON(let error, page: _) {
            return HostilePage.Expectation(
                status: 400, code: "INVALID_JSON", offset: error.offset)
        } catch ComposeError.invalidContract(let error, page: _) {
            return HostilePage.Expectation(
                status: 422, code: "INVALID_CONTRACT",
                errors: error.violations.map(\.pointer).sorted())
        }
    }
}
