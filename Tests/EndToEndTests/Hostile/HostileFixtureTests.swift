import Foundation
import Testing

/// The expected response to a page of `Fixtures/hostile`.
private struct Expectation: Decodable {
    struct Diagnostic: Decodable, Equatable {
        let code: String
        let pointer: String
    }

    let status: Int
    let code: String?
    let offset: Int?
    let errors: [String]?
    let diagnostics: [Diagnostic]?
    let ids: [String]?
}

private let pages = Repository.files(under: "Fixtures/hostile", suffix: ".json")
    .filter { !$0.hasSuffix(".expected.json") }

extension EndToEnd {
    @Suite struct HostilePages {
        @Test("Every hostile page has the expected problem or diagnostics")
        func fixtures() throws {
            #expect(pages.count >= 20)
            let daemon = try TestDaemon()
            for page in pages {
                let body = try Repository.contents(page)
                let response = try daemon.request("POST", "/v1/layout", body: body)
                let file = page.dropLast(".json".count) + ".expected.json"
                let expected = try JSONDecoder().decode(
                    Expectation.self, from: Data(try Repository.contents(String(file))))
                #expect(response.status == expected.status, "\(page): \(response.text.prefix(500))")
                if response.status == 200 {
                    try compare(try response.tree(), with: expected, page)
                } else {
                    let problem = try response.problem()
                    #expect(problem.code == expected.code, "\(page)")
                    #expect(problem.offset == expected.offset, "\(page)")
                    #expect(problem.errors?.map(\.pointer) == expected.errors, "\(page)")
                }
            }
            #expect(try daemon.stop() == .status(0))
        }

        private func compare(_ tree: Tree, with expected: Expectation, _ page: String) throws {
            let diagnostics = tree.diagnostics.map {
                Expectation.Diagnostic(code: $0.code, pointer: $0.pointer)
            }
            if let wanted = expected.diagnostics { #expect(diagnostics == wanted, "\(page)") }
            if let ids = expected.ids {
                #expect(tree.sections.flatMap(\.items).map(\.id) == ids, "\(page)")
            }
        }

        @Test("100,000 nested arrays are rejected at depth 129 by the daemon and the commands")
        func deepNesting() throws {
            let deep = Array(String(repeating: "[", count: 100_000).utf8)
            let response = try TestDaemon().request("POST", "/v1/layout", body: deep)
            #expect(try response.problem().offset == 128)
            let composed = try Shell.broadsheet("compose", "-", input: deep)
            #expect(composed.status == 1 && composed.errors.hasPrefix("-:1:129 "))
            #expect(try Shell.broadsheet("check", "-", input: deep).status == 1)
        }

        @Test("A page of a million unknown units is laid out, with the diagnostics truncated")
        func millionUnits() throws {
            let units = (0..<1_000_000).map { _ in #"{"unitType":"X"}"# }.joined(separator: ",")
            let body = Array(#"{"sections":[[\#(units)]]}"#.utf8)
            let daemon = try TestDaemon(["--max-body", "\(body.count)"])
            let response = try daemon.request("POST", "/v1/layout", body: body)
            #expect(response.status == 200)
            let diagnostics = try response.tree().diagnostics
            #expect(diagnostics.count == 1_001)
            #expect(diagnostics.last?.code == "DIAGNOSTICS_TRUNCATED")
        }
    }
}
