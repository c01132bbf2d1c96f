import Glibc
import TestSupport

/// A parser with well-formed inputs and the properties that hold for any input.
///
/// A case is bytes of any kind and a random number generator, which decides where the bytes are
/// cut, for example. A trap, a wrong result, and too much time or memory are failures.
struct FuzzTarget: Sendable {
    /// A function that checks the properties for an input.
    typealias Check = @Sendable ([UInt8], inout SeededGenerator) throws -> Void

    /// The name, as on the command line.
    let name: String
    /// Well-formed inputs, which the cases are variants of.
    let seeds: [[UInt8]]
    /// Creates the check, with the state that its cases share.
    let makeCheck: @Sendable () throws -> Check

    /// Declares a target whose cases share nothing.
    init(_ name: String, _ seeds: [String], check: @escaping Check) {
        self.init(name, bytes: seeds.map { Array($0.utf8) }) { check }
    }

    /// Declares a target.
    init(
        _ name: String, bytes seeds: [[UInt8]], makeCheck: @escaping @Sendable () throws -> Check
    ) {
        self.name = name
        self.seeds = seeds
        self.makeCheck = makeCheck
    }

    /// All targets.
    static let all: [FuzzTarget] =
        [
            .json, .jsonPointer, .page, .catalog, .content, .condition, .schema, .pattern, .patch,
            .update,
        ]
        + [.tree, .cells, .eventStream, .events]
        + [.httpRequest, .chunkedBody, .query, .host, .origin, .entityTags, .preferences, .codings]
        + [.keys, .pageToken, .resp, .redisValues, .records, .sqliteRows, .writeAheadLog]
        + [.commandLine, .font]

    /// Returns random numbers that depend on an input alone, so that the input repeats its case.
    static func random(for input: [UInt8]) -> SeededGenerator {
        SeededGenerator(seed: input.reduce(5381) { $0 &* 33 ^ UInt64($1) })
    }
}

/// A property that does not hold.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a failure with `description` unless `condition` is true.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    guard condition else { throw FuzzFailure(description()) }
}

/// Returns the content of a file.
func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw FuzzFailure("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&chunk, 1, chunk.count, file)
        guard count > 0 else { return bytes }
        bytes += chunk[..<count]
    }
}

/// Prints a line to standard error.
func printError(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}
