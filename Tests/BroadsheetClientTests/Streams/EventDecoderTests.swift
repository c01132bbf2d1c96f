import BroadsheetClient
import Testing

@Suite("Server-Sent Events (HTML, 9.2.6)")
struct EventDecoderTests {
    private static let stream =
        "\u{FEFF}retry: 1500\r\n: comment\r\nevent: tree\r\nid: 1\r\ndata: a\r\ndata\r\ndata: b\r\n\r\n"
        + "data:x\n\nid\rdata: é\r\revent: lost\n\nid: 7\n\nid: a\0b\ndata: end\n\ndata: cut"

    @Test("A stream in parts of any size", arguments: [1, 2, 3, 7, 1000])
    func parts(_ size: Int) throws {
        let bytes = Array(Self.stream.utf8)
        var decoder = EventDecoder()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try decoder.decode(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(
            events == [
                ServerSentEvent(name: "tree", id: "1", data: Array("a\n\nb".utf8)),
                ServerSentEvent(id: "1", data: Array("x".utf8)),
                ServerSentEvent(data: Array("é".utf8)),
                ServerSentEvent(id: "7", data: Array("end".utf8)),
            ])
        #expect(decoder.lastEventID == "7")
        #expect(decoder.retry == .milliseconds(1500))
    }

    @Test("An event that is too large is an error, and bytes that are not UTF-8 are replaced")
    func limits() throws {
        var decoder = EventDecoder(maxEventBytes: 10)
        #expect(try decoder.decode(Array("data: 1234\n\n".utf8)).count == 1)
        #expect(throws: ClientError.self) { try decoder.decode(Array("data: 12345".utf8)) }
        var other = EventDecoder()
        let events = try other.decode(Array("data: ".utf8) + [0xFF] + Array("\n\n".utf8))
        #expect(events.first?.data == Array("\u{FFFD}".utf8))
    }
}
