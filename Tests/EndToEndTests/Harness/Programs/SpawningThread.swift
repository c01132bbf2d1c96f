import Foundation
import Synchronization

/// The thread that starts all programs.
///
/// The kernel ends a program that asks for it (`PR_SET_PDEATHSIG`) when the thread that started it
/// ends, not when its process does. So this one lives as long as the process, and programs end with
/// the tests, however those end.
final class SpawningThread: Sendable {
    static let shared = SpawningThread()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                jobs.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs `body` on the thread and waits for what it answers.
    func run<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
        let answer = Mutex<Answer?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        jobs.withLock {
            $0.append {
                let result = body()
                answer.withLock { $0 = result }
                isOver.signal()
            }
        }
        waiting.signal()
        while true {
            isOver.wait()
            if let result = answer.withLock({ $0 }) { return result }
        }
    }
}
