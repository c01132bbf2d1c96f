import BroadsheetIO
import Synchronization

/// A tree or a picture, as far as the layout cache keeps it.
enum CachedContent: Sendable {
    /// All bytes.
    case bytes(CachedBytes)
    /// The number of bytes of a tree that is written while it is sent.
    case length(Int)
}

/// The bytes of a tree or of a picture.
///
/// The cache owns it. Repeated responses refer to it weakly, so its memory is free once the cache
/// has dropped it.
final class CachedBytes: Sendable {
    /// The bytes.
    let bytes: [UInt8]
    private let memory: MemoryReservation
    private let wasRepeated = Atomic(false)

    /// Creates the content of an entry.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - memory: The reservation of their memory.
    init(_ bytes: [UInt8], _ memory: MemoryReservation) {
        self.bytes = bytes
        self.memory = memory
    }

    /// Records a use that the cache is not asked for.
    func noteRepetition() {
        // Written once, so that the loops share the cache line.
        if !wasRepeated.load(ordering: .relaxed) { wasRepeated.store(true, ordering: .relaxed) }
    }

    /// Returns whether there was a repetition since the last call.
    func takeRepetition() -> Bool {
        wasRepeated.exchange(false, ordering: .relaxed)
    }
}
