import BroadsheetIO
import Synchronization

/// A tree or a picture, as far as the layout cache keeps it.
enum CachedContent: Sendable {
    case bytes(CachedBytes)
    /// The number of bytes of a tree that is written while it is sent.
    case length(Int)
}

/// The bytes of a tree or of a picture.
///
/// The cache owns it. Repeated responses refer to it weakly, so its memory is free once the cache
/// has dropped it.
final class CachedBytes: Sendable {
    let bytes: [UInt8]
    private let memory: MemoryReservation
    private let wasRepeated = Atomic(false)

    init(_ bytes: [UInt8], _ memory: MemoryReservation) {
        self.bytes = bytes
        self.memory = memory
    }

    /// Records a use that the cache is not asked for.
    func noteRepetition() {
        // Written once, so that the loops share the cache line.
        if !wasRepeated.load(ordering: .relaxed) { wasRepeated.store(true, ordering: .relaxed) }
    }

    func takeRepetition() -> Bool {
        wasRepeated.exchange(false, ordering: .relaxed)
    }
}
