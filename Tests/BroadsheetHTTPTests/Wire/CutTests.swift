import BroadsheetHTTP
import Testing

@Suite("Requests cut anywhere (RFC 9112 §2.2: a message is a stream of octets)")
struct CutTests {
    @Test("A sound stream reads the same cut at every byte", arguments: Corpus.sound)
    func soundCutEverywhere(stream: String) {
        let bytes = Array(stream.utf8)
        let whole = Transcript(of: [bytes])
        #expect(whole.failure == nil)
        #expect(whole.ended)
        for offset in 0...bytes.count {
            #expect(Transcript(of: bytes.cut(at: offset)) == whole, "cut at \(offset)")
        }
    }

    @Test("An unsound stream fails the same cut at every byte", arguments: Corpus.unsound)
    func unsoundCutEverywhere(stream: String) {
        let bytes = Array(stream.utf8)
        let whole = Transcript(of: [bytes])
        #expect(whole.failure != nil)
        for offset in 0...bytes.count {
            #expect(Transcript(of: bytes.cut(at: offset)) == whole, "cut at \(offset)")
        }
    }

    @Test("A stream reads the same byte by byte", arguments: Corpus.sound + Corpus.unsound)
    func byteByByte(stream: String) {
        let bytes = Array(stream.utf8)
        #expect(Transcript(of: bytes.singly) == Transcript(of: [bytes]))
    }

    @Test(
        "A stream cut short and closed is incomplete, or at rest between requests (RFC 9112 §8)",
        arguments: Corpus.sound)
    func everyPrefix(stream: String) {
        let bytes = Array(stream.utf8)
        for length in 0..<bytes.count {
            let transcript = Transcript(of: [Array(bytes[..<length])])
            #expect(
                transcript.ended || transcript.failure == .badRequest(.incomplete),
                "cut short at \(length)")
        }
    }

    @Test("The same holds under limits that some of the streams cross")
    func tightLimits() {
        var limits = HTTPLimits()
        limits.maxHeaderBytes = 60
        limits.maxHeaders = 3
        limits.maxTarget = 24
        limits.maxBody = 6
        for stream in Corpus.sound + Corpus.unsound {
            let bytes = Array(stream.utf8)
            let whole = Transcript(of: [bytes], limits: limits)
            for offset in 0...bytes.count {
                let cut = Transcript(of: bytes.cut(at: offset), limits: limits)
                #expect(cut == whole, "\(stream) cut at \(offset)")
            }
        }
    }
}
