/// Commands as a person types them.
enum Shell {
    /// What a command printed and how it ended.
    struct Outcome {
        let ending: Program.Ending
        let output: String
        let errors: String

        /// The exit status; nil if a signal ended it.
        var status: Int32? {
            if case .status(let status) = ending { status } else { nil }
        }
    }

    /// Runs a program to its end.
    static func run(
        _ words: [String], environment: [String: String] = [:], input: [UInt8] = [],
        directory: String? = nil, within duration: Duration = .seconds(30)
    ) throws -> Outcome {
        let deadline = Deadline.within(duration)
        let program = try Program(
            words, environment: environment, input: input, directory: directory)
        defer { program.end() }
        let ending = try program.wait(until: deadline)
        return Outcome(
            ending: ending, output: try program.output.all(until: deadline),
            errors: try program.errors.all(until: deadline))
    }

    /// Runs `broadsheet` with these words.
    static func broadsheet(
        _ words: String..., environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> Outcome {
        try run([Repository.binary] + words, environment: environment, input: input)
    }
}
