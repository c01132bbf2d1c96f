/// A reference that does not keep its value.
protocol WeakReference: Sendable {
    var isInUse: Bool { get }
}

/// Values that a cache does not keep, as long as a request or a response uses them.
///
/// Those who need a value at the same time share it, so that its memory is used once.
struct ValuesInUse<Key: Hashable & Sendable, Reference: WeakReference>: Sendable {
    /// The number of references up to which those whose value is released are kept.
    static var minCleanup: Int { 16 }

    private var references: [Key: Reference] = [:]
    private var nextCleanup = Self.minCleanup

    /// The number of references, of which at most half, or ``minCleanup``, have no value.
    var count: Int { references.count }

    subscript(key: Key) -> Reference? { references[key] }

    /// Adds a reference, or replaces that of the same key, in amortised O(1).
    mutating func insert(_ reference: Reference, for key: Key) {
        references[key] = reference
        guard references.count > nextCleanup else { return }
        references = references.filter { $0.value.isInUse }
        nextCleanup = max(Self.minCleanup, 2 * references.count)
    }

    mutating func remove(_ key: Key) { references[key] = nil }
}
