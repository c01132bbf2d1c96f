import Broadsheet
import BroadsheetServer
import BroadsheetStores
import Synchronization
import TestSupport
import Testing

@Suite("Action handlers of a server", .timeLimit(.minutes(hangMinutes)))
struct ActionHandlerTests {
    private struct Row: CellType {
        static let id: JSONPointer? = "/id"

        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
    }

    private struct Refused: Error {}

    /// A registry with handlers that return operations at once, later, and not at all.
    private static func registry(_ seen: Seen) throws -> CellRegistry {
        var registry = CellRegistry()
        registry.register("LIST") { unit, section in section.cells(Row.self, data: unit.data) }
        let patch = try JSONDocument(Array(#"{"f":true}"#.utf8)).root
        registry.handle("favourite", of: "Row") { action in
            seen.add(action)
            return [.patchItem(section: action.section, item: action.item, patch: patch)]
        }
        registry.handle("later") { action in
            await Task.yield()
            return [.deleteItems(section: action.section, .some([action.item]))]
        }
        registry.handle("refuse") { _ in throw Refused() }
        registry.handle("flood") { action in
            let one = UpdateOperation.patchItem(
                section: action.section, item: action.item, patch: patch)
            return Array(repeating: one, count: EditLimits.maxUpdateOperations + 1)
        }
        return registry
    }

    /// The data and the input of the actions that a handler has received.
    private final class Seen: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ action: ItemAction) {
            let input = action.input?["n"]?.string ?? "none"
            texts.withLock { $0.append("\(action.data["id"]?.string ?? "") \(input)") }
        }
    }

    private static func event(_ name: String, _ item: String, _ more: String = "") -> String {
        #"{"type":"action","section":"List","item":"\#(item)","name":"\#(name)"\#(more)}"#
    }

    private func running(
        _ body: @Sendable (HTTPClient, Seen) async throws -> Void
    ) async throws {
        let seen = Seen()
        try await ScreenServer.running(registry: Self.registry(seen)) { client in
            let page =
                #"{"sections":[{"sectionId":"List","units":[{"unitType":"LIST","unitData":"#
                + #"[{"id":"a"},{"id":"b"},{"id":"c"}]}]}]}"#
            _ = try await client.send("PUT", "/v1/screens/home/pages/0", page)
            try await body(client, seen)
        }
    }

    private func report(
        _ client: HTTPClient, _ events: String...
    ) async throws -> HTTPClient.Response {
        try await client.send(
            "POST", "/v1/screens/home/events",
            #"{"events":[\#(events.joined(separator: ","))]}"#)
    }

    @Test("The operations of handlers are one update, in the order of the events")
    func operations() async throws {
        try await running { client, seen in
            let response = try await report(
                client, Self.event("favourite", "b", #","input":{"n":"x"}"#),
                Self.event("later", "a"), Self.event("favourite", "missing"),
                Self.event("favorite", "c"))
            #expect(response.status == 202)
            #expect(response.text.hasPrefix(#"{"accepted":4,"revision":2,"diagnostics":[{"#))
            // The names of handlers are known, too.
            let unknown =
                #"{"code":"UNKNOWN_ACTION","pointer":"/events/3/name","detail":"the cell type \"Row\" "#
                + #"binds no action \"favorite\"; did you mean \"favourite\"?"}]}"#
            #expect(response.text.hasSuffix(unknown), "\(response.text)")
            #expect(seen.all == ["b x"])
            let page = try await client.send("GET", "/v1/screens/home/pages/0").text
            #expect(page.contains(#"{"id":"b","f":true}"#))
            #expect(!page.contains(#""id":"a""#))
        }
    }

    @Test("A handler that throws is UPDATE_FAILED at its event, and nothing changes")
    func failures() async throws {
        try await running { client, _ in
            for name in ["refuse", "flood"] {
                let response = try await report(
                    client, Self.event("favourite", "b"), Self.event(name, "c"))
                #expect(response.status == 409, "\(response.text)")
                #expect(response.text.contains("UPDATE_FAILED"))
                #expect(response.text.contains("/events/1"))
                #expect(!response.text.contains("Refused"))
            }
            let page = try await client.send("GET", "/v1/screens/home").text
            #expect(page.contains(#""revision":1"#))
        }
    }
}
