internal import Synchronization

/// What is known of the file's soundness, shared by the threads that use it.
///
/// A row whose checksum does not fit is that row's matter. A broken structure is everybody's: a
/// screen that is not found may be there, and a write may tear down more. From then on only what is
/// found and intact is answered.
final class SQLiteHealth: Sendable {
    private let finding = Mutex<SQLiteFailure?>(nil)
    private let tell: StoreEvent.Sink

    /// Knows of nothing wrong, and reports damage to `tell`.
    init(tell: @escaping StoreEvent.Sink) { self.tell = tell }

    /// Takes note of a failure, if it is one of the file's.
    func note(_ failure: SQLiteFailure) {
        guard case .corrupt = failure.storeError else { return }
        let isNews = finding.withLock { finding in
            guard finding == nil else { return false }
            if failure.isStructural { finding = failure }
            return true
        }
        if isNews { tell(.damaged(failure.message)) }
    }

    /// Throws once the structure is known to be broken.
    func check() throws(SQLiteFailure) {
        if let found = finding.withLock({ $0 }) { throw found }
    }
}
