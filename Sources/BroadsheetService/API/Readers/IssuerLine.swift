import Broadsheet

/// A line of an issuer in the file of keys: a key by which tokens are verified, with the bounds of
/// what they may do (docs/operations.md, "Issuers").
package final class IssuerLine: Sendable {
    /// The name of the issuer (`iss`).
    package let name: String
    /// The rights in the order of ``AccessScope``: `read`, `events`, or both.
    package let scopes: [AccessScope]
    package let screens: ReaderPatterns
    /// The time from which on no token of the key is valid.
    package let expiry: KeyExpiry
    package let key: TokenKey
    package let options: IssuerOptions

    package static let allowedScopes: [AccessScope] = [.read, .events]

    /// Throws the first requirement that the line does not meet, without a text of it.
    init(_ words: [String]) throws(KeyLineViolation) {
        guard words.count >= 5 else { throw KeyLineViolation("must have five words or more") }
        guard AccessKey.isName(words[0]) else {
            throw KeyLineViolation(
                "the name must be 1 to \(AccessKey.maxNameLength) of A-Z a-z 0-9 . _ -")
        }
        name = words[0]
        guard let scopes = AccessKey.scopes(words[1]),
            scopes.allSatisfy(Self.allowedScopes.contains)
        else {
            let all = Self.allowedScopes.map(\.rawValue).joined(separator: ",")
            throw KeyLineViolation("the scopes of an issuer must be some of \(all)")
        }
        self.scopes = AccessScope.allCases.filter(scopes.contains)
        screens = try ReaderPatterns(words[2])
        guard let expiry = KeyExpiry(words[3]) else {
            throw KeyLineViolation(
                "the expiry must be never, or a time such as 2030-01-31T00:00:00Z")
        }
        self.expiry = expiry
        key = try TokenKey(words[4])
        options = try IssuerOptions(words.dropFirst(5))
    }

    /// The line in a file of keys; of HS256 it has the secret.
    package var line: String {
        let scopes = scopes.map(\.rawValue).joined(separator: ",")
        return ([name, scopes, screens.text, expiry.text, key.text] + options.words)
            .joined(separator: " ")
    }
}

extension IssuerLine: Hashable {
    package static func == (one: IssuerLine, other: IssuerLine) -> Bool {
        one === other
            || one.name == other.name && one.scopes == other.scopes && one.screens == other.screens
                && one.expiry == other.expiry && one.key == other.key
                && one.options == other.options
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key.id) }
}

/// The options of an issuer's line.
package struct IssuerOptions: Sendable, Hashable {
    /// The audience that tokens must have; `nil` for tokens without one.
    package private(set) var audience: String?
    /// The maximum time from `iat` to `exp`, in seconds.
    package private(set) var lifetime = defaultLifetime
    /// The names of the catalogs that requests may name, `default` for that without a name; `nil`
    /// for all.
    private(set) var catalogs: [String]?
    /// The flags that requests may name; `nil` for all.
    private(set) var flags: IdentifierList?
    /// A Boolean value that indicates whether the log has readers as they are.
    private(set) var areReadersLogged = false

    /// The maximum time of a line without the option, in seconds.
    private static let defaultLifetime = 3600
    /// The lifetimes that a line can have, in seconds.
    package static let lifetimes = 1...86_400
    /// The maximum length of an audience, in characters.
    package static let maxAudienceLength = 128

    /// Reads the words after the key.
    fileprivate init(_ words: ArraySlice<String>) throws(KeyLineViolation) {
        var seen: Set<Substring> = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, parts.count == 2 else { throw .unknownOption }
            try read(name, String(parts[1]))
            guard seen.insert(name).inserted else {
                throw KeyLineViolation("the option \(name) is there twice")
            }
        }
    }

    private mutating func read(
        _ name: Substring, _ value: String
    ) throws(KeyLineViolation) {
        switch name {
        case "audience":
            guard Self.isAudience(value) else {
                throw KeyLineViolation(
                    "the audience must be 1 to \(Self.maxAudienceLength) printable ASCII "
                        + "characters")
            }
            audience = value
        case "lifetime":
            guard let seconds = Int(value), String(seconds) == value,
                Self.lifetimes.contains(seconds)
            else {
                throw KeyLineViolation(
                    "the lifetime must be a whole number of seconds from "
                        + "\(Self.lifetimes.lowerBound) to \(Self.lifetimes.upperBound)")
            }
            lifetime = seconds
        case "catalogs":
            let names = value.split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
            guard names.allSatisfy({ $0 == CatalogName.fileOfUnnamed || CatalogName($0) != nil })
            else {
                throw KeyLineViolation(
                    "the catalogs must be names separated by commas, or \(CatalogName.fileOfUnnamed)"
                        + " for the catalog without a name")
            }
            catalogs = names
        case "flags":
            guard let list = ClientFlags.list(value) else {
                throw KeyLineViolation("the flags must be \(ClientFlags.form)")
            }
            flags = list
        case "log" where value == "plain": areReadersLogged = true
        default: throw .unknownOption
        }
    }

    package static func isAudience(_ text: String) -> Bool {
        1...maxAudienceLength ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
    }

    fileprivate var words: [String] {
        var words: [String] = []
        if let audience { words.append("audience=\(audience)") }
        if lifetime != Self.defaultLifetime { words.append("lifetime=\(lifetime)") }
        if let catalogs { words.append("catalogs=\(catalogs.joined(separator: ","))") }
        if let flags { words.append("flags=\(flags.texts.joined(separator: ","))") }
        if areReadersLogged { words.append("log=plain") }
        return words
    }
}

extension KeyLineViolation {
    fileprivate static var unknownOption: KeyLineViolation {
        KeyLineViolation(
            "after the key there can be audience=TEXT, lifetime=SECONDS, catalogs=NAMES, "
                + "flags=NAMES and log=plain")
    }
}
