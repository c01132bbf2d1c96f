import TestSupport

/// A well-formed request that something happened to.
enum MutatedRequest {
    /// Bytes that mean something to one of the parsers on the way.
    private static let telling = Array("\r\n\0\t :,;/%?#\"\\{}[]eE+-.09\u{7f}".utf8) + [0xc0, 0xff]

    /// One of `seeds`, changed in a few places by what `generator` says.
    static func bytes(
        from seeds: [[UInt8]], using generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            mutate(&bytes, &generator)
        }
        return bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 0...40, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 2: bytes.removeSubrange(start...)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: start)
        case 4 where start < bytes.count:
            bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default:
            if let byte = telling.randomElement(using: &generator) { bytes.insert(byte, at: start) }
        }
    }
}
