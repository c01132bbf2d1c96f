import Foundation

/// A random catalog with pages and a query, and the oracle's tree for them
/// (`Tests/Oracle/random_cases.py`).
struct RandomCase: Decodable {
    let catalog: String
    let pages: [String]
    let query: [String: String]
    let tree: String
    let windows: [Window]

    /// A rectangle of the content (x, y, width, height) with the elements in it (V1-V3).
    struct Window: Decodable {
        let rect: [Double]
        let shows: [String]
    }

    /// Returns the random cases of a seed; the same seed gives the same cases.
    static func generate(seed: Int, count: Int) throws -> [RandomCase] {
        let outcome = try OracleProcess.run(
            ["random_cases.py", "--seed", "\(seed)", "--count", "\(count)"])
        guard outcome.status == 0 else { throw OracleFailed(reason: outcome.errors) }
        return try outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(RandomCase.self, from: line)
        }
    }
}
