import BroadsheetClient

/// A key: the name of a client, its rights, and the digest of the secret by which it is known.
package struct AccessKey: Sendable, Hashable {
    package let name: String
    /// The rights in the order of ``AccessScope``.
    package let scopes: [AccessScope]
    /// The screens that the rights `read` and `write` concern.
    package let screens: ScreenPatterns
    package let expiry: KeyExpiry
    let digest: SecretDigest

    /// The maximum length of a name, in characters.
    package static let maxNameLength = 64

    /// Creates a key; `nil` unless the name is 1 to 64 of `A-Z a-z 0-9 . _ -`, and for a key
    /// without rights.
    package init?(
        name: String, scopes: [AccessScope], screens: ScreenPatterns, expiry: KeyExpiry,
        digest: SecretDigest
    ) {
        guard Self.isName(name), !scopes.isEmpty else { return nil }
        self.name = name
        self.scopes = AccessScope.allCases.filter(scopes.contains)
        self.screens = screens
        self.expiry = expiry
        self.digest = digest
    }

    /// A Boolean value that indicates whether many may have the secret, such as all visitors of a
    /// web page: a key that cannot write reveals no more than what they may see.
    var isShared: Bool { !scopes.contains(.write) }

    /// Returns whether another key has the same name, rights and screens.
    func hasRights(of other: AccessKey) -> Bool {
        name == other.name && scopes == other.scopes && screens == other.screens
    }

    /// The line of the key in a file of keys (docs/operations.md, "Keys").
    package var line: String {
        let scopes = scopes.map(\.rawValue).joined(separator: ",")
        return "\(name) \(scopes) \(screens.text) \(expiry.text) \(digest.hexadecimal)"
    }

    /// Reads rights separated by commas, each of them once; `nil` for any other text.
    package static func scopes(_ text: String) -> [AccessScope]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let scopes = parts.compactMap { AccessScope(rawValue: String($0)) }
        return scopes.count == parts.count && Set(scopes).count == scopes.count ? scopes : nil
    }

    package static func isName(_ text: String) -> Bool {
        let characters = text.utf8
        return 1...maxNameLength ~= characters.count
            && characters.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The end of a key: a time, or `never`.
package struct KeyExpiry: Sendable, Hashable {
    /// The text as it was given.
    package let text: String
    /// The first millisecond since 1970 at which the key is not valid; `nil` for a key without an
    /// end.
    package let unixMilliseconds: Int64?

    package static let never = KeyExpiry(text: "never", unixMilliseconds: nil)

    private init(text: String, unixMilliseconds: Int64?) {
        self.text = text
        self.unixMilliseconds = unixMilliseconds
    }

    /// Reads a time of RFC 3339, or `never`; `nil` for any other text.
    package init?(_ text: String) {
        if text == Self.never.text {
            self = .never
        } else {
            guard let time = RFC3339.unixMilliseconds(text) else { return nil }
            self.init(text: text, unixMilliseconds: time)
        }
    }

    package func hasPassed(at unixMilliseconds: Int64) -> Bool {
        self.unixMilliseconds.map { $0 <= unixMilliseconds } ?? false
    }
}
