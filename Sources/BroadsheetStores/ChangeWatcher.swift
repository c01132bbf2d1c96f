internal import Synchronization

/// Passes on to whoever watches what a store hears of changes.
final class ChangeWatcher: Sendable {
    /// Takes a screen and the lowest revision that it can have from now on.
    typealias Hear = @Sendable (ScreenName, UInt64) -> Void

    private let watching = Mutex<Hear?>(nil)

    /// Has `hear` called from now on, in place of whoever watched before.
    func watch(_ hear: @escaping Hear) { watching.withLock { $0 = hear } }

    /// Passes a change on.
    func hear(_ screen: ScreenName, _ revision: UInt64) {
        watching.withLock { $0 }?(screen, revision)
    }
}
