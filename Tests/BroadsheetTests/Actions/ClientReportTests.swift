import Broadsheet
import Testing

@Suite("Events of clients (docs/api.md, Events of clients)")
struct ClientReportTests {
    private func pointers(_ body: String) throws -> [String] {
        let document = try JSONDocument(Array(body.utf8))
        do throws(ContractError) {
            _ = try ClientReport(document)
            return []
        } catch {
            return error.violations.map(\.pointer)
        }
    }

    private func events(_ events: String) -> String { #"{"events": [\#(events)]}"# }

    @Test(
        "Members that a type requires, and members of the wrong type, are violations",
        arguments: [
            (#"{"type": "select", "section": "A", "item": 0}"#, []),
            (#"{"type": "willDisplay", "section": 0, "item": "a", "x": 1}"#, []),
            (#"{"type": "select", "section": "A", "item": null}"#, ["/item"]),
            (#"{"type": "unhighlight"}"#, ["/section", "/item"]),
            (#"{"type": "scroll"}"#, []), (#"{"type": "failed", "section": "A"}"#, []),
            (#"{"type": "scroll", "item": "a"}"#, ["/section"]),
            (#"{"type": "pageDidAppear", "page": 3}"#, []),
            (#"{"type": "pageWillDisappear"}"#, ["/page"]),
            (#"{"type": "pageDidAppear", "page": -1}"#, ["/page"]),
            (#"{"type": "pageDidAppear", "page": 2147483648}"#, ["/page"]),
            (#"{"type": "action", "name": "x"}"#, []), (#"{"type": "action"}"#, ["/name"]),
            (#"{"type": "action", "name": 1}"#, ["/name"]),
            (#"{"type": "Select"}"#, ["/type"]), (#"{"type": 1}"#, ["/type"]), ("{}", ["/type"]),
            ("7", [""]), (#"{"type": "scroll", "revision": -1, "at": -1}"#, ["/revision", "/at"]),
            (#"{"type": "scroll", "revision": 1.5, "at": "1"}"#, ["/revision", "/at"]),
            (#"{"type": "scroll", "at": 1e300}"#, ["/at"]),
            (#"{"type": "scroll", "at": 1763800000.25, "revision": 7e0}"#, []),
            (#"{"type": "scroll", "section": -1}"#, ["/section"]),
            (#"{"type": "select", "section": true, "item": {}}"#, ["/section", "/item"]),
            (#"{"type": "select", "section": "A", "view": "header"}"#, []),
            (#"{"type": "action", "name": "x", "section": 0, "view": "footer"}"#, []),
            (#"{"type": "select", "section": "A", "view": "side"}"#, ["/view"]),
            (#"{"type": "select", "section": "A", "view": 1}"#, ["/view"]),
            (#"{"type": "select", "section": "A", "item": 0, "view": "header"}"#, ["/view"]),
            (#"{"type": "action", "name": "x", "view": "header"}"#, ["/section"]),
            (#"{"type": "select", "section": "A", "view": null}"#, ["/item"]),
        ])
    func members(_ event: String, _ expected: [String]) throws {
        #expect(Set(try pointers(events(event))) == Set(expected.map { "/events/0" + $0 }))
    }

    @Test("A request has 1 to 1000 events, and an input at most 4096 bytes")
    func limits() throws {
        func body(_ count: Int) -> String {
            events(Array(repeating: #"{"type":"scroll"}"#, count: count).joined(separator: ","))
        }
        #expect(try pointers(body(1)) == [] && pointers(body(1000)) == [])
        #expect(try pointers(body(0)) == ["/events"] && pointers(body(1001)) == ["/events"])
        #expect(try pointers("{}") == ["/events"] && pointers("[]") == [""])
        func input(_ count: Int) -> String {
            let text = String(repeating: "x", count: count - 2)
            return events(#"{"type":"action","name":"a","input":"\#(text)"}"#)
        }
        #expect(try pointers(input(4096)) == [])
        #expect(try pointers(input(4097)) == ["/events/0/input"])
    }

    @Test("All violations of all events are found")
    func all() throws {
        let body = events(#"{"type":"x"},{"type":"scroll"},{"type":"action","at":[]}"#)
        #expect(try pointers(body) == ["/events/0/type", "/events/2/name", "/events/2/at"])
    }
}
