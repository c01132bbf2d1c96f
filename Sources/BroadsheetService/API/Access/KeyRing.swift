import Synchronization

/// The keys of a file: one a line, as `NAME SCOPES PATTERNS EXPIRY SHA256HEX`
/// (docs/operations.md, "Keys"), and the lines of issuers (``IssuerLine``).
package struct KeyRing: Sendable, Hashable {
    /// The keys in the order of the file.
    package let keys: [AccessKey]
    /// The lines of issuers in the order of the file; without keys there is at least one.
    package let issuers: [IssuerLine]
    /// A Boolean value that indicates whether any user of the machine may read the file.
    package var isReadableByAll = false
    private let keysByDigest: [SecretDigest: AccessKey]
    private let issuersByID: [String: IssuerLine]

    /// The maximum number of keys of a file, and that of lines of issuers.
    package static let maxKeys = 1000
    package static let maxBytes = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: Every violation with its line, and an error for a file without a key or an issuer.
    package init(_ bytes: [UInt8]) throws(KeyFileError) {
        guard bytes.count <= Self.maxBytes else {
            throw KeyFileError(line: 1, "the file has more than \(Self.maxBytes) bytes")
        }
        var draft = KeyRingDraft()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() { draft.read(line, at: index + 1) }
        (keys, issuers) = try draft.finished()
        keysByDigest = Dictionary(uniqueKeysWithValues: keys.map { ($0.digest, $0) })
        issuersByID = Dictionary(uniqueKeysWithValues: issuers.map { ($0.key.id, $0) })
    }

    /// A Boolean value that indicates whether any user of the machine may read a secret by which
    /// tokens are signed.
    package var exposesSecrets: Bool {
        isReadableByAll && issuers.contains { $0.key.algorithm == .hs256 }
    }

    /// Returns the key that has replaced one of an earlier file: the one with its secret.
    ///
    /// The client has proved that it has the secret.
    func key(replacing earlier: AccessKey) -> AccessKey? { keysByDigest[earlier.digest] }

    package func issuer(withKeyID id: String) -> IssuerLine? { issuersByID[id] }

    /// Returns the key with a secret.
    ///
    /// The secret's digest is compared with that of every key, each in constant time, so that the
    /// duration reveals neither a digest nor a key's position.
    func key(withSecret secret: some Collection<UInt8>) -> AccessKey? {
        key(withDigest: SecretDigest(of: secret))
    }

    func key(withDigest digest: SecretDigest) -> AccessKey? {
        // The sum of all positions, of which no more than one counts, from 1 on.
        var position = 0
        for (index, key) in keys.enumerated() {
            position |= (index + 1) & (0 &- key.digest.equality(to: digest))
        }
        return position == 0 ? nil : keys[position - 1]
    }
}

/// The violations in a file of keys; none repeats a text of the file, which may be a secret.
package struct KeyFileError: Error, Sendable, Hashable {
    /// A violation.
    package struct Violation: Sendable, Hashable {
        /// The line, counted from 1.
        package let line: Int
        package let detail: String
    }

    /// The violations in the order of their lines.
    package let violations: [Violation]

    init(line: Int, _ detail: String) { violations = [Violation(line: line, detail: detail)] }

    fileprivate init(_ violations: [Violation]) { self.violations = violations }
}

/// A file of keys while it is read.
private struct KeyRingDraft {
    private static let maxViolations = 20

    private var keys: [AccessKey] = []
    private var issuers: [IssuerLine] = []
    /// The lines of the names of keys, of the names of issuers, and of the ids of their keys.
    private var lines: [String: Int] = [:]
    private var issuerLines: [String: Int] = [:]
    private var idLines: [String: Int] = [:]
    private var secrets: [SecretDigest: Int] = [:]
    private var violations: [KeyFileError.Violation] = []

    private mutating func refuse(_ line: Int, _ detail: String) {
        guard violations.count < Self.maxViolations else { return }
        violations.append(KeyFileError.Violation(line: line, detail: detail))
    }

    /// Reads a line: words separated by blanks, up to a comment, which `#` begins.
    mutating func read(_ line: ArraySlice<UInt8>, at number: Int) {
        let words = line.prefix { $0 != UInt8(ascii: "#") }
            .split { $0 == UInt8(ascii: " ") || 0x9...0xD ~= $0 }
            .map { String(decoding: $0, as: UTF8.self) }
        guard !words.isEmpty else { return }
        if words.count >= 5, words[4].contains(":") { return readIssuer(words, at: number) }
        guard words.count == 5 else {
            return refuse(
                number,
                "must have five words, NAME SCOPES PATTERNS EXPIRY SHA256HEX, not \(words.count)")
        }
        guard let key = key(words, at: number) else { return }
        if let other = lines.updateValue(number, forKey: key.name) ?? issuerLines[key.name] {
            return refuse(number, "the name is that of line \(other)")
        }
        if let other = secrets.updateValue(number, forKey: key.digest) {
            return refuse(number, "the secret is that of line \(other)")
        }
        keys.append(key)
    }

    private mutating func readIssuer(_ words: [String], at number: Int) {
        do throws(KeyLineViolation) {
            let line = try IssuerLine(words)
            if let other = lines[line.name] {
                return refuse(number, "the name is that of the key of line \(other)")
            }
            if let other = idLines.updateValue(number, forKey: line.key.id) {
                return refuse(number, "the KID is that of line \(other)")
            }
            issuerLines[line.name] = issuerLines[line.name] ?? number
            issuers.append(line)
        } catch {
            refuse(number, error.detail)
        }
    }

    /// Reads the words of a key, and reports the first that is invalid.
    private mutating func key(_ words: [String], at number: Int) -> AccessKey? {
        func refused(_ detail: String) -> AccessKey? {
            refuse(number, detail)
            return nil
        }
        guard AccessKey.isName(words[0]) else {
            return refused(
                "the name must be 1 to \(AccessKey.maxNameLength) of A-Z a-z 0-9 . _ -")
        }
        guard let scopes = AccessKey.scopes(words[1]) else {
            let all = AccessScope.allCases.map(\.rawValue).joined(separator: ",")
            return refused("the scopes must be some of \(all)")
        }
        guard let screens = ScreenPatterns(words[2]) else {
            return refused(
                "the patterns must be at most \(ScreenPatterns.maxCount) names of screens, each "
                    + "with or without * at its end, such as home-*,checkout")
        }
        guard let expiry = KeyExpiry(words[3]) else {
            return refused("the expiry must be never, or a time such as 2030-01-31T00:00:00Z")
        }
        guard let digest = SecretDigest(hexadecimal: words[4]) else {
            return refused("the SHA-256 of the secret must be 64 hexadecimal digits")
        }
        return AccessKey(
            name: words[0], scopes: scopes, screens: screens, expiry: expiry, digest: digest)
    }

    func finished() throws(KeyFileError) -> ([AccessKey], [IssuerLine]) {
        guard violations.isEmpty else { throw KeyFileError(violations) }
        guard !keys.isEmpty || !issuers.isEmpty else {
            throw KeyFileError(line: 1, "the file has no key")
        }
        for (count, noun) in [(keys.count, "keys"), (issuers.count, "lines of issuers")]
        where count > KeyRing.maxKeys {
            throw KeyFileError(line: 1, "the file has more than \(KeyRing.maxKeys) \(noun)")
        }
        return (keys, issuers)
    }
}

/// The keys in service, which a reload replaces as a whole.
final class KeySlot: Sendable {
    /// Keys, and the number of reloads before them.
    struct Active: Sendable {
        let ring: KeyRing
        let generation: UInt64
    }

    private let slot: Mutex<Active>
    /// The generation of the keys in service; changed only while the lock is held.
    private let currentGeneration = Atomic<UInt64>(0)

    init(_ ring: KeyRing) { slot = Mutex(Active(ring: ring, generation: 0)) }

    var current: Active { slot.withLock { $0 } }

    /// The generation of the keys in service, without the lock.
    var generation: UInt64 { currentGeneration.load(ordering: .acquiring) }

    /// Replaces the keys, for requests that start from then on.
    func replace(with ring: KeyRing) {
        slot.withLock { slot in
            slot = Active(ring: ring, generation: slot.generation &+ 1)
            currentGeneration.store(slot.generation, ordering: .releasing)
        }
    }
}
