import Synchronization

/// The scratch objects that are free.
///
/// A scratch object is only used by the caller that has taken it out of the pool.
final class ScratchPool: Sendable {
    /// The maximum number of objects that are kept.
    static let maxKept = 8

    private struct Shelf: @unchecked Sendable {
        var objects: [TextScratch] = []
    }

    private let shelf = Mutex(Shelf())

    static let shared = ScratchPool()

    /// Calls a function with a scratch object, or returns `nil` without one.
    func use<Result>(_ libraries: TextLibraries, _ body: (TextScratch) -> Result) -> Result? {
        let kept = shelf.withLock { $0.objects.popLast().map(Loan.init) }
        guard let scratch = kept?.scratch ?? TextScratch(libraries) else { return nil }
        let result = body(scratch)
        if scratch.isKept {
            let loan = Loan(scratch: scratch)
            shelf.withLock {
                if $0.objects.count < Self.maxKept { $0.objects.append(loan.scratch) }
            }
        }
        return result
    }

    /// An object on its way into or out of the pool, where nothing else refers to it.
    private struct Loan: @unchecked Sendable {
        let scratch: TextScratch
    }
}
