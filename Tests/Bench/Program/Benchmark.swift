import Foundation

/// A group of figures that are measured together.
struct Benchmark: Sendable {
    /// The name of the group on the command line.
    let name: String
    /// Measures the figures and returns the rows of the table.
    ///
    /// Throws when a figure cannot be measured; a missed target is not an error.
    let measure: @Sendable (BenchmarkContext) async throws -> [ResultRow]

    /// Every benchmark, in the order of the table.
    static let all = [
        Benchmark(name: "json", measure: JSONBenchmark.rows),
        Benchmark(name: "compose", measure: ComposeBenchmark.rows),
        Benchmark(name: "schemas", measure: SchemaBenchmark.rows),
        Benchmark(name: "generate", measure: GenerateBenchmark.rows),
        Benchmark(name: "layout", measure: LayoutBenchmark.rows),
        Benchmark(name: "text", measure: TextBenchmark.rows),
        Benchmark(name: "text-layout", measure: TextLayoutBenchmark.rows),
        Benchmark(name: "contents", measure: ContentBenchmark.rows),
        Benchmark(name: "visibility", measure: VisibilityBenchmark.rows),
        Benchmark(name: "changes", measure: ChangesBenchmark.rows),
        Benchmark(name: "edits", measure: EditsBenchmark.rows),
        Benchmark(name: "events", measure: EventsBenchmark.rows),
        Benchmark(name: "http", measure: ComposedLayoutBenchmark.rows),
        Benchmark(name: "get", measure: StoredLayoutBenchmark.rows),
        Benchmark(name: "keys", measure: KeyBenchmark.rows),
        Benchmark(name: "tokens", measure: TokenBenchmark.rows),
        Benchmark(name: "blocks", measure: RepeatedResponseBenchmark.rows),
        Benchmark(name: "fair", measure: FairnessBenchmark.rows),
        Benchmark(name: "windows", measure: WindowBenchmark.rows),
        Benchmark(name: "streams", measure: StreamsBenchmark.rows),
        Benchmark(name: "put", measure: DurablePutBenchmark.rows),
        Benchmark(name: "postgres", measure: PostgresBenchmark.rows),
        Benchmark(name: "large", measure: LargeScreenBenchmark.rows),
        Benchmark(name: "start", measure: StartBenchmark.rows),
        Benchmark(name: "memory", measure: MemoryBenchmark.rows),
        Benchmark(name: "web", measure: WebBenchmark.rows),
    ]
}

/// The reason that a figure could not be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The locations of the programs and files that benchmarks need.
struct BenchmarkContext: Sendable {
    /// The repository's root folder.
    private let root = URL(filePath: "../../..", relativeTo: URL(filePath: #filePath))
        .standardizedFileURL

    /// The folder of this program and of every other product of the build.
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// The path of the daemon to measure: the build beside this program.
    var daemon: String { products.appending(path: "broadsheet").path }

    /// Returns the path of a file in `Tests/Bench`.
    func script(_ name: String) -> String { root.appending(path: "Tests/Bench/\(name)").path }

    /// Returns the location of a file in `Fixtures`.
    func fixture(_ name: String) -> URL { root.appending(path: "Fixtures/\(name)") }

    /// Returns the bytes of a storefront page; one of 400 products has about 85 kB.
    ///
    /// - Parameters:
    ///   - products: The number of products in the page.
    ///   - number: The page's number; every number has its own products.
    func page(
        products: Int = 400, number: Int = 0, version: Int = 0
    ) throws -> [UInt8] {
        let numbers = [products, number, version].map(String.init)
        return try ChildProcess.output(of: ["python3", script("storefront_page.py")] + numbers)
    }
}

/// Prints a line to standard error, apart from the table.
func printProgress(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}
