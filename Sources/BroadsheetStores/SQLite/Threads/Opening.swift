internal import Dispatch
internal import Synchronization

/// Hands what came of opening a file from the thread that opened it to the one that waits.
final class Opening<Answer: Sendable>: Sendable {
    private let answer = Mutex<Result<Answer, StoreOpenError>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    /// Tells what came of it; to be called once.
    func tell(_ result: Result<Answer, StoreOpenError>) {
        answer.withLock { $0 = result }
        isThere.signal()
    }

    /// Blocks until it was told; for the start of a program only.
    func wait(path: String) throws(StoreOpenError) -> Answer {
        isThere.wait()
        guard let told = answer.withLock({ $0 }) else {
            throw .cannotOpen(path: path, detail: "its thread ended early")
        }
        return try told.get()
    }
}
