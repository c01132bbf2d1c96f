import Broadsheet
import TestSupport

import BroadsheetServer
@testable import BroadsheetCLI

extension FuzzTarget {
    /// Command lines, configuration files and store addresses; words after `--` are operands.
    static let commandLine = FuzzTarget(
        "command-line",
        [
            "--port\n8080\n--host=::1\n--log=text\n-h", "a.json\n-\n--\n--port",
            "--max-body=1\n--x",
            "--store\nsqlite:/tmp/a.db", #"{"port": 80, "log": "json", "max-body": null}"#,
            "redis://:p@h:1/2", "sqlite:", "memory", "--width=1e3\n--scale=2\n--rtl", "--config=a",
        ]
    ) { input, _ in
        let text = input.text
        let words = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for command in Command.all {
            if let arguments = try? Arguments(words, options: command.options) {
                try require(arguments.operands.count <= words.count, "more operands than words")
            }
            let operands = try Arguments(["--"] + words, options: command.options)
            try require(operands.operands == words, "an operand after -- is missing")
        }
        let options = Command.serve.options
        _ = try? ConfigurationFile(input, path: "config.json", options: options)
        for option in options { _ = option.accepts(words.first ?? "") }
        _ = try? StoreAddress(text)
    }
}
