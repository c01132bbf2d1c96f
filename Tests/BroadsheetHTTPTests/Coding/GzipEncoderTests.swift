import BroadsheetHTTP
import TestSupport
import Testing

@Suite("The gzip coding (RFC 9110 §8.4.1.3, RFC 1952)")
struct GzipEncoderTests {
    private func compress(_ parts: [[UInt8]], limit: Int = .max) -> [UInt8]? {
        guard let encoder = GzipEncoder(limit: limit) else { return nil }
        for part in parts where !encoder.append(part.span) { return nil }
        return encoder.finish()
    }

    private func random(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(
        "Content in any parts is restored",
        arguments: [0, 1, 100, 16_383, 16_384, 16_385, 100_000])
    func restored(count: Int) throws {
        for content in [random(count, 1), [UInt8](repeating: 0x20, count: count)] {
            for size in [1000, 16_384, max(1, count)] {
                let parts = stride(from: 0, to: count, by: size).map {
                    Array(content[$0..<min(count, $0 + size)])
                }
                let compressed = try #require(compress(parts))
                #expect(try gunzip(compressed) == content)
            }
        }
    }

    @Test("Equal contents have equal bytes, with neither a time nor a name (RFC 1952 §2.3)")
    func equal() throws {
        let content = Array("tree ".utf8) + random(50_000, 2)
        let compressed = try #require(compress([content]))
        #expect(compress([content]) == compressed)
        #expect(compressed.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }

    @Test("More compressed bytes than the limit are not produced")
    func limit() throws {
        let content = random(100_000, 3)
        let size = try #require(compress([content])).count
        #expect(compress([content], limit: size)?.count == size)
        for limit in [0, 10, 50_000, size - 1] {
            #expect(compress([content], limit: limit) == nil)
        }
    }
}
