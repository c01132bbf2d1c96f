import BroadsheetHTTP
import TestSupport
import Testing

/// Random pieces and random damage; a failing case prints its seed, which repeats it.
@Suite("Any bytes in any pieces: the parser ends, and the pieces do not matter")
struct ParserPropertyTests {
    private static let interesting: [UInt8] =
        Array("\r\n \t:;,0aFx\"\\/*%?=-+\0".utf8) + [
            0x16, 0x7F, 0x80, 0xFF,
        ]

    private func damaged(_ stream: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = stream
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            let byte = Self.interesting.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(byte, at: index)
            case 1 where index < bytes.count: bytes[index] = byte
            case 2 where index < bytes.count: bytes.remove(at: index)
            case 3 where index < bytes.count:
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default:
                let end = Int.random(in: index...bytes.count, using: &random)
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            }
        }
        return bytes
    }

    private func pieces(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(rest.count, 40), using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    @Test("Damaged requests give the same requests and failure in one piece and in many")
    func damagedRequests() {
        var limits = HTTPLimits()
        limits.maxBody = 4_096
        limits.maxHeaderBytes = 256
        limits.maxTarget = 128
        let streams = (Corpus.valid + Corpus.invalid).map { Array($0.utf8) }
        for seed in 1...4_000 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let first = streams.randomElement(using: &random) ?? []
            let second = streams.randomElement(using: &random) ?? []
            let bytes = damaged(first + second, &random)
            let whole = Transcript(of: [bytes], limits: limits)
            let cut = Transcript(of: pieces(bytes, &random), limits: limits)
            #expect(whole == cut, "seed \(seed)")
            #expect(whole.failure != nil || whole.ended, "seed \(seed)")
        }
    }

    @Test("Random bytes end in a failure, or in the peer's end")
    func noise() {
        for seed in 1...2_000 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if seed.isMultiple(of: 2) { bytes = Array("GET / HTTP/1.1\r\n".utf8) + bytes }
            let whole = Transcript(of: [bytes])
            #expect(whole == Transcript(of: pieces(bytes, &random)), "seed \(seed)")
            #expect(whole.failure != nil || whole.ended, "seed \(seed)")
        }
    }

    @Test("A body in any chunks, and chunks in any pieces, are read whole")
    func chunkedRoundTrip() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let body = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var bytes = Array(
                "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            for piece in pieces(body, &random) where !piece.isEmpty {
                bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
            }
            bytes += Array("0\r\n\r\n".utf8)
            let transcript = Transcript(of: pieces(bytes, &random))
            #expect(transcript.requests.map(\.body) == [body], "seed \(seed)")
        }
    }
}

@Suite("Requests in pieces (RFC 9112 §2.2: a message is a stream of octets)")
struct CutTests {
    @Test(
        "A valid stream has the same requests when it is cut at any byte", arguments: Corpus.valid)
    func soundCutEverywhere(stream: String) {
        let bytes = Array(stream.utf8)
        let whole = Transcript(of: [bytes])
        #expect(whole.failure == nil)
        #expect(whole.ended)
        for offset in 0...bytes.count {
            #expect(Transcript(of: bytes.cut(at: offset)) == whole, "cut at \(offset)")
        }
    }

    @Test(
        "An invalid stream has the same failure when it is cut at any byte",
        arguments: Corpus.invalid)
    func unsoundCutEverywhere(stream: String) {
        let bytes = Array(stream.utf8)
        let whole = Transcript(of: [bytes])
        #expect(whole.failure != nil)
        for offset in 0...bytes.count {
            #expect(Transcript(of: bytes.cut(at: offset)) == whole, "cut at \(offset)")
        }
    }

    @Test("A stream reads the same byte by byte", arguments: Corpus.valid + Corpus.invalid)
    func byteByByte(stream: String) {
        let bytes = Array(stream.utf8)
        #expect(Transcript(of: bytes.singly) == Transcript(of: [bytes]))
    }

    @Test(
        "A stream that ends early is incomplete, or idle between requests (RFC 9112 §8)",
        arguments: Corpus.valid)
    func everyPrefix(stream: String) {
        let bytes = Array(stream.utf8)
        for length in 0..<bytes.count {
            let transcript = Transcript(of: [Array(bytes[..<length])])
            #expect(
                transcript.ended || transcript.failure == .badRequest(.incomplete),
                "cut short at \(length)")
        }
    }

    @Test("The same applies with limits that some of the streams exceed")
    func tightLimits() {
        var limits = HTTPLimits()
        limits.maxHeaderBytes = 60
        limits.maxHeaders = 3
        limits.maxTarget = 24
        limits.maxBody = 6
        for stream in Corpus.valid + Corpus.invalid {
            let bytes = Array(stream.utf8)
            let whole = Transcript(of: [bytes], limits: limits)
            for offset in 0...bytes.count {
                let cut = Transcript(of: bytes.cut(at: offset), limits: limits)
                #expect(cut == whole, "\(stream) cut at \(offset)")
            }
        }
    }
}
