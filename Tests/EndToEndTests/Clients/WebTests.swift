import Foundation
import TestSupport
import Testing

extension EndToEndClients {
    /// The web client (docs/web.md) under Node and in Chromium.
    @Suite struct Web {
        /// The files of tests that Node runs.
        static let files = Repository.files(under: "Tests/Web", suffix: ".test.mjs")

        @Test("The core passes its tests under Node", arguments: files)
        func node(file: String) throws {
            let outcome = try Shell.run(
                ["node", "--test", Repository.path(file)],
                environment: ["BROADSHEET_BINARY": Repository.binary], within: .seconds(300))
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }

        @Test(
            "The element and the inspector (docs/inspector.md) in Chromium pass their scenes",
            arguments: ["screens", "inspector"])
        func chromium(program: String) throws {
            let files = Repository.files(under: "Tests/Browsers", suffix: ".py")
                .filter { $0.hasPrefix("Tests/Browsers/\(program)") }
            let scenes = try files.flatMap { file in
                let text = String(decoding: try Repository.contents(file), as: UTF8.self)
                return text.matches(of: /\ndef (\w+)\(scene\):/).map { String($0.1) }
            }
            #expect(scenes.count >= 30)
            let outcome = try Shell.run(
                [
                    "python3", "-B", Repository.path("Tests/Browsers/\(program).py"), "chromium",
                    Repository.binary,
                ], within: .seconds(60 * hangMinutes - 60))
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let passed = outcome.output.matches(of: /(?m)^(\w+): [0-9.]+ s$/).map { String($0.1) }
            #expect(passed.sorted() == scenes.sorted())
        }
    }
}
