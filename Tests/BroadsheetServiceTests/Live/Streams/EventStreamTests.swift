import BroadsheetHTTP
import BroadsheetIO
import Testing

@testable import BroadsheetService

@Suite("Server-Sent Events (WHATWG HTML, \"Server-sent events\")")
struct EventStreamTests {
    @Test(
        "The data is one line: ends of line between values of JSON become spaces",
        arguments: [
            ("{}", "{}"), ("{\n  \"a\": 1\r\n}", "{   \"a\": 1  }"), ("\r\n[]\n", "  [] "),
            (#"{"a": "line\nline"}"#, #"{"a": "line\nline"}"#),
        ])
    func lines(data: String, line: String) {
        let event = StreamEvent(.changes, id: "7.tag", data: Array(data.utf8))
        let text = String(decoding: event.bytes, as: UTF8.self)
        #expect(text == "event: changes\nid: 7.tag\ndata: \(line)\n\n")
    }

    @Test("An event without an id leaves the last one as it is")
    func withoutID() {
        let event = StreamEvent(.removed, id: nil, data: Array("{}".utf8))
        #expect(String(decoding: event.bytes, as: UTF8.self) == "event: removed\ndata: {}\n\n")
    }

    @Test("Clients that lose their streams at once connect again at different times")
    func retry() {
        let waits = (0..<4000).map { number in
            let line = String(decoding: EventStream.beginning(of: number).bytes, as: UTF8.self)
            return Int(line.dropFirst("retry: ".count).dropLast(2)) ?? 0
        }
        #expect(Set(waits).count == 4000)
        #expect(waits.allSatisfy { (1000..<5000).contains($0) })
        #expect(Set(waits.prefix(5).map { $0 / 1000 }).count == 4)
    }

    @Test("A part that streams share is reserved once, or refused when no memory is free in time")
    func memory() async throws {
        let memory = MemoryBudget(limit: 1000) { _ in }
        let event = StreamEvent(.tree, id: "1", data: [UInt8](repeating: 0x20, count: 500))
        let part = try await event.sharedPart(in: memory)
        #expect((500..<600).contains(memory.statistics.used(by: .responses)))
        await #expect(throws: Problem.self) { _ = try await event.sharedPart(in: memory) }
        withExtendedLifetime(part) {}
    }
}
