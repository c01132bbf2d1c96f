import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Operations (docs/api.md, Operations)")
struct OperationTests {
    @Test("The table of operations in docs/api.md has every operation with its request and summary")
    func table() throws {
        let rows = try APIDocument.rows(of: "| operation | request | summary |")
        #expect(
            rows
                == Operation.all.map {
                    ["`\($0.id)`", "`\($0.method) \($0.path)`", $0.summary]
                })
    }

    @Test("Every request that docs/api.md mentions is an operation")
    func mentions() throws {
        let requests = Set(Operation.all.map { "\($0.method) \($0.path)" })
        for match in try APIDocument.text.matches(of: /`(GET|PUT|POST|DELETE) (\/[^`?]*)/) {
            let path = match.2.replacing("{n}", with: "{page}")
            #expect(requests.contains("\(match.1) \(path)"), "\(match.0)")
        }
    }

    @Test("Operations differ in their ids, and in their methods or paths")
    func distinct() {
        #expect(Set(Operation.all.map(\.id)).count == Operation.all.count)
        #expect(
            Set(Operation.all.map { "\($0.method) \($0.path)" }).count == Operation.all.count)
    }

    @Test("A summary is a sentence that begins with a verb in the third person")
    func summaries() {
        for operation in Operation.all {
            #expect(operation.summary.hasSuffix("."))
            #expect(operation.summary.split(separator: " ").first?.hasSuffix("s") == true)
        }
    }
}
