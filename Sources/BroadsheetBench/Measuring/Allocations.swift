internal import CAllocations

/// Counts what is asked of the heap.
enum Allocations {
    /// How many blocks `body` asks for on this thread.
    static func count(in body: () -> Void) -> Int {
        let before = callocations_of_this_thread()
        body()
        return Int(clamping: callocations_of_this_thread() - before)
    }
}
