/// What makes one store tell itself from any other: made at random once, when the store is made,
/// and kept in it, so that all daemons on one store agree and no others do.
package struct StoreIdentity: Hashable, Sendable {
    /// A name for logs; says nothing that must be kept secret.
    package let name: String
    /// The secret that page tokens and entity tags are sealed with: ``keyLength`` bytes.
    package let sealingKey: [UInt8]

    /// The length of a sealing key in bytes.
    package static let keyLength = 16

    /// Puts an identity together that a store has read; nil when the key is not of ``keyLength``.
    package init?(name: String, sealingKey: [UInt8]) {
        guard sealingKey.count == Self.keyLength else { return nil }
        self.name = name
        self.sealingKey = sealingKey
    }

    /// Makes a new identity out of `generator`, which must be fit for secrets.
    package init(using generator: inout some RandomNumberGenerator) {
        name = String(generator.next(), radix: 16)
        sealingKey = (0..<Self.keyLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Makes a new identity out of the system's source of randomness.
    package static func random() -> StoreIdentity {
        var generator = SystemRandomNumberGenerator()
        return StoreIdentity(using: &generator)
    }
}
