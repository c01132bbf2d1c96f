import Dispatch
import Synchronization

/// The result of opening a file, passed from the thread that opens it to the thread that waits.
final class StartupResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreOpenError>?>(nil)
    private let isComplete = DispatchSemaphore(value: 0)

    /// Sets the result; called once.
    func complete(_ outcome: Result<Value, StoreOpenError>) {
        result.withLock { $0 = outcome }
        isComplete.signal()
    }

    /// Blocks until the result is set; called at the start of a program only.
    func wait(path: String) throws(StoreOpenError) -> Value {
        isComplete.wait()
        guard let outcome = result.withLock({ $0 }) else {
            throw .cannotOpen(path: path, detail: "its thread ended early")
        }
        return try outcome.get()
    }
}
