/// A group of figures that are measured together.
protocol Benchmark: SendableMetatype {
    /// What it is called on the command line.
    static var name: String { get }

    /// Measures.
    ///
    /// - Throws: Whatever keeps a figure from being taken at all; being slow is no error.
    static func rows(_ surroundings: Surroundings) async throws -> [Row]
}

/// What kept a figure from being taken.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
