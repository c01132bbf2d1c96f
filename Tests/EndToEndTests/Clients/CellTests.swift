import Foundation
import TestSupport
import Testing

/// The results of Tests/Browsers/laid_out_cells.py.
private struct LaidOutCells: Decodable {
    /// The comparison of the items of one subject.
    struct Report: Decodable {
        let subject: String
        let compared: Int
        /// The items with a text that is too close to another number of lines.
        let fragile: Int
        let differences: [String]
    }

    let version: String
    let reports: [Report]
}

/// The results of Tests/Browsers/drawn_cells.py and drawn_texts.py.
private struct DrawnCells: Decodable {
    let compared: Int
    let differences: [String]
}

extension EndToEndClients {
    /// Contents of cells in a browser.
    @Suite struct Cells {
        @Test("Chromium lays contents out as the oracle and the daemon, by the CSS of the rules")
        func agreement() throws {
            let seed = SeededGenerator.seed(of: "contents in Chromium")
            let results: LaidOutCells = try results(
                of: "laid_out_cells.py",
                ["--daemon", Repository.binary, "--seed", "\(seed)"])
            #expect(
                results.reports.map(\.subject) == [
                    "random by the oracle", "random by the daemon", "cells", "layout/contents",
                ])
            for report in results.reports {
                print(
                    "\(report.subject), \(results.version): \(report.compared) items are compared,",
                    "\(report.fragile) are left out")
                #expect(report.compared > 50 && report.compared > 4 * report.fragile)
                #expect(
                    report.differences.isEmpty,
                    Comment(rawValue: report.differences.prefix(10).joined(separator: "\n")))
            }
        }

        @Test("The script of docs/client.md draws the parts of a tree in Chromium")
        func script() throws {
            let results: DrawnCells = try results(of: "drawn_cells.py", [Repository.binary])
            #expect(results.compared > 100)
            #expect(
                results.differences.isEmpty,
                Comment(rawValue: results.differences.prefix(10).joined(separator: "\n")))
        }

        @Test("T8, B8: the element, the inspector and the script draw each text as it was measured")
        func texts() throws {
            let results: DrawnCells = try results(of: "drawn_texts.py", [Repository.binary])
            #expect(results.compared > 10_000)
            #expect(
                results.differences.isEmpty,
                Comment(rawValue: results.differences.prefix(10).joined(separator: "\n")))
        }

        private func results<Results: Decodable>(
            of script: String, _ options: [String]
        ) throws -> Results {
            let outcome = try Shell.run(
                ["python3", Repository.path("Tests/Browsers/\(script)"), "chromium"] + options,
                within: .seconds(600))
            try #require(outcome.status == 0, "\(outcome.errors)")
            return try JSONDecoder().decode(Results.self, from: Data(outcome.output.utf8))
        }
    }
}
