/// The checkpoints of computations that may take longer than a few milliseconds.
///
/// Such a computation calls ``isAbandoned()`` about once a millisecond, at a point where it holds
/// no lock. The part of a program that runs it decides what giving way means, and drops its result
/// if the task is cancelled. Without such a part, as in a program that embeds the library, a
/// checkpoint does nothing, and the result is complete also in a cancelled task.
package enum LongWork {
    /// A function that lets other work run first and returns when it is this work's turn again.
    ///
    /// An object, because optimised code of Swift 6.3 does not bind task-local functions.
    private final class Turns: Sendable {
        let giveWay: @Sendable () -> Void

        init(_ giveWay: @escaping @Sendable () -> Void) { self.giveWay = giveWay }
    }

    @TaskLocal private static var turns: Turns?

    /// Runs a computation whose checkpoints call `giveWay`; the caller drops the result if the task
    /// is cancelled at its end.
    package static func run<Value>(
        givingWay giveWay: @escaping @Sendable () -> Void, _ body: () throws -> Value
    ) rethrows -> Value {
        try $turns.withValue(Turns(giveWay), operation: body)
    }

    /// Runs a computation without checkpoints, which may hold a lock.
    package static func withoutGivingWay<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard turns != nil else { return try body() }
        return try $turns.withValue(nil, operation: body)
    }

    /// Gives way to other work that waits.
    ///
    /// - Returns: A Boolean value that indicates whether the result is dropped, because the current
    ///   task is cancelled: the computation may end with any result, which must not be kept.
    package static func isAbandoned() -> Bool {
        guard let turns else { return false }
        if !Task.isCancelled { turns.giveWay() }
        return Task.isCancelled
    }

    /// A Boolean value that indicates whether the result is dropped, as of ``isAbandoned()``, which
    /// lets no other work run.
    package static var isDropped: Bool { Task.isCancelled && turns != nil }
}
