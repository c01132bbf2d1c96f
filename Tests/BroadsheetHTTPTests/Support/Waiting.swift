import Foundation
import Synchronization
import Testing

/// The time for which a test waits for an event that should be immediate, on a slow machine.
let waitTimeout = Duration.seconds(120)

/// The event that a test waited for without success.
struct Overdue: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` is true, and lets other tasks run between two checks.
func eventually(
    _ what: String, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now.advanced(by: waitTimeout)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw Overdue(description: what) }
        await Task.yield()
    }
}

/// Runs blocking code on a separate thread.
///
/// On one of the few threads that all Swift tasks share it would stop all tests.
func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// A Boolean value that any thread may read and change.
final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool {
        get { raised.load(ordering: .sequentiallyConsistent) }
        set { raised.store(newValue, ordering: .sequentiallyConsistent) }
    }
}
