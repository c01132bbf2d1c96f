import Foundation
import Testing

extension EndToEnd {
    @Suite struct ClosedStreams {
        /// Runs `broadsheet` by a shell that redirects, such as `compose - <&-`.
        private func shell(_ words: String) throws -> Shell.Outcome {
            try Shell.run(["/bin/sh", "-c", "exec \"$0\" \(words)", Repository.binary])
        }

        @Test("what would go to a closed standard output is a failure that says so")
        func output() throws {
            let outcome = try shell("version >&-")
            #expect(outcome.status == 1)
            #expect(
                outcome.errors
                    == "broadsheet: cannot write to standard output: Bad file descriptor\n")
        }

        @Test("a closed standard input has nothing to read, and says so")
        func input() throws {
            let outcome = try shell("compose - <&-")
            #expect(outcome.status == 1)
            #expect(outcome.errors == "-: Bad file descriptor\n")
        }

        @Test("a daemon's log never goes into what took the place of a closed standard error")
        func errors() throws {
            let deadline = Deadline.within(.seconds(30))
            let program = try Program([
                "/bin/sh", "-c", "exec \"$0\" serve --port 0 --store memory 2>&- <&-",
                Repository.binary,
            ])
            defer { program.end() }
            _ = try program.output.line(until: deadline) { $0.hasPrefix("listening") }
            for descriptor in [0, 2] {
                let link = "/proc/\(program.processIdentifier)/fd/\(descriptor)"
                let file = try FileManager.default.destinationOfSymbolicLink(atPath: link)
                #expect(file == "/dev/null")
            }
        }
    }
}
