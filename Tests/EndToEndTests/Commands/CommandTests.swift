import Foundation
import RegexBuilder
import Testing

extension EndToEnd {
    @Suite struct Version {
        @Test("`version` prints one line, with status 0")
        func version() throws {
            let outcome = try Shell.broadsheet("version")
            #expect(outcome.status == 0)
            let libraries = /HarfBuzz [\d.]+, ICU [\d.]+, libcurl [\d.]+/
            let line = Regex {
                /broadsheet \d+\.\d+\.\d+ \(/; libraries; ")\n"
            }
            #expect(outcome.output.wholeMatch(of: line) != nil)
            #expect(outcome.errors == "")
        }
    }
}

extension EndToEnd {
    @Suite struct ClosedStreams {
        /// Runs `broadsheet` in a shell with redirections, for example `compose - <&-`.
        private func shell(_ words: String) throws -> Shell.Outcome {
            try Shell.run(["/bin/sh", "-c", "exec \"$0\" \(words)", Repository.binary])
        }

        @Test("Output to a closed standard output is a failure with a message")
        func output() throws {
            let outcome = try shell("version >&-")
            #expect(outcome.status == 1)
            #expect(
                outcome.errors
                    == "broadsheet: cannot write to standard output: Bad file descriptor\n")
        }

        @Test("Input from a closed standard input is a failure with a message")
        func input() throws {
            let outcome = try shell("compose - <&-")
            #expect(outcome.status == 1)
            #expect(outcome.errors == "-: Bad file descriptor\n")
        }

        @Test("With a closed standard error the log does not go to another file of its descriptor")
        func errors() throws {
            let program = try Program([
                "/bin/sh", "-c", "exec \"$0\" serve --port 0 --store memory 2>&- <&-",
                Repository.binary,
            ])
            defer { program.end() }
            _ = try program.output.line { $0.hasPrefix("listening") }
            for descriptor in [0, 2] {
                let link = "/proc/\(program.processIdentifier)/fd/\(descriptor)"
                let file = try FileManager.default.destinationOfSymbolicLink(atPath: link)
                #expect(file == "/dev/null")
            }
        }
    }
}
