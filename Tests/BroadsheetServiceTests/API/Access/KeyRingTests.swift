import BroadsheetStores
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("The file of keys (docs/operations.md, Keys)")
struct KeyRingTests {
    private static let hex = SecretDigest(of: "secret".utf8).hexadecimal

    private func ring(_ text: String) throws(KeyFileError) -> KeyRing {
        try KeyRing(Array(text.utf8))
    }

    private func violations(_ text: String) -> [String] {
        do throws(KeyFileError) {
            _ = try ring(text)
            return []
        } catch {
            return error.violations.map { "\($0.line) \($0.detail)" }
        }
    }

    @Test("FIPS 180-4: the digest is SHA-256, in hexadecimal digits of any case")
    func digest() throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SecretDigest(of: "abc".utf8).hexadecimal == abc)
        #expect(
            SecretDigest(of: []).hexadecimal
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SecretDigest(hexadecimal: abc.uppercased()) == SecretDigest(of: "abc".utf8))
        #expect(SecretDigest(hexadecimal: String(abc.dropLast())) == nil)
        #expect(SecretDigest(hexadecimal: abc + "0") == nil)
        #expect(SecretDigest(hexadecimal: abc.dropLast() + "g") == nil)
        #expect(SecretDigest(hexadecimal: abc.dropLast() + "é") == nil)
    }

    @Test("A comparison finds a difference in any bit, by arithmetic alone")
    func comparison() throws {
        let digits = Array(Self.hex)
        let digest = try #require(SecretDigest(hexadecimal: Self.hex))
        #expect(digest.equality(to: digest) == 1)
        for (index, digit) in digits.enumerated() {
            for bit in 0..<4 {
                var other = digits
                let value = try #require(digit.hexDigitValue) ^ (1 << bit)
                other[index] = Character(String(value, radix: 16))
                let changed = try #require(SecretDigest(hexadecimal: String(other)))
                #expect(digest.equality(to: changed) == 0)
                #expect(changed != digest)
            }
        }
    }

    @Test("Secrets have 256 random bits and the characters of a bearer token (RFC 6750 §2.1)")
    func secrets() throws {
        let secrets = try (0..<100).map { _ in try #require(KeySecret.random()) }
        #expect(Set(secrets).count == 100)
        for secret in secrets {
            #expect(secret.wholeMatch(of: /bs_[A-Za-z0-9_-]{43}/) != nil)
        }
    }

    @Test("A key has a line: name, scopes, patterns, expiry and digest; # begins a comment")
    func lines() throws {
        let other = SecretDigest(of: "other".utf8).hexadecimal
        let ring = try ring(
            """
            # The keys of the shop.

            web  read\thome-*,checkout never \(Self.hex)  # the web client\r
            \tback.end_1 admin,write * 2030-01-31T00:00:00+01:00 \(other.uppercased())
            """)
        #expect(
            ring.keys.map(\.line) == [
                "web read home-*,checkout never \(Self.hex)",
                "back.end_1 write,admin * 2030-01-31T00:00:00+01:00 \(other)",
            ])
        #expect(ring.key(withSecret: "secret".utf8)?.name == "web")
        #expect(ring.key(withSecret: "other".utf8)?.name == "back.end_1")
        for secret in ["", "Secret", "secret ", "secre", Self.hex] {
            #expect(ring.key(withSecret: secret.utf8) == nil)
        }
        #expect(try self.ring(ring.keys.map { $0.line + "\n" }.joined()) == ring)
    }

    @Test("Every key of the largest file is found by its secret, and one more is refused")
    func largest() throws {
        let lines = (0...KeyRing.maxKeys).map { index in
            "k\(index) read * never \(SecretDigest(of: "s\(index)".utf8).hexadecimal)\n"
        }
        let ring = try ring(lines.dropLast().joined())
        for index in 0..<KeyRing.maxKeys {
            #expect(ring.key(withSecret: "s\(index)".utf8)?.name == "k\(index)")
        }
        #expect(violations(lines.joined()) == ["1 the file has more than 1000 keys"])
        let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: KeyRing.maxBytes + 1)
        #expect(throws: KeyFileError(line: 1, "the file has more than 1048576 bytes")) {
            try KeyRing(bytes)
        }
    }

    @Test(
        "An invalid line is reported with its number, and without its text, which may be a secret",
        arguments: [
            ("web read * never", "must have five words"),
            ("web read * never bs_secret more", "must have five words"),
            ("wéb read * never \(hex)", "the name"), ("w/b read * never \(hex)", "the name"),
            ("\(String(repeating: "n", count: 65)) read * never \(hex)", "the name"),
            ("web reads * never \(hex)", "the scopes"),
            ("web , * never \(hex)", "the scopes"),
            ("web read,read * never \(hex)", "the scopes"),
            ("web Read * never \(hex)", "the scopes"),
            ("web read home-*-x never \(hex)", "the patterns"),
            ("web read a,,b never \(hex)", "the patterns"),
            ("web read .. never \(hex)", "the patterns"),
            ("web read a/* never \(hex)", "the patterns"),
            ("web read * 2030-01-31 \(hex)", "the expiry"),
            ("web read * Never \(hex)", "the expiry"),
            ("web read * never bs_secret", "the SHA-256"),
            ("web read * never \(hex)0", "the SHA-256"),
        ])
    func invalid(line: String, requirement: String) {
        let text = "# first\nok read * never \(SecretDigest(of: "ok".utf8).hexadecimal)\n\(line)\n"
        let violations = violations(text)
        #expect(violations.count == 1)
        #expect(violations[0].hasPrefix("3 \(requirement)"), "\(violations)")
        #expect(!violations[0].contains("bs_secret"))
    }

    @Test(
        "All violations of a file are reported, up to twenty, and a repeated name or secret is one")
    func all() {
        let line = "web read * never \(Self.hex)\n"
        #expect(violations(line + line) == ["2 the name is that of line 1"])
        #expect(
            violations(line + line.replacing("web", with: "app"))
                == ["2 the secret is that of line 1"])
        let many = violations(String(repeating: "x\n", count: 100))
        #expect(many.count == 20 && many[19].hasPrefix("20 must have five words"))
    }

    @Test(
        "A file without a key is invalid", arguments: ["", "\n\n", "# web read * never", " \t\r\n"])
    func empty(text: String) {
        #expect(violations(text) == ["1 the file has no key"])
    }

    @Test("A key has an end, from which on it is not valid")
    func expiry() throws {
        let expiry = try #require(KeyExpiry("1970-01-01T00:00:01Z"))
        #expect(!expiry.hasPassed(at: 999))
        #expect(expiry.hasPassed(at: 1000))
        #expect(!KeyExpiry.never.hasPassed(at: .max))
    }

    @Test("A key has at most 100 patterns")
    func manyPatterns() {
        let patterns = (0...ScreenPatterns.maxCount).map { "s\($0)" }
        #expect(ScreenPatterns(patterns.dropLast().joined(separator: ",")) != nil)
        #expect(ScreenPatterns(patterns.joined(separator: ",")) == nil)
    }
}

@Suite("Patterns of screens (docs/operations.md, Keys)")
struct ScreenPatternTests {
    @Test(
        "A pattern is a name, or the beginning of names with *",
        arguments: [
            ("*", ["a", "home-1", "*"], []), ("home-*", ["home-", "home-1"], ["home", "Home-1"]),
            ("checkout", ["checkout"], ["checkout1", "checkou", "Checkout", ""]),
            ("a,b*", ["a", "b", "bc"], ["aa", "c"]),
        ] as [(String, [String], [String])])
    func matches(patterns: String, own: [String], others: [String]) throws {
        let patterns = try #require(ScreenPatterns(patterns))
        for name in own { #expect(patterns.contains(name), "\(name)") }
        for name in others { #expect(!patterns.contains(name), "\(name)") }
    }

    @Test("A list of random patterns has the matching names, in order, whatever part is requested")
    func lists() async throws {
        let seed = SeededGenerator.seed(of: "KeyRingTests")
        var random = SeededGenerator(seed: seed)
        let names = Self.words(upTo: 3, of: ["a", "b", "-"]).filter { _ in
            Bool.random(using: &random)
        }
        let service = try await TestService()
        for name in names {
            try await service.send("PUT", "/v1/screens/\(name)/pages/0", Pages.list([]))
        }
        let all = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for _ in 0..<300 {
            let patterns = (0...Int.random(in: 0...3, using: &random)).map { _ in
                let word =
                    Self.words(upTo: 3, of: ["a", "b", "-"]).randomElement(using: &random) ?? ""
                return word + (Bool.random(using: &random) ? "*" : "")
            }.joined(separator: ",")
            let own = try #require(ScreenPatterns(patterns))
            let prefix = ["", "", "a", "b-"].randomElement(using: &random) ?? ""
            let after = Bool.random(using: &random) ? all.randomElement(using: &random) : nil
            let limit = Int.random(in: 1...6, using: &random)
            let listed = try await service.service.screens.list(
                after: after.flatMap(ScreenName.init),
                prefix: try #require(ScreenNamePrefix(prefix)),
                limit: limit, of: own)
            let expected = all.filter {
                own.contains($0) && $0.hasPrefix(prefix)
                    && (after?.utf8.lexicographicallyPrecedes($0.utf8) ?? true)
            }.prefix(limit)
            #expect(
                listed.map(\.name.text) == Array(expected),
                "\(patterns), prefix \(prefix), after \(after ?? "none"), limit \(limit)")
        }
    }

    /// Returns the words of 1 to `length` letters.
    private static func words(upTo length: Int, of letters: [String]) -> [String] {
        guard length > 0 else { return [] }
        let shorter = words(upTo: length - 1, of: letters)
        return letters + shorter.flatMap { word in letters.map { word + $0 } }
    }
}
