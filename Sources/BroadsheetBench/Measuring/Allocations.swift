internal import CAllocations

/// What is asked of the heap.
enum Allocations {
    /// From now on keeps freed memory in this process.
    ///
    /// The first touch of a page costs more than laying out what fits into it, and glibc maps blocks
    /// of 32 MiB and more anew each time: a million items would be timed with the kernel's work, a
    /// thousand without.
    static func keepFreedMemory() { callocations_keep_freed_memory() }

    /// How many blocks `body` asks for on this thread.
    static func count(in body: () -> Void) -> Int {
        let before = callocations_of_this_thread()
        body()
        return Int(clamping: callocations_of_this_thread() - before)
    }
}
