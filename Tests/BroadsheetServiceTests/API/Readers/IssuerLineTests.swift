import Testing

@testable import BroadsheetService

@Suite("The lines of issuers (docs/operations.md, Issuers)")
struct IssuerLineTests {
    /// The public key of RFC 8037, A.2.
    private static let publicKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    private static let secret = Base64URL.encode([UInt8](repeating: 7, count: 32))
    private static let key = SecretDigest(of: "secret".utf8).hexadecimal

    private func violations(_ text: String) -> [String] {
        do throws(KeyFileError) {
            _ = try KeyRing(Array(text.utf8))
            return []
        } catch {
            return error.violations.map { "\($0.line) \($0.detail)" }
        }
    }

    private func line(_ text: String) throws -> IssuerLine {
        try #require(try KeyRing(Array(text.utf8)).issuers.first)
    }

    @Test("A line has a name, scopes, patterns, an expiry, a key, and options in any order")
    func lines() throws {
        let ring = try KeyRing(
            Array(
                """
                # Issuers and a key.
                shop events,read home,user-{sub}-* never EdDSA:k7:\(Self.publicKey)
                shop read * 2027-01-31T00:00:00Z HS256:k6:\(Self.secret) log=plain lifetime=900 \
                flags=b,a catalogs=default,berlin audience=a=b,c
                web read home never \(Self.key)
                """.utf8))
        #expect(ring.keys.map(\.name) == ["web"])
        #expect(
            ring.issuers.map(\.line) == [
                "shop read,events home,user-{sub}-* never EdDSA:k7:\(Self.publicKey)",
                "shop read * 2027-01-31T00:00:00Z HS256:k6:\(Self.secret) audience=a=b,c "
                    + "lifetime=900 catalogs=default,berlin flags=a,b log=plain",
            ])
        let shop = try #require(ring.issuer(withKeyID: "k7"))
        #expect(shop.options.audience == nil && shop.options.lifetime == 3600)
        #expect(shop.options.catalogs == nil && shop.options.flags == nil)
        #expect(ring.issuer(withKeyID: "K7") == nil)
        let text = (ring.keys.map(\.line) + ring.issuers.map(\.line)).joined(separator: "\n")
        #expect(try KeyRing(Array(text.utf8)) == ring)
    }

    @Test("A file with issuers and no keys is valid")
    func withoutKeys() throws {
        #expect(violations("shop read * never HS256:k:\(Self.secret)\n") == [])
    }

    @Test(
        "An invalid line is reported with its number, and without its key",
        arguments: [
            ("sh/op read * never HS256:k:\(secret)", "the name"),
            ("shop write * never HS256:k:\(secret)", "the scopes of an issuer"),
            ("shop read,admin * never HS256:k:\(secret)", "the scopes of an issuer"),
            ("shop read a,,b never HS256:k:\(secret)", "the patterns"),
            ("shop read user-{sub}* never HS256:k:\(secret)", "the patterns"),
            ("shop read {sub}-{sub} never HS256:k:\(secret)", "the patterns"),
            ("shop read user-{sub}-*x never HS256:k:\(secret)", "the patterns"),
            ("shop read user-{SUB} never HS256:k:\(secret)", "the patterns"),
            ("shop read u-{sub},u-x-{sub} never HS256:k:\(secret)", "the texts before {sub}"),
            ("shop read {sub}.a,u-{sub} never HS256:k:\(secret)", "the texts before {sub}"),
            ("shop read * Never HS256:k:\(secret)", "the expiry"),
            ("shop read * never none:k:\(secret)", "the key must be ALGORITHM:KID:KEY"),
            ("shop read * never hs256:k:\(secret)", "the key must be ALGORITHM:KID:KEY"),
            ("shop read * never HS256:\(secret)", "the key must be ALGORITHM:KID:KEY"),
            ("shop read * never HS256::\(secret)", "the KID"),
            ("shop read * never HS256:k/1:\(secret)", "the KID"),
            ("shop read * never HS256:k:\(secret)=", "the key of HS256"),
            ("shop read * never HS256:k:\(secret.dropLast())", "the key of HS256"),
            ("shop read * never HS256:k:\(secret.dropLast())d", "the key of HS256"),
            ("shop read * never HS256:k:\(secret.dropLast())+", "the key of HS256"),
            (
                "shop read * never HS256:k:\(Base64URL.encode([UInt8](repeating: 7, count: 129)))",
                "the key of HS256"
            ),
            ("shop read * never EdDSA:k:\(secret)A", "the key of EdDSA"),
            ("shop read * never HS256:k:\(secret) more", "after the key"),
            ("shop read * never HS256:k:\(secret) log=full", "after the key"),
            ("shop read * never HS256:k:\(secret) Audience=a", "after the key"),
            ("shop read * never HS256:k:\(secret) audience=", "the audience"),
            ("shop read * never HS256:k:\(secret) audience=é", "the audience"),
            (
                "shop read * never HS256:k:\(secret) audience="
                    + String(repeating: "a", count: 129),
                "the audience"
            ),
            ("shop read * never HS256:k:\(secret) lifetime=0", "the lifetime"),
            ("shop read * never HS256:k:\(secret) lifetime=86401", "the lifetime"),
            ("shop read * never HS256:k:\(secret) lifetime=+9", "the lifetime"),
            ("shop read * never HS256:k:\(secret) catalogs=", "the catalogs"),
            ("shop read * never HS256:k:\(secret) catalogs=a,,b", "the catalogs"),
            ("shop read * never HS256:k:\(secret) flags=a,/", "the flags"),
            ("shop read * never HS256:k:\(secret) lifetime=9 lifetime=9", "the option lifetime"),
            ("shop read * never HS256:k:\(secret) flags= flags=a", "the option flags"),
        ])
    func invalid(line: String, requirement: String) {
        let violations = violations("# first\nok read * never \(Self.key)\n\(line)\n")
        #expect(violations.count == 1)
        #expect(violations.first?.hasPrefix("3 \(requirement)") == true, "\(violations)")
        #expect(!violations.joined().contains(Self.secret.dropLast(2)))
    }

    @Test("A KID is in one line only, and no name is both a key's and an issuer's")
    func repeated() {
        let shop = "shop read * never HS256:k:\(Self.secret)\n"
        let key = "shop read * never \(Self.key)\n"
        #expect(violations(shop + shop) == ["2 the KID is that of line 1"])
        #expect(
            violations(shop + shop.replacing("shop", with: "app")) == [
                "2 the KID is that of line 1"
            ]
        )
        #expect(violations(shop + key) == ["2 the name is that of line 1"])
        #expect(violations(key + shop) == ["2 the name is that of the key of line 1"])
        #expect(violations(shop + shop.replacing(":k:", with: ":l:")) == [])
    }

    @Test("A secret of HS256 has 32 to 128 bytes", arguments: [31, 32, 128, 129])
    func secretSizes(count: Int) {
        let secret = Base64URL.encode([UInt8](repeating: 255, count: count))
        let isValid = violations("shop read * never HS256:k:\(secret)\n").isEmpty
        #expect(isValid == (32...128 ~= count))
    }

    @Test(
        "RFC 8032 §5.1: a public key of small order is refused, in any spelling",
        arguments: [
            // y = 0, 1, -1, and those of order 8; then spellings from 2^255 - 19 on.
            String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31),
            "ec" + String(repeating: "ff", count: 30) + "7f",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ed" + String(repeating: "ff", count: 30) + "7f",
            "ee" + String(repeating: "ff", count: 30) + "7f",
        ])
    func smallOrder(hexadecimal: String) throws {
        let digits = Array(hexadecimal)
        var bytes = try stride(from: 0, to: 64, by: 2).map {
            try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
        }
        for sign in [0, 0x80] as [UInt8] {
            bytes[31] = bytes[31] & 0x7f | sign
            let key = Base64URL.encode(bytes)
            #expect(
                violations("shop read * never EdDSA:k:\(key)\n").first?.hasPrefix(
                    "1 the key of EdDSA") == true)
        }
    }

    @Test("A file has at most 1000 lines of issuers")
    func many() {
        let lines = (0...KeyRing.maxKeys).map { "shop read * never HS256:k\($0):\(Self.secret)\n" }
        #expect(violations(lines.dropLast().joined()) == [])
        #expect(violations(lines.joined()) == ["1 the file has more than 1000 lines of issuers"])
    }

    @Test(
        "A secret of HS256 in a file that any user may read is exposed; a public key is not",
        arguments: [("HS256:k:\(secret)", true), ("EdDSA:k:\(publicKey)", false)])
    func exposure(key: String, isExposed: Bool) throws {
        var ring = try KeyRing(Array("shop read * never \(key)\n".utf8))
        #expect(!ring.exposesSecrets)
        ring.isReadableByAll = true
        #expect(ring.exposesSecrets == isExposed)
    }
}

@Suite("Keys of tokens")
struct TokenKeyTests {
    @Test("RFC 8037 A.4: a signature with Ed25519 is verified, and is made again")
    func edDSA() throws {
        let key = try TokenKey("EdDSA:k:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        let message = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_M"
                    + "uM0KAg"))
        #expect(key.verifies(signature, of: message.utf8))
        #expect(!key.verifies(signature, of: message.dropLast().utf8))
        #expect(!key.verifies(signature.dropLast(), of: message.utf8))
        #expect(!key.verifies([], of: message.utf8))
        for index in signature.indices {
            var other = signature
            other[index] ^= 1
            #expect(!key.verifies(other, of: message.utf8))
        }
        let secret = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        #expect(Ed25519.signature(of: Array(message.utf8), by: secret) == signature)
        #expect(Ed25519.publicKey(of: secret).map(Base64URL.encode) == key.text.dropFirst(8) + "")
    }

    @Test("RFC 8032 §5.1.7: S at the group order or above it is not valid")
    func malleability() throws {
        let key = try TokenKey("EdDSA:k:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        let message = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        var signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_M"
                    + "uM0KAg"))
        // The order of the group, 2^252 + 27742317777372353535851937790883648493.
        let order: [UInt8] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9,
            0xde, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var carry = 0
        for index in 0..<32 {
            carry += Int(signature[32 + index]) + Int(order[index])
            signature[32 + index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        #expect(carry == 0)
        #expect(!key.verifies(signature, of: message.utf8))
    }

    @Test("RFC 7515 A.1: a code with HMAC-SHA-256 is verified")
    func hs256() throws {
        let key = try TokenKey(
            "HS256:k:AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAz"
                + "Zr1Z9CAow")
        let message =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAs"
            + "DQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let code = try #require(Base64URL.decode("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.verifies(code, of: message.utf8))
        #expect(!key.verifies(code, of: (message + "A").utf8))
        #expect(!key.verifies(code.dropLast(), of: message.utf8))
        for index in code.indices {
            var other = code
            other[index] ^= 0x80
            #expect(!key.verifies(other, of: message.utf8))
        }
    }

    @Test("A private key is read as it is written", arguments: TokenAlgorithm.allCases)
    func signer(algorithm: TokenAlgorithm) throws {
        let signer = try #require(TokenSigner.random(algorithm))
        #expect(TokenSigner(jwk: signer.jwk)?.jwk == signer.jwk)
        let line = try #require(
            try KeyRing(Array("shop read * never \(signer.lineKey)".utf8)).issuers.first)
        #expect(signer.signs(for: line))
        let parts = try #require(
            signer.token(TokenClaims(issuer: "shop", issuedAt: 1, expiry: 2))
        ).split(separator: ".")
        try #require(parts.count == 3)
        let signature = try #require(Base64URL.decode(String(parts[2])))
        #expect(line.key.verifies(signature, of: "\(parts[0]).\(parts[1])".utf8))
        for other in ["{}", "", signer.jwk.replacing(algorithm.rawValue, with: "none")] {
            #expect(TokenSigner(jwk: other) == nil)
        }
    }
}

@Suite("Patterns with readers (docs/operations.md, Issuers)")
struct ReaderPatternTests {
    @Test(
        "The reader is in place of {sub}, and no name is that of two readers",
        arguments: [
            (
                "user-{sub}-*", "a", ["user-a-", "user-a-b-home"],
                ["user-a", "user-b-a", "user-ab-"]
            ),
            ("user-{sub}-*", "a-b", [], ["user-a-b-home"]),
            ("user.{sub}.*", "a-b", ["user.a-b.home"], ["user.a.b", "user.a-b"]),
            ("user-{sub}", "a-b", ["user-a-b"], ["user-a", "user-a-b-"]),
            ("{sub}", "a", ["a"], ["b", "aa"]),
            ("home,{sub}.x,{sub}.y*", "a", ["home", "a.x", "a.y", "a.yz"], ["a.xx", "a."]),
            ("u-{sub},u-{sub}-x", "a-x", [], ["u-a-x"]),
            ("user-{sub}-*", "A_z-9", [], ["user-A_z-9-x"]),
            ("user.{sub}.*", "A_z-9", ["user.A_z-9.x"], []),
            ("home-*,user-{sub}", "", ["home-1"], ["user-"]),
            ("home-*,user-{sub}", "é", ["home-1"], ["user-é", "user-"]),
            ("user-{sub}", "a.b", [], ["user-a.b"]), ("user-{sub}", "a~b", [], ["user-a~b"]),
            ("user-{sub}", "*", [], ["user-*", "user-a"]),
            ("user-{sub}", "{sub}", [], ["user-{sub}"]),
        ] as [(String, String, [String], [String])])
    func matches(text: String, sub: String, own: [String], others: [String]) throws {
        let patterns = try ReaderPatterns(text)
        for name in own { #expect(patterns.contains(name, of: sub), "\(name)") }
        for name in others { #expect(!patterns.contains(name, of: sub), "\(name)") }
        let listed = patterns.patterns(of: sub)
        for name in own { #expect(listed.contains { $0.matches(name) }, "\(name)") }
        for name in others { #expect(!listed.contains { $0.matches(name) }, "\(name)") }
    }

    @Test("Without a reader {sub} matches nothing")
    func withoutReader() throws {
        let patterns = try ReaderPatterns("home,user-{sub}")
        #expect(patterns.contains("home", of: nil))
        #expect(!patterns.contains("user-", of: nil))
        #expect(patterns.patterns(of: nil).map(\.text) == ["home"])
        #expect(patterns.haveReader)
        #expect(try !ReaderPatterns("home").haveReader)
    }
}
