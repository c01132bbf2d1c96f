import TestSupport

/// Creates variants of well-formed inputs.
struct Mutator {
    /// Bytes with a meaning in HTTP, URIs, JSON, RESP, or UTF-8.
    private static let syntaxBytes =
        Array("\r\n\0\t :,;/%?#\"\\{}[]()=&+-*$!<>_.~@019aAeEx".utf8)
        + [0x7F, 0x80, 0xBF, 0xC0, 0xED, 0xEF, 0xF0, 0xFF]
    /// Numbers at the limits of types, and words of the grammars.
    private static let words = [
        "9223372036854775807", "-9223372036854775808", "18446744073709551616", "4294967296",
        "65536", "-1", "1e308", "1e-400", "0.1", "true", "null", "\\ud800", "\\u0000", "%00",
        "%F0%9F", "\u{1F600}", "\r\n\r\n", "\r\n0\r\n\r\n", "{}", "[]", "*1\r\n", "$-1\r\n",
    ].map { Array($0.utf8) }
    /// The maximum length of an input; a mutation may exceed it once.
    static let maxLength = 4096

    /// Returns a variant of one of `seeds`, sometimes joined with another one, rarely noise.
    static func input(from seeds: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = pick(seeds, &random) ?? []
        switch random.next() % 16 {
        case 0: bytes = noise(&random)
        case 1:
            let other = pick(seeds, &random) ?? []
            let start = index(upTo: bytes.count, &random)
            bytes.replaceSubrange(start..., with: other[index(upTo: other.count, &random)...])
        default: break
        }
        for _ in 0..<(random.next() % 6) { mutate(&bytes, &random) }
        return bytes
    }

    private static func noise(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let start = index(upTo: bytes.count, &random)
        let end = min(bytes.count, start + index(upTo: 40, &random))
        switch random.next() % 8 {
        case 0: bytes.removeSubrange(start..<end)
        case 1 where bytes.count < maxLength:
            bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 2 where random.next() % 4 == 0: bytes.removeSubrange(start...)
        case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: start)
        case 4 where start < bytes.count: bytes[start] ^= 1 << UInt8(random.next() % 8)
        case 5: bytes.insert(contentsOf: pick(words, &random) ?? [], at: start)
        case 6 where start < bytes.count: bytes[start] = pick(syntaxBytes, &random) ?? 0
        case 7 where bytes.count < maxLength && random.next() % 8 == 0: bytes += bytes
        default: bytes.insert(pick(syntaxBytes, &random) ?? 0, at: start)
        }
    }

    private static func index(upTo count: Int, _ random: inout SeededGenerator) -> Int {
        Int(random.next() % UInt64(count + 1))
    }

    private static func pick<Element>(
        _ elements: [Element], _ random: inout SeededGenerator
    ) -> Element? {
        elements.isEmpty ? nil : elements[Int(random.next() % UInt64(elements.count))]
    }
}

extension [UInt8] {
    /// Returns the bytes in random pieces, some of them empty.
    func pieces(_ random: inout SeededGenerator) -> [[UInt8]] {
        let longest = 1 + random.next() % 64
        var pieces: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let count = Swift.min(rest.count, Int(random.next() % (longest + 1)))
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// The bytes as text, with replacement characters where they are not UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }
}
