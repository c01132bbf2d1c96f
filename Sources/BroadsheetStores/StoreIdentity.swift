/// The stable identity of a store.
///
/// It is created at random with the store and kept in it, so all daemons on one store share it and
/// no two stores do.
public struct StoreIdentity: Hashable, Sendable {
    /// The name of the store in logs; not secret.
    public let name: String
    /// The secret key of page tokens and entity tags: ``keyLength`` bytes.
    public let sealingKey: [UInt8]

    /// The length of a sealing key, in bytes.
    public static let keyLength = 16

    /// The name in a store that `broadsheet store copy` has not filled completely, which has no
    /// sealing key.
    static let incompleteName = "incomplete"
    package static let incompleteReason =
        "an interrupted `broadsheet store copy` has not filled the store"

    /// Creates an identity from stored values, or `nil` if the key does not have ``keyLength``
    /// bytes.
    public init?(name: String, sealingKey: [UInt8]) {
        guard sealingKey.count == Self.keyLength else { return nil }
        self.name = name
        self.sealingKey = sealingKey
    }

    /// Creates a random identity; `generator` must be cryptographically secure.
    public init(using generator: inout some RandomNumberGenerator) {
        name = String(generator.next(), radix: 16)
        sealingKey = (0..<Self.keyLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Creates an identity from the system's random number generator.
    public static func random() -> StoreIdentity {
        var generator = SystemRandomNumberGenerator()
        return StoreIdentity(using: &generator)
    }
}
