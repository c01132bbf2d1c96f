import BroadsheetClient
import Foundation
import Testing

@Suite("Streams of the conformance kit (docs/web.md, Conformance kit)")
struct EventConformanceTests {
    /// A stream with its events.
    private struct Case: Decodable {
        /// An event of the stream.
        struct Event: Decodable, Equatable {
            let type, id, data: String
        }

        let name, bytes: String
        let events: [Event]
        let lastEventId: String
        let retry: Int64?
    }

    @Test("Streams have the expected events, pushed whole, by bytes, and cut in two anywhere")
    func streams() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Fixtures/conformance/events.json"))
        let cases = try JSONDecoder().decode([Case].self, from: data)
        #expect(cases.count >= 90)
        for one in cases {
            let bytes = Array(try #require(Data(base64Encoded: one.bytes)))
            try check(bytes.map { [$0] }, one)
            for cut in 0...bytes.count {
                try check([Array(bytes[..<cut]), Array(bytes[cut...])], one)
            }
        }
    }

    private func check(_ parts: [[UInt8]], _ expected: Case) throws {
        var decoder = EventDecoder()
        var events: [Case.Event] = []
        for part in parts {
            events += try decoder.decode(part).map {
                Case.Event(type: $0.name, id: $0.id, data: String(decoding: $0.data, as: UTF8.self))
            }
        }
        #expect(events == expected.events, "\(expected.name)")
        #expect(decoder.lastEventID == expected.lastEventId, "\(expected.name)")
        #expect(decoder.retry == expected.retry.map { .milliseconds($0) }, "\(expected.name)")
    }
}
