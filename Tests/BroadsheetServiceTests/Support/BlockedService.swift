import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Dispatch
import StoreTestSupport
import TestSupport

@testable import BroadsheetService

/// A service on one event loop and one worker thread, which is blocked until ``release()``.
final class BlockedService: Sendable {
    let service: TestService
    let loop: EventLoop
    let pool: WorkerPool
    private let group: EventLoopGroup
    private let gate = DispatchSemaphore(value: 0)
    private let blocker: Task<Void, Never>

    init(
        store: ScreenStore = ScreenStore.inMemory(),
        limits: WorkerPool.Limits = WorkerPool.Limits(),
        isBlocked: Bool = true
    ) async throws {
        let pool = try WorkerPool(threads: 1, limits: limits)
        let gate = gate
        self.pool = pool
        group = try EventLoopGroup(count: 1)
        loop = group.loops[0]
        service = try await TestService(store: store, workers: pool)
        let blocking = Recorder<Void>()
        blocker = Task.detached {
            guard isBlocked, let work = pool.begin(for: ClientKey(.unspecified)) else {
                return blocking.record(())
            }
            await withTaskExecutorPreference(work) {
                blocking.record(())
                gate.wait()
            }
            work.end()
        }
        _ = await blocking.first(1)
    }

    /// Sends a request on the event loop.
    func start(
        _ method: String, _ target: String, _ body: [UInt8] = [], headers: HTTPHeaders = [:]
    ) -> Task<ReceivedResponse, any Error> {
        Task.detached(executorPreference: loop) { [service] in
            try await service.send(method, target, bytes: body, headers: headers)
        }
    }

    /// Returns once `count` jobs wait for the worker thread.
    func waitForQueue(of count: Int) async { await until { pool.queueLength == count } }

    /// Lets the worker thread continue.
    func release() async {
        gate.signal()
        await blocker.value
    }

    func end() {
        pool.shutdown()
        group.shutdown()
    }
}
