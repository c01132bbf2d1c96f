internal import CEpoll

/// Settings of glibc's allocator that keep a long-running daemon as small as what it holds.
package enum AllocatorTuning {
    /// Blocks of this many bytes and more are mapped one by one: 128 KiB, glibc's initial value.
    package static let mapThreshold: Int32 = 128 * 1024

    /// Applies the settings; to be called once, before the first thread starts.
    ///
    /// Pages and trees are large blocks that come and go. glibc raises its threshold for mapping
    /// blocks one by one whenever a mapped one is freed, up to 32 MiB, and from then on keeps freed
    /// pages in its heap; a threshold that is set stays, so their memory goes back to the system.
    /// And it gives each thread a heap of its own, eight a core, each with its own leftovers; the
    /// daemon has a few loops, so two heaps a loop are plenty.
    ///
    /// - Parameter loops: How many event loops the daemon will run.
    package static func apply(loops: Int) {
        // 0 means that a setting was refused; the daemon then merely takes more memory.
        _ = mallopt(M_MMAP_THRESHOLD, mapThreshold)
        _ = mallopt(M_ARENA_MAX, Int32(clamping: max(1, loops) &* 2))
    }
}
