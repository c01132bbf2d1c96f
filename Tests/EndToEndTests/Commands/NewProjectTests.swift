import Foundation
import TestSupport
import Testing

/// The results of Tests/Browsers/new_project.py.
private struct ProjectResults: Decodable {
    /// The page of the project at one width of the window.
    struct Page: Decodable {
        let titles: [String]
        /// Whether the first product is liked, before and after a click.
        let like: [String]
        /// The text of a placement for a flag.
        let terms: String
    }

    let pages: [Page]
    /// The time of the README's commands and pages.
    let seconds: Double
    /// The exit statuses of the steps of CI, as created and after a change that breaks apps.
    let ci: [[String: Int]]
}

extension EndToEnd {
    @Suite struct NewProjects {
        @Test("The README of init shows both pages in Chromium, and its CI passes")
        func newProject() throws {
            let outcome = try Shell.run(
                [
                    "python3", "-B", Repository.path("Tests/Browsers/new_project.py"), "chromium",
                    Repository.binary, "\(FreePort.any())", "\(FreePort.any())",
                ], within: .seconds(600))
            try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let results = try JSONDecoder().decode(
                ProjectResults.self, from: Data(outcome.output.utf8))
            #expect(results.pages.map(\.titles.count) == [9, 9])
            #expect(results.pages.map(\.like) == [["false", "true"], ["true", "false"]])
            #expect(results.pages.allSatisfy { !$0.terms.isEmpty })
            print("the README of init: \(results.seconds) s")
            #expect(results.ci.map { $0.values.sorted() } == [[0, 0, 0], [0, 1, 1]])
        }
    }
}
