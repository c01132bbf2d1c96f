import CEpoll
import Dispatch
import Glibc

/// A thread that returns free memory of the allocator to the system.
///
/// The allocator keeps freed blocks in its heaps, between others that are in use: after a load of
/// many sizes that is more memory than the process may have beside its budget. It is returned when
/// it becomes too much, and not after each request, since the allocator is locked meanwhile.
package final class MemoryTrimmer: Sendable {
    /// The size of the process beside the reserved memory above which free memory is returned, in
    /// bytes: 80 MiB, of the 128 MiB that it may have.
    package static let maxUnreservedBytes = 80 << 20
    /// The size of the process above the limit of its budget from which free memory is returned at
    /// every check, in bytes: 64 MiB, half of what it may have above the limit.
    static let maxExcess = 64 << 20
    /// The number of checks that are left out after a trim, which may have found nothing.
    static let pause = 4

    private static let interval = DispatchTimeInterval.milliseconds(500)

    private let stopped = DispatchSemaphore(value: 0)
    private let thread: WorkerThread

    /// Starts the thread; throws when the system's limit of threads is reached.
    package init(_ budget: MemoryBudget) throws(IOError) {
        thread = try WorkerThread("memory") { [stopped] in
            var checks = MemoryChecks()
            while stopped.wait(timeout: .now() + Self.interval) == .timedOut {
                let resident = SystemMemory.residentBytes()
                let isDue = checks.isTrimDue(
                    resident: resident, reserved: budget.statistics.total, limit: budget.limit)
                if isDue { _ = malloc_trim(0) }
            }
        }
    }

    package func shutdown() {
        stopped.signal()
        thread.join()
    }
}

/// The checks of whether the allocator keeps too much.
struct MemoryChecks {
    private var checksToSkip = 0

    /// Returns whether free memory is to be returned now; all sizes are in bytes.
    mutating func isTrimDue(resident: Int, reserved: Int, limit: Int) -> Bool {
        checksToSkip = max(0, checksToSkip - 1)
        let isNearBound = resident - limit > MemoryTrimmer.maxExcess
        let isDue = checksToSkip == 0 && resident - reserved > MemoryTrimmer.maxUnreservedBytes
        guard isNearBound || isDue else { return false }
        checksToSkip = MemoryTrimmer.pause
        return true
    }
}
