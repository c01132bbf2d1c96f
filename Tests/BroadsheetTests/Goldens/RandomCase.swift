import Foundation

/// A random catalog with pages and a query, and the tree that the oracle makes of them
/// (`Tests/Oracle/random_cases.py`).
struct RandomCase: Decodable {
    let catalog: String
    let pages: [String]
    let query: [String: String]
    let tree: String
    let windows: [Window]

    /// A rectangle of the content (x, y, width, height), and what it shows (V1-V3).
    struct Window: Decodable {
        let rect: [Double]
        let shows: [String]
    }

    /// `count` cases of `seed`; the same seed gives the same cases.
    static func generate(seed: Int, count: Int) throws -> [RandomCase] {
        let outcome = try OracleProcess.run(
            ["random_cases.py", "--seed", "\(seed)", "--count", "\(count)"])
        guard outcome.status == 0 else { throw OracleFailed(reason: outcome.errors) }
        return try outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(RandomCase.self, from: line)
        }
    }
}

/// The oracle could not make its cases.
struct OracleFailed: Error {
    let reason: String
}
