import COpenSSL

/// A public key of Ed25519 (RFC 8032); any number of threads verify signatures with it.
final class Ed25519PublicKey: @unchecked Sendable {
    // Unchecked: the library only reads the key after its creation.

    let bytes: [UInt8]
    private let key: OpaquePointer

    static let byteCount = Int(COPENSSL_ED25519_KEY_SIZE)

    /// Creates a key; `nil` unless it has 32 bytes and is not of small order, and without the
    /// library.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, !Self.isOfSmallOrder(bytes), Ed25519.isAvailable,
            let key = copenssl_ed25519_create(bytes)
        else { return nil }
        self.bytes = bytes
        self.key = key
    }

    deinit { copenssl_ed25519_destroy(key) }

    func verifies(_ signature: [UInt8], of message: some Collection<UInt8>) -> Bool {
        guard signature.count == Int(COPENSSL_ED25519_SIGNATURE_SIZE) else { return false }
        let message = Array(message)
        return copenssl_ed25519_verify(key, signature, message, message.count)
    }

    /// Returns whether bytes are a point of an order of 1 to 8, in any spelling: for such a key
    /// there are signatures that are valid for many messages.
    static func isOfSmallOrder(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.last else { return false }
        // The highest bit is the sign of x.
        return smallOrders.contains(Array(bytes.dropLast()) + [last & 0x7f])
    }

    /// The values of y of the points of small order below 2^255, in little-endian order: 0, 1, the
    /// two of the points of order 8, and p - 1, p and p + 1 for p = 2^255 - 19.
    private static let smallOrders: [[UInt8]] = {
        func point(_ first: UInt8, _ rest: UInt8, _ last: UInt8) -> [UInt8] {
            [first] + [UInt8](repeating: rest, count: byteCount - 2) + [last]
        }
        return [
            point(0, 0, 0), point(1, 0, 0),
            [
                0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2,
                0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38,
                0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
            ],
            [
                0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d,
                0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7,
                0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
            ],
            point(0xec, 0xff, 0x7f), point(0xed, 0xff, 0x7f), point(0xee, 0xff, 0x7f),
        ]
    }()
}

extension Ed25519PublicKey: Hashable {
    static func == (one: Ed25519PublicKey, other: Ed25519PublicKey) -> Bool {
        one.bytes == other.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Signatures with Ed25519 by OpenSSL 3's libcrypto, which is loaded at the first use.
enum Ed25519 {
    static var isAvailable: Bool { copenssl_load_crypto() }

    /// Returns the public key of a private one; `nil` without the library or memory.
    static func publicKey(of secret: [UInt8]) -> [UInt8]? {
        guard secret.count == Ed25519PublicKey.byteCount, isAvailable else { return nil }
        var bytes = [UInt8](repeating: 0, count: Ed25519PublicKey.byteCount)
        return copenssl_ed25519_public(secret, &bytes) ? bytes : nil
    }

    /// Returns the signature of a message; `nil` without the library or memory.
    static func signature(of message: [UInt8], by secret: [UInt8]) -> [UInt8]? {
        guard secret.count == Ed25519PublicKey.byteCount, isAvailable else { return nil }
        var signature = [UInt8](repeating: 0, count: Int(COPENSSL_ED25519_SIGNATURE_SIZE))
        return copenssl_ed25519_sign(secret, message, message.count, &signature) ? signature : nil
    }
}
