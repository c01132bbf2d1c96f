/// A tree that a client shows from now on.
public struct TreeUpdate: Sendable, Hashable {
    /// The tree.
    public var tree: Tree
    /// The changes from the tree of the update before; `nil` to replace all.
    public var changes: Changes?

    /// Creates an update.
    public init(tree: Tree, changes: Changes?) {
        self.tree = tree
        self.changes = changes
    }
}

/// The updates that an iteration has not read.
///
/// A reader that is too slow receives the last tree as a whole.
final class TreeUpdates: Sendable {
    private struct State {
        var updates: [TreeUpdate] = []
        var waiter: CheckedContinuation<Result<TreeUpdate?, any Error>, Never>?
        var end: (any Error)??
        var cancel: (@Sendable () -> Void)?
    }

    static let maxUpdates = 64

    private let state = LockedValue(State())

    deinit { state.withLock { $0.cancel }?() }

    /// Sets the function that ends the work for the updates; calls it at once if they have ended.
    func onEnd(_ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.cancel = cancel
            return state.end != nil
        }
        if isOver { cancel() }
    }

    func append(_ update: TreeUpdate) {
        let waiter = state.withLock { state in
            guard state.end == nil else {
                return nil as CheckedContinuation<Result<TreeUpdate?, any Error>, Never>?
            }
            guard let waiter = state.waiter else {
                if state.updates.count == Self.maxUpdates {
                    state.updates = [TreeUpdate(tree: update.tree, changes: nil)]
                } else {
                    state.updates.append(update)
                }
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: .success(update))
    }

    /// Ends the updates after those that were added.
    func finish(_ error: (any Error)? = nil) {
        let (waiter, cancel) = state.withLock { state in
            if state.end == nil { state.end = .some(error) }
            defer { state.waiter = nil }
            return (state.waiter, state.cancel)
        }
        waiter?.resume(returning: error.map { .failure($0) } ?? .success(nil))
        cancel?()
    }

    /// Returns the next update; `nil` at the end, and once the task is cancelled.
    func next() async throws -> TreeUpdate? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: Result<TreeUpdate?, any Error>? = state.withLock { state in
                    if !state.updates.isEmpty { return .success(state.updates.removeFirst()) }
                    if let end = state.end { return end.map { .failure($0) } ?? .success(nil) }
                    // One task iterates; an earlier waiter has been cancelled.
                    guard !Task.isCancelled, state.waiter == nil else { return .success(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            finish()
        }
        return try result.get()
    }
}
