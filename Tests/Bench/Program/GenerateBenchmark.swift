import Foundation

/// `broadsheet generate` for a catalog of 10,000 subschemas, with the start of the program.
enum GenerateBenchmark {
    /// The cell types, each with ten subschemas and types of its own.
    private static let cellTypes = 1_000
    private static let limit = 2.0

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let catalog = try folder.add("catalog.json", Array(catalog.utf8))
        return try ["swift", "kotlin", "typescript"].map { language in
            let seconds = try (0..<5).map { _ in
                let start = ContinuousClock.now
                _ = try ChildProcess.output(
                    of: [context.daemon, "generate", language, "--name", "Shop", catalog])
                return start.secondsToNow
            }.median
            return ResultRow(
                name: "generate \(language) of 10,000 subschemas",
                figure: "\(seconds.formatted()) s",
                target: Target(figure: seconds, .below(limit), unit: "s"))
        }
    }

    private static var catalog: String {
        let texts = (0..<7).map { #""m\#($0)": {"type": "string"}"# }.joined(separator: ",")
        let types = (0..<cellTypes).map { number in
            """
            "T\(number)": {"schema": {"required": ["m0"], "properties": {
              \(texts), "o": {"properties": {"x\(number)": {"type": "integer"}}}}}}
            """
        }
        return #"{"cellTypes": {\#(types.joined(separator: ","))}}"#
    }
}
