import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("Hostile tokens (RFC 8725)")
struct HostileTokenTests {
    /// The code of the problem of a token; `nil` for one that is accepted.
    private func code(_ token: String, by ring: KeyRing) -> String? {
        let now = Int64(TestIssuer.now) * 1000
        do throws(TokenRefusal) {
            let unverified = try UnverifiedToken(
                Substring(token).utf8, SecretDigest(of: token.utf8), by: ring, at: now)
            do throws(TokenFailure) {
                _ = try unverified.verified(at: now)
                return nil
            } catch {
                return error.code.rawValue
            }
        } catch {
            return error.failure.code.rawValue
        }
    }

    private func ring(_ issuers: TestIssuer...) throws -> KeyRing {
        try KeyRing(issuers: issuers.map { $0.line() })
    }

    private func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    @Test(
        "The header has alg and kid as texts, no crit, no repeated member and nothing that counts",
        arguments: [
            (#"{"alg":"HS256","kid":"k"}"#, nil),
            (#"{"alg":"HS256","kid":"k","typ":"other","cty":7}"#, nil),
            // §3.10: nothing is fetched from where a token says.
            (
                #"{"alg":"HS256","kid":"k","jku":"http://a","x5u":"http://a","jwk":{},"x5c":[]}"#,
                nil
            ),
            (#"{"alg":"HS256","kid":"k","crit":[]}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":"k","crit":null}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":"k","b64":false,"crit":["b64"]}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256"}"#, "TOKEN_INVALID"), (#"{"kid":"k"}"#, "TOKEN_INVALID"),
            (#"{"alg":["HS256"],"kid":"k"}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":7}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":"k","kid":"k"}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":"k","\u006bid":"k"}"#, "TOKEN_INVALID"),
            (#"["HS256","k"]"#, "TOKEN_INVALID"), ("{}", "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":"k","a":[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}"#, nil),
            (#"{"alg":"HS256","kid":"k","a":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}"#, "TOKEN_INVALID"),
            (#"{"alg":"HS256","kid":""}"#, "TOKEN_KEY_UNKNOWN"),
            (#"{"alg":"HS256","kid":"../../dev/null"}"#, "TOKEN_KEY_UNKNOWN"),
            (#"{"alg":"HS256","kid":"k' or '1'='1"}"#, "TOKEN_KEY_UNKNOWN"),
            // §3.1: the algorithm is that of the line.
            (#"{"alg":"none","kid":"k"}"#, "TOKEN_SIGNATURE_INVALID"),
            (#"{"alg":"hs256","kid":"k"}"#, "TOKEN_SIGNATURE_INVALID"),
            (#"{"alg":"HS512","kid":"k"}"#, "TOKEN_SIGNATURE_INVALID"),
            (#"{"alg":"EdDSA","kid":"k"}"#, "TOKEN_SIGNATURE_INVALID"),
        ] as [(String, String?)])
    func headers(header: String, expected: String?) throws {
        let token = try TestIssuer.hs256.token(header: header)
        #expect(try code(token, by: ring(.hs256)) == expected)
    }

    @Test("RFC 8725 §2.1: a token without a signature is refused in any spelling of none")
    func unsigned() throws {
        let payload = encoded(TestIssuer.payload())
        for name in ["none", "None", "NONE", "nOnE", ""] {
            let header = encoded(#"{"alg":"\#(name)","kid":"k"}"#)
            #expect(try code("\(header).\(payload).", by: ring(.hs256)) == "TOKEN_INVALID")
            #expect(
                try code("\(header).\(payload).AA", by: ring(.hs256)) == "TOKEN_SIGNATURE_INVALID")
        }
    }

    @Test("RFC 8725 §2.1: the public key of Ed25519 is no secret of HS256")
    func confusion() throws {
        let key = try #require(Base64URL.decode(TestIssuer.edDSA.key))
        for algorithm in ["HS256", "EdDSA"] {
            let message =
                encoded(#"{"alg":"\#(algorithm)","kid":"k"}"#) + "." + encoded(TestIssuer.payload())
            let texts = [key, Array(TestIssuer.edDSA.key.utf8)]
            for secret in texts {
                let code = HMACSHA256.code(of: message.utf8, by: secret)
                for signature in [code, code + code] {
                    #expect(
                        try self.code(
                            message + "." + Base64URL.encode(signature), by: ring(.edDSA))
                            == "TOKEN_SIGNATURE_INVALID")
                }
            }
        }
    }

    @Test(
        "Three parts in canonical Base64URL, none empty, of at most 8,192 bytes together",
        arguments: TestIssuer.both)
    func form(issuer: TestIssuer) throws {
        let ring = try ring(issuer)
        let token = try issuer.token()
        let parts = token.split(separator: ".").map(String.init)
        let others = [
            "", ".", "..", "...", "\(parts[0])", "\(parts[0]).\(parts[1])", token + ".",
            token + ".e30", "." + token, "\(parts[0])..\(parts[2])", ".\(parts[1]).\(parts[2])",
            token + "=", token + " ", "\(parts[0])=.\(parts[1]).\(parts[2])",
            token.replacing(".", with: "%2E"), String(token.reversed()),
            parts[0] + "." + parts[1].dropLast() + "+." + parts[2],
            "\(parts[0]).\(parts[1]).\(parts[2])é",
        ]
        for other in others { #expect(code(other, by: ring) == "TOKEN_INVALID", "\(other)") }
        // Another spelling of the last bits of a part.
        for part in 0..<3 where parts[part].utf8.count % 4 != 0 {
            let last = try #require(parts[part].last)
            for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            where character != last {
                var changed = parts
                changed[part] = parts[part].dropLast() + String(character)
                #expect(code(changed.joined(separator: "."), by: ring) != nil)
            }
        }
        func padded(_ count: Int) throws -> String {
            try issuer.token(
                TestIssuer.payload("\"a\":\"\(String(repeating: "x", count: count))\""))
        }
        let count = try (5_900..<6_200).last { try padded($0).utf8.count <= 8192 }
        let longest = try #require(count)
        #expect(code(try padded(longest), by: ring) == nil)
        #expect(code(try padded(longest + 2), by: ring) == "TOKEN_INVALID")
    }

    @Test(
        "RFC 8725 §2.6: a signature is that of its own header and payload",
        arguments: TestIssuer.both)
    func substitution(issuer: TestIssuer) throws {
        let ring = try ring(issuer)
        let (one, other) = (
            try issuer.token(), try issuer.token(TestIssuer.payload(#""sub":"b""#))
        )
        let (first, second) = (one.split(separator: "."), other.split(separator: "."))
        #expect(
            code("\(first[0]).\(second[1]).\(first[2])", by: ring) == "TOKEN_SIGNATURE_INVALID")
        #expect(
            code("\(first[0]).\(first[1]).\(second[2])", by: ring) == "TOKEN_SIGNATURE_INVALID")
    }

    @Test("The payload is not read before the signature: a forged token learns nothing of it")
    func order() throws {
        for payload in ["{", "[]", TestIssuer.payload("", from: 0), #"{"aud":"x"}"#] {
            let token = try TestIssuer.hs256.token(payload)
            let forged = token.dropLast(2) + (token.hasSuffix("AA") ? "BB" : "AA")
            let code = try code(String(forged), by: ring(.hs256))
            #expect(code == "TOKEN_SIGNATURE_INVALID" || code == "TOKEN_INVALID")
            let zeros = Base64URL.encode([UInt8](repeating: 0, count: 32))
            let parts = token.split(separator: ".")
            #expect(
                try self.code("\(parts[0]).\(parts[1]).\(zeros)", by: ring(.hs256))
                    == "TOKEN_SIGNATURE_INVALID")
        }
    }

    @Test("Of 100,000 mutations of good tokens none is accepted")
    func mutations() throws {
        var random = SeededGenerator(seed: 48)
        let ring = try KeyRing(
            issuers: [
                TestIssuer.hs256.line(), TestIssuer(algorithm: .edDSA, id: "e").line(),
            ])
        let good = try [
            TestIssuer.hs256.token(), TestIssuer(algorithm: .edDSA, id: "e").token(),
            TestIssuer.hs256.token(
                TestIssuer.payload(#""sub":"a","screens":["home"],"scope":"read""#)),
        ].map { Array($0.utf8) }
        for token in good { #expect(code(String(decoding: token, as: UTF8.self), by: ring) == nil) }
        var accepted = 0
        for index in 0..<100_000 {
            let token = good[index % good.count]
            let mutated = Self.mutated(token, good, &random)
            guard mutated != token, !good.contains(mutated) else { continue }
            if code(String(decoding: mutated, as: UTF8.self), by: ring) == nil { accepted += 1 }
        }
        #expect(accepted == 0)
    }

    private static let characters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=".utf8)

    private static func mutated(
        _ token: [UInt8], _ others: [[UInt8]], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var mutated = token
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard !mutated.isEmpty else { break }
            let index = Int.random(in: mutated.indices, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: mutated[index] = characters.randomElement(using: &random) ?? 0
            case 1: mutated[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: mutated.remove(at: index)
            case 3: mutated.insert(characters.randomElement(using: &random) ?? 0, at: index)
            case 4: mutated.removeSubrange(index...)
            case 5:
                // A part of another token.
                let parts = mutated.split(separator: UInt8(ascii: "."))
                let other = (others.randomElement(using: &random) ?? [])
                    .split(separator: UInt8(ascii: "."))
                guard parts.count == 3, other.count == 3 else { continue }
                let changed = Int.random(in: 0..<3, using: &random)
                mutated = Array(
                    (0..<3).map { $0 == changed ? other[$0] : parts[$0] }
                        .joined(separator: [UInt8(ascii: ".")]))
            default:
                // A byte of the JSON of a part.
                var parts = mutated.split(separator: UInt8(ascii: ".")).map(Array.init)
                let changed = Int.random(in: 0..<2, using: &random)
                guard parts.count == 3, var bytes = Base64URL.decode(parts[changed]),
                    !bytes.isEmpty
                else { continue }
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: 32..<127, using: &random)
                parts[changed] = Array(Base64URL.encode(bytes).utf8)
                mutated = Array(parts.joined(separator: [UInt8(ascii: ".")]))
            }
        }
        return mutated
    }
}
