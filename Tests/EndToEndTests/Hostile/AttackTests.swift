import Foundation
import TestSupport
import Testing

extension EndToEndFailures {
    /// The loads of `make attack`.
    @Suite struct Attacks {
        /// A Boolean value that indicates whether the binary under test is the release build.
        private static let isRelease =
            ProcessInfo.processInfo.environment["BROADSHEET_BINARY"]?.isEmpty == false

        @Test(
            "Under each load of make attack, and all at once, the daemon stays alive in its memory",
            .enabled(if: isRelease, "BROADSHEET_BINARY names no release build"))
        func bounded() throws {
            let attack = try Shell.run(
                [
                    "python3", Repository.path("Tests/Attack/attack.py"), Repository.binary,
                    "--bounded",
                ], within: .seconds(60 * hangMinutes - 60))
            #expect(attack.status == 0, "\(attack.output)\(attack.errors)")
        }

        @Test("The operator's document lists every load, in order")
        func documented() throws {
            // Those of loads.py come first, then those of the other files in their order.
            let files = try FileManager.default
                .contentsOfDirectory(atPath: Repository.path("Tests/Attack"))
                .filter { $0.hasSuffix("_loads.py") }.sorted()
            let sources = try (["loads.py"] + files).map { file in
                String(decoding: try Repository.contents("Tests/Attack/\(file)"), as: UTF8.self)
            }
            let names = sources.joined().matches(of: /\n@load\ndef (\w+)/).map {
                String($0.output.1).replacing("_", with: "-")
            }
            let text = String(
                decoding: try Repository.contents("docs/operations.md"), as: UTF8.self)
            let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Attacks\n") }
            let rows = try #require(section).matches(of: /\n\| `([a-z-]+)` \|/).map {
                String($0.output.1)
            }
            #expect(!names.isEmpty && rows == names)
        }
    }
}
