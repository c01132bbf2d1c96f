import Testing

/// The documents whose examples are tested.
private let documents =
    ["README.md", "CONTRIBUTING.md"].filter { (try? Repository.contents($0)) != nil }
    + Repository.files(under: "docs", suffix: ".md")

extension EndToEnd {
    @Suite struct DocumentExamples {
        @Test("Every console example in a document prints the output shown", arguments: documents)
        func consoleExamples(document: String) throws {
            let text = String(decoding: try Repository.contents(document), as: UTF8.self)
            let examples = try MarkdownFence.all(in: text).filter { $0.info == "console" }
                .flatMap(ConsoleExample.all)
            guard !examples.isEmpty else { return }
            let session = try ConsoleSession(
                of: examples.map(\.command), against: try TestDaemon())
            #expect(
                session.outputs.count == examples.count,
                "\(document): the shell ended before the last command")
            for (example, printed) in zip(examples, session.outputs) {
                #expect(
                    OutputPattern.matches(example.output, printed),
                    """
                    \(document):\(example.line): $ \(example.command)
                    shown:
                    \(example.output.joined(separator: "\n"))
                    printed:
                    \(printed.joined(separator: "\n"))
                    """)
            }
        }

        @Test("Every page in a document can be composed", arguments: documents)
        func pages(document: String) throws {
            for fence in try fences(of: document, info: "json page") {
                let outcome = try Shell.broadsheet("compose", "-", input: fence.bytes)
                #expect(outcome.status == 0, "\(document):\(fence.firstLine): \(outcome.errors)")
            }
        }

        @Test("Every catalog in a document passes check", arguments: documents)
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
    /// The lines, each with a newline, as in a file.
    fileprivate var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }
}

extension EndToEnd {
    @Suite struct Pictures {
        @Test("The documents' pictures are equal to those that the command draws")
        func upToDate() throws {
            let outcome = try Shell.run(
                ["bash", Repository.path("docs/pictures/draw"), "--check"],
                environment: ["BROADSHEET_BINARY": Repository.binary])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }
    }
}
