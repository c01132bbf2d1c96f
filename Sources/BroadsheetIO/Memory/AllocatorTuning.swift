internal import CEpoll

/// Settings of glibc's allocator that keep a long-running daemon as small as what it holds.
package enum AllocatorTuning {
    /// Blocks of this many bytes and more are mapped one by one: 1 MiB.
    ///
    /// An ordinary page and its tree stay below, in heaps that stay warm; with glibc's initial
    /// 128 KiB each answer mapped its tree, faulted it in and unmapped it again, which took half of
    /// the kernel's time for a request.
    package static let mapThreshold: Int32 = 1024 * 1024

    /// How many free bytes at its end a heap keeps before it gives them back: 4 MiB, an answer or
    /// two of an ordinary size.
    package static let trimThreshold: Int32 = 4 * 1024 * 1024

    /// Applies the settings; to be called once, before the first thread starts.
    ///
    /// Large pages and trees are blocks that come and go. glibc raises its threshold for mapping
    /// blocks one by one whenever a mapped one is freed, up to 32 MiB, and from then on keeps freed
    /// pages in its heap; a threshold that is set stays, so their memory goes back to the system.
    /// And it gives each thread a heap of its own, eight a core, each with its own leftovers; the
    /// daemon has a few loops, so two heaps a loop are plenty.
    ///
    /// - Parameter loops: How many event loops the daemon will run.
    package static func apply(loops: Int) {
        // 0 means that a setting was refused; the daemon then merely takes more memory.
        _ = mallopt(M_MMAP_THRESHOLD, mapThreshold)
        _ = mallopt(M_TRIM_THRESHOLD, trimThreshold)
        _ = mallopt(M_ARENA_MAX, Int32(clamping: max(1, loops) &* 2))
    }
}
