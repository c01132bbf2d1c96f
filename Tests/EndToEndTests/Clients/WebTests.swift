import Foundation
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

        /// The names of the scenes.
        static let scenes: [String] = {
            let contents = (try? Repository.contents("Tests/Browsers/screens.py")) ?? []
            let text = String(decoding: contents, as: UTF8.self)
            return text.matches(of: /\ndef (\w+)\(scene\):/).map { String($0.1) }
        }()

        /// The names of the scenes of the inspector (docs/inspector.md).
        static let inspectorScenes: [String] = {
            let files = Repository.files(under: "Tests/Browsers", suffix: ".py")
                .filter { $0.contains("/inspector") }
            return files.flatMap { file in
                let text = String(
                    decoding: (try? Repository.contents(file)) ?? [], as: UTF8.self)
                return text.matches(of: /\ndef (\w+)\(scene\):/).map { String($0.1) }
            }
        }()

        @Test("There are scenes")
        func scenesExist() {
            #expect(Self.scenes.count >= 20)
            #expect(Self.inspectorScenes.count >= 30)
        }

        @Test("The inspector in Chromium passes a scene", arguments: inspectorScenes)
        func inspector(scene: String) throws {
            let outcome = try Shell.run(
                [
                    "python3", "-B", Repository.path("Tests/Browsers/inspector.py"), "chromium",
                    Repository.binary, scene,
                ], within: .seconds(600))
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }

        @Test("A screen in Chromium passes a scene", arguments: scenes)
        func chromium(scene: String) throws {
            let outcome = try Shell.run(
                [
                    "python3", "-B", Repository.path("Tests/Browsers/screens.py"), "chromium",
                    Repository.binary, scene,
                ], within: .seconds(600))
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }
    }
}
