/// The checkpoints of computations that may take longer than a few milliseconds.
///
/// Such a computation calls ``isAbandoned()`` about once a millisecond, at a point where it holds
/// no lock. The executor of the current task decides what giving way means; without one, a
/// checkpoint only reads whether the task is cancelled.
package enum LongWork {
    /// The function that lets other work run first and returns when it is this work's turn again.
    @TaskLocal package static var giveWay: (@Sendable () -> Void)?

    /// Gives way to other work that waits.
    ///
    /// - Returns: A Boolean value that indicates whether the current task is cancelled: its result
    ///   is used by no one, so the computation may end with any result.
    package static func isAbandoned() -> Bool {
        if !Task.isCancelled { giveWay?() }
        return Task.isCancelled
    }
}
