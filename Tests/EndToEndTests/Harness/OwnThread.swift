import Dispatch
import Testing

/// Runs each test on a thread that belongs to these tests, not on the pool all suites share.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    /// Applies to every test of a suite, not to the suite as a whole.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs the test where it may block.
    static var onOwnThread: OwnThread { OwnThread() }
}

/// Runs what it is given one after another on a serial queue.
private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()
    private let queue = DispatchQueue(label: "end-to-end tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
