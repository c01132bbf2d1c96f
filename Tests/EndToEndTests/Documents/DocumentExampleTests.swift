import Testing

/// The documents of the repository that readers paste from.
private let documents =
    ["README.md", "CONTRIBUTING.md"].filter { (try? Repository.contents($0)) != nil }
    + Repository.files(under: "docs", suffix: ".md")

extension EndToEnd {
    @Suite struct DocumentExamples {
        @Test("Every console example of a document prints what it shows", arguments: documents)
        func consoleExamples(document: String) throws {
            let text = String(decoding: try Repository.contents(document), as: UTF8.self)
            let examples = try MarkdownFence.all(in: text).filter { $0.info == "console" }
                .flatMap(ConsoleExample.all)
            guard !examples.isEmpty else { return }
            let transcript = try Transcript(
                of: examples.map(\.command), against: try Daemon())
            #expect(
                transcript.outputs.count == examples.count,
                "\(document): the shell ended before the last command")
            for (example, printed) in zip(examples, transcript.outputs) {
                #expect(
                    Pattern.matches(example.output, printed),
                    """
                    \(document):\(example.line): $ \(example.command)
                    shown:
                    \(example.output.joined(separator: "\n"))
                    printed:
                    \(printed.joined(separator: "\n"))
                    """)
            }
        }

        @Test("Every page that a document shows composes", arguments: documents)
        func pages(document: String) throws {
            for fence in try fences(of: document, info: "json page") {
                let outcome = try Shell.broadsheet("compose", "-", input: fence.bytes)
                #expect(outcome.status == 0, "\(document):\(fence.firstLine): \(outcome.errors)")
            }
        }

        @Test("Every catalog that a document shows passes check", arguments: documents)
        func catalogs(document: String) throws {
            for fence in try fences(of: document, info: "json catalog") {
                let outcome = try Shell.broadsheet("check", "-", input: fence.bytes)
                #expect(outcome.status == 0, "\(document):\(fence.firstLine): \(outcome.output)")
            }
        }

        private func fences(of document: String, info: String) throws -> [MarkdownFence] {
            let text = String(decoding: try Repository.contents(document), as: UTF8.self)
            return MarkdownFence.all(in: text).filter { $0.info == info }
        }
    }
}

extension MarkdownFence {
    /// Its lines as a file would hold them.
    fileprivate var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }
}
