import Foundation
import Testing

/// A recorded tree, with its pages, catalog and parameters.
struct GoldenCase: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let pages: [String]
    let catalog: String
    let query: String
    let tree: String

    var testDescription: String { name }

    /// Returns the cases of a fixture folder.
    static func all(of fixture: String) -> [GoldenCase] {
        let bytes = (try? Repository.contents("Fixtures/\(fixture)/cases.json")) ?? []
        return (try? JSONDecoder().decode([GoldenCase].self, from: Data(bytes))) ?? []
    }
}

/// The cases, each with the name of its fixture.
private let cases = ["storefront", "appcenter"].flatMap { fixture in
    GoldenCase.all(of: fixture).map { (fixture, $0) }
}

extension EndToEnd {
    @Suite struct GoldenTrees {
        @Test("The fixtures have cases")
        func caseCount() {
            #expect(cases.count >= 20)
        }

        @Test("`compose` prints the recorded tree, byte for byte", arguments: cases)
        func compose(fixture: String, golden: GoldenCase) throws {
            let folder = "Fixtures/\(fixture)/"
            let flags = golden.query.split(separator: "&").map { "--\($0)" }
            let outcome = try Shell.run(
                [Repository.binary, "compose", "--catalog", folder + golden.catalog] + flags
                    + golden.pages.map { folder + $0 },
                directory: Repository.folder)
            #expect(outcome.status == 0 && outcome.errors == "")
            #expect(try outcome.output == recorded(folder + golden.tree) + "\n")
        }

        @Test("POST /v1/layout returns the recorded tree, byte for byte")
        func overHTTP() throws {
            let daemon = try TestDaemon()
            for (fixture, golden) in cases {
                let folder = "Fixtures/\(fixture)/"
                let pages = try golden.pages.map { try text(folder + $0) }.joined(separator: ",")
                let catalog = try text(folder + golden.catalog)
                let response = try daemon.request(
                    "POST", "/v1/layout?\(golden.query)",
                    body: Array("{\"pages\": [\(pages)], \"catalog\": \(catalog)}".utf8))
                #expect(response.status == 200, "\(fixture): \(golden.name): \(response.text)")
                #expect(try response.text == recorded(folder + golden.tree), "\(golden.name)")
            }
        }

        private func text(_ path: String) throws -> String {
            String(decoding: try Repository.contents(path), as: UTF8.self)
        }

        /// Returns a recorded tree without the newline at the end of its file.
        private func recorded(_ path: String) throws -> String {
            let text = try text(path)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }
}
