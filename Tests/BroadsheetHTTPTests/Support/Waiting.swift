import Foundation
import Synchronization
import TestSupport
import Testing

/// The event that a test waited for without success.
struct Overdue: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` is true, and lets other tasks run between two checks.
func eventually(
    _ what: String, _ condition: () async throws -> Bool
) async throws {
    guard try await eventually(condition) else { throw Overdue(description: what) }
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
