import Dispatch
import Foundation
import TestSupport
import Testing

/// The suite of all tests that run the real binary.
///
/// The tests run one at a time, so that their measurements (memory, time to drain, open
/// descriptors) are independent. They run on a dedicated thread, because their blocking calls would
/// delay the asynchronous tests of other suites on the shared pool. The time limit is long enough
/// for fifty crash rounds on a slow machine; a test that does not end fails at its ``Deadline``
/// first.
@Suite(.serialized, .onDedicatedThread, .timeLimit(.minutes(hangMinutes)))
enum EndToEnd {}

/// The suite of all tests that run browsers and other clients of the real binary.
///
/// They run beside the suite ``EndToEnd``, because they mostly wait and measure nothing.
@Suite(.serialized, .onDedicatedThread, .timeLimit(.minutes(hangMinutes)))
enum EndToEndClients {}

/// The suite of the attacks, and of the tests that kill servers and fill disks.
///
/// They run beside the suite ``EndToEnd``, because they mostly wait.
@Suite(.serialized, .onDedicatedThread, .timeLimit(.minutes(hangMinutes)))
enum EndToEndFailures {}

/// A trait that runs the tests of a suite on a dedicated thread instead of the pool that all suites
/// share.
struct DedicatedThread: TestTrait, SuiteTrait, TestScoping {
    private let executor = BlockingExecutor()
    /// The trait applies to every test of a suite, not to the suite as a whole.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(executor) { try await function() }
    }
}

extension Trait where Self == DedicatedThread {
    /// The trait for tests that make blocking calls.
    static var onDedicatedThread: DedicatedThread { DedicatedThread() }
}

/// A task executor that runs its jobs in order on a serial queue.
private final class BlockingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "end-to-end tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
