import Foundation
import Testing

/// How long a test waits for what ought to happen at once, on the slowest of machines.
let patience = Duration.seconds(30)

/// What a test waited for in vain.
struct Overdue: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` holds, letting others run between two looks.
func eventually(
    _ what: String, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now.advanced(by: patience)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw Overdue(description: what) }
        await Task.yield()
    }
}

/// Runs what blocks on a thread of its own.
///
/// Were it to block one of the few threads that all Swift tasks share, all tests would stop.
func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
