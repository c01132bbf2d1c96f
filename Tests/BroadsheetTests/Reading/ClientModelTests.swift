import Broadsheet
import Foundation
import TestSupport
import Testing

@Suite("Clients and conditions, and a second model of them (docs/clients.md)")
struct ClientModelTests {
    @Test(
        "Engine and model agree on who gets what of random pages",
        arguments: DifferentialTests.seeds)
    func agree(seed: Int) throws {
        for (index, random) in try RandomAudience.generate(seed: seed, count: 60).enumerated() {
            let composer = Composer(registry: try Catalog(Array(random.catalog.utf8)).registry)
            let pages = random.pages.map { Array($0.utf8) }
            for request in random.requests {
                let model = try model(of: pages, by: composer)
                let screen = composer.screen(of: model, request.parameters)
                let frames = composer.frames(of: screen, request.parameters)
                let tree = composer.tree(of: screen, frames, request.parameters)
                let found = try JSONDecoder().decode(FoundTree.self, from: Data(tree))
                let context = Comment(
                    rawValue: "BROADSHEET_SEED=\(seed), case \(index): \(request.query)\n"
                        + "\(random.catalog)\n\(random.pages)")
                #expect(found.expected == request.sections, context)
                #expect(
                    found.pageDiagnostics
                        == request.diagnostics.sorted().withoutRepeatedViolations, context)
                #expect(
                    screen.missingSections.map { page, section in
                        FoundDiagnostic(
                            code: "", page: page.number, pointer: section.pointer(page.names))
                    } == request.missingSections, context)
                #expect(
                    screen.missingSections.contains { $0.section.isClientTooOld }
                        == (request.problem == "NOT_SUPPORTED"), context)
            }
        }
    }

    @Test(
        "Clients with equal outcomes get the same tree, and the variants of a page are shared",
        arguments: DifferentialTests.seeds)
    func outcomes(seed: Int) throws {
        for random in try RandomAudience.generate(seed: seed, count: 30) {
            let registry = try Catalog(Array(random.catalog.utf8)).registry
            let composer = Composer(registry: registry)
            let model = try model(of: random.pages.map { Array($0.utf8) }, by: composer)
            var trees: [Outcome: [UInt8]] = [:]
            for request in random.requests {
                var parameters = request.parameters
                let outcome = model.outcome(upTo: model.highestPage, for: parameters)
                let screen = composer.screen(of: model, parameters)
                parameters.viewport.size.width = 390
                let tree = composer.tree(
                    of: screen, composer.frames(of: screen, parameters), parameters)
                let known = trees[outcome] ?? tree
                #expect(known == tree, "BROADSHEET_SEED=\(seed)")
                trees[outcome] = tree
            }
        }
    }
}

/// Returns the screen of pages.
private func model(of pages: [[UInt8]], by composer: Composer) throws -> PaginatedViewModel {
    try composer.viewModel(
        of: pages.enumerated().map { index, page in
            try composer.page(in: composer.document(of: page), at: index)
        })
}

/// A random catalog with pages, and what several clients get of them
/// (`Tests/Oracle/random_clients.py`).
private struct RandomAudience: Decodable {
    let catalog: String
    let pages: [String]
    let requests: [Request]

    struct Request: Decodable {
        let client: String?
        let flags: [String]
        let width: Double
        let sections: [FoundSection]
        let diagnostics: [FoundDiagnostic]
        let problem: String?
        let missing: [MissingPlace]

        var missingSections: [FoundDiagnostic] {
            missing.map { FoundDiagnostic(code: "", page: $0.page, pointer: $0.pointer) }
        }

        var query: String { "client=\(client ?? "") flags=\(flags) width=\(width)" }

        var parameters: LayoutParameters {
            var parameters = LayoutParameters()
            parameters.client = client.flatMap(Client.init)
            parameters.flags = IdentifierList(flags)
            parameters.viewport.size.width = width
            return parameters
        }
    }

    static func generate(seed: Int, count: Int) throws -> [Self] {
        try OracleProcess.cases(of: "random_clients.py", seed: seed, count: count)
    }
}

/// The sections of a tree, without their layout.
private struct FoundSection: Decodable, Equatable {
    let id: String?
    let header: String?
    let items: [[String]]
    let footer: String?
}

/// The page of an essential section that is missing, and its pointer.
private struct MissingPlace: Decodable {
    let page: Int
    let pointer: String

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        page = try values.decode(Int.self)
        pointer = try values.decode(String.self)
    }
}

/// A diagnostic's code, page and pointer.
private struct FoundDiagnostic: Decodable, Comparable {
    let code: String
    let page: Int
    let pointer: String

    init(code: String, page: Int, pointer: String) {
        (self.code, self.page, self.pointer) = (code, page, pointer)
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        code = try values.decode(String.self)
        page = try values.decode(Int.self)
        pointer = try values.decode(String.self)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.page, left.pointer, left.code) < (right.page, right.pointer, right.code)
    }
}

/// A tree as far as the model says what it has.
private struct FoundTree: Decodable {
    struct Section: Decodable {
        struct Element: Decodable {
            let id: String?
            let type: String
        }
        let id: String?
        let header: Element?
        let items: [Element]
        let footer: Element?
    }
    struct Loss: Decodable {
        let code: String
        let page: Int?
        let pointer: String
    }
    let sections: [Section]
    let diagnostics: [Loss]

    var expected: [FoundSection] {
        sections.map { section in
            FoundSection(
                id: section.id, header: section.header?.type,
                items: section.items.map { [$0.id ?? "", $0.type] }, footer: section.footer?.type)
        }
    }

    /// The diagnostics that the model knows, which layouts do not have.
    var pageDiagnostics: [FoundDiagnostic] {
        let known = [
            "UNKNOWN_UNIT_TYPE", "NO_PLACEMENT", "MISSING_DATA", "NOT_AN_ARRAY", "REPLACED",
            "NO_CELL_TYPE", "SCHEMA_VIOLATION", "CELL_TYPE_TOO_NEW", "FALLBACK_USED",
            "ESSENTIAL_UNIT_MISSING",
        ]
        return diagnostics.filter { known.contains($0.code) }
            .map { FoundDiagnostic(code: $0.code, page: $0.page ?? -1, pointer: $0.pointer) }
            .sorted().withoutRepeatedViolations
    }
}

extension [FoundDiagnostic] {
    /// The diagnostics with one violation of a schema for each value: how many keywords of a schema
    /// a value violates is not part of the model.
    fileprivate var withoutRepeatedViolations: Self {
        indices.filter { index in
            self[index].code != "SCHEMA_VIOLATION" || index == 0 || self[index] != self[index - 1]
        }.map { self[$0] }
    }
}
