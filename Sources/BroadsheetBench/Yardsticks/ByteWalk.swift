/// The yardstick of everything that reads bytes: one plain pass over them.
enum ByteWalk {
    /// Folds every byte into a hash (FNV-1a): each step needs the one before it, so that the loop
    /// can be neither vectorised nor skipped, and costs what touching each byte once costs.
    @inline(never)
    static func run(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
            return hash
        }
    }
}
