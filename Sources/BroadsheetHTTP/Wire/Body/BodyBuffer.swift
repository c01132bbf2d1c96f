/// Gathers a body in memory that grows with what has arrived, never with what was announced.
struct BodyBuffer: Sendable {
    /// What has arrived.
    private(set) var bytes: [UInt8] = []
    /// Bytes the body will have, or may have at most.
    private let ceiling: Int

    /// A buffer for a body of at most `ceiling` bytes.
    init(ceiling: Int) { self.ceiling = ceiling }

    /// Appends in bulk.
    ///
    /// Memory doubles up to the ceiling, so that a body whose length was announced
    /// ends in a buffer that fits it.
    mutating func append(_ input: UnsafeRawBufferPointer) {
        let needed = bytes.count + input.count
        if needed > bytes.capacity {
            let doubled = max(Self.firstStep, bytes.capacity * 2)
            bytes.reserveCapacity(max(needed, min(doubled, ceiling)))
        }
        bytes.append(contentsOf: input)
    }

    /// Bytes set aside on the first byte's arrival at most: what a client can make us reserve by
    /// announcing much and sending little.
    private static let firstStep = 64 * 1024
}
