import Foundation
import Testing

extension EndToEnd {
    @Suite struct MetricsDocument {
        private let text: String
        private let monitoring: String

        init() throws {
            let folder = try ScratchFolder()
            let daemon = try TestDaemon([
                "--store", "sqlite:\(folder.path)/screens.db", "--origin", "http://127.0.0.1:1/",
            ])
            text = try daemon.request("GET", "/metrics").text
            let document = String(
                decoding: try Repository.contents("docs/operations.md"), as: UTF8.self)
            let section = document.components(separatedBy: "\n## ").first {
                $0.hasPrefix("Monitoring\n")
            }
            monitoring = try #require(section)
        }

        @Test("Every family of `/metrics` is in the operator's document, with its type and meaning")
        func families() throws {
            let families = text.matches(of: /# HELP (\w+) (.*)\n# TYPE \w+ (\w+)\n/).map {
                "| `\($0.output.1)` | \($0.output.3) | \($0.output.2) |"
            }
            let table = monitoring.components(separatedBy: "\n### ").first {
                $0.hasPrefix("All metrics\n")
            }
            let rows = try #require(table).split(separator: "\n").filter {
                $0.hasPrefix("| `")
            }.map(String.init)
            #expect(families.count > 50 && families == rows)
        }

        @Test("An alert names families, labels and values of labels that exist from the start")
        func alerts() throws {
            let rows = monitoring.components(separatedBy: "\n### ")[0]
                .matches(of: /(broadsheet_\w+)(?:\{(\w+)(=~|=|!~)"([^"]+)"\})?/)
            #expect(rows.count > 15)
            for row in rows {
                let (name, label, pattern) = (row.output.1, row.output.2, row.output.4)
                let samples = text.split(separator: "\n").filter {
                    $0.hasPrefix(name + "{") || $0.hasPrefix(name + " ")
                }
                #expect(!samples.isEmpty, "\(name)")
                guard let label, let pattern else { continue }
                for value in pattern.split(separator: "|") {
                    let expected = try Regex("\(label)=\"\(value)\"")
                    #expect(samples.contains { $0.contains(expected) }, "\(row.output.0)")
                }
            }
        }
    }
}
