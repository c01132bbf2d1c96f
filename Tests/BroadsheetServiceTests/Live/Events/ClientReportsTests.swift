import Broadsheet
import BroadsheetIO
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The reports of clients in memory (docs/api.md, Events of clients)")
struct ClientReportsTests {
    private let memory = MemoryBudget(limit: 8 << 20)
    private let lost = Counter("lost", "")
    private let reports: ClientReports

    init() { reports = ClientReports(maxItems: 10_000, memory, lost: lost, token: 7) }

    private func name(_ text: String) throws -> ScreenName { try #require(ScreenName(text)) }

    /// Returns events with an input of so many bytes.
    private func events(_ json: String, _ count: Int = 1) throws -> [PostedEvent] {
        let all = Array(repeating: json, count: count).joined(separator: ",")
        return try ClientReport(JSONDocument(Array(#"{"events":[\#(all)]}"#.utf8))).events
    }

    private func action(_ input: String) -> String {
        #"{"type":"action","section":"S","item":"a","name":"n","input":"\#(input)"}"#
    }

    /// Adds events, all of which are forwarded.
    private func add(
        _ events: [PostedEvent], to screen: String, by key: String = ""
    ) throws {
        reports.add(
            events, forwarding: Array(events.indices), to: try name(screen),
            by: EventSender(reporter: key), now: 0)
        #expect(reports.byteCount <= reports.limit)
        #expect(memory.statistics.used(by: .events) <= reports.limit + (64 << 10))
    }

    /// Returns the inputs of the events that a feed of a screen would have.
    private func kept(_ screen: String) throws -> [String] {
        let events = reports.forwarded(of: try name(screen), after: 0, byteCount: .max)
        return try events.map { try #require(JSONDocument($0.data).root["input"]?.string) }
    }

    private func seen(_ count: Int, _ prefix: String) throws -> [PostedEvent] {
        let all = (0..<count).map {
            #"{"type":"willDisplay","section":"S","item":"\#(prefix)\#($0)"}"#
        }
        return try events(all.joined(separator: ","))
    }

    private let large = String(repeating: "x", count: 4_000)

    @Test("A flood of events of one screen takes nothing from the feed of another")
    func flood() throws {
        let inputs = (0..<20).map { "event \($0)" }
        for input in inputs { try add(events(action(input)), to: "quiet") }
        for _ in 0..<200 { try add(events(action(large), 10), to: "loud") }
        #expect(try kept("quiet") == inputs)
        let loud = try kept("loud")
        #expect(loud.count > 20 && loud.count < reports.limit / 4_000)
        #expect(lost.value == UInt64(2_000 - loud.count))
    }

    @Test("Journeys are dropped before events, and a flood of them drops none")
    func journeysFirst() throws {
        try add(events(action("kept")), to: "quiet")
        for round in 0..<40 {
            let events = try seen(100, "item \(round) ")
            reports.add(
                events, forwarding: [], to: try name("quiet"), by: EventSender(reporter: ""), now: 0
            )
        }
        reports.add(
            try seen(3, "other "), forwarding: [], to: try name("other"),
            by: EventSender(reporter: ""), now: 0)
        #expect(try kept("quiet") == ["kept"])
        let before = reports.journey(of: try name("other")).byteCount
        #expect(before > 0)
        for _ in 0..<100 { try add(events(action(large), 10), to: "loud") }
        #expect(reports.journey(of: try name("other")).byteCount == 0)
        #expect(try kept("quiet") == ["kept"])
    }

    @Test("A journey that has no more than its share loses nothing to those of other screens")
    func journeys() throws {
        reports.add(
            try seen(10, "a"), forwarding: [], to: try name("quiet"), by: EventSender(reporter: ""),
            now: 0)
        let before = reports.journey(of: try name("quiet")).byteCount
        for round in 0..<100 {
            let events = try seen(100, "long name \(round) ")
            reports.add(
                events, forwarding: [], to: try name("loud"), by: EventSender(reporter: ""), now: 0)
            #expect(reports.byteCount <= reports.limit)
        }
        #expect(reports.journey(of: try name("quiet")).byteCount == before)
        #expect(reports.journey(of: try name("loud")).byteCount > reports.limit / 2)
    }

    @Test("A key that floods many screens takes nothing from the events of another key")
    func keys() throws {
        for number in 0..<8 { try add(events(action("b")), to: "s\(number)", by: "b") }
        for round in 0..<400 {
            try add(events(action(large), 3), to: "s\(round % 150)", by: "a")
        }
        for number in 0..<8 { #expect(try kept("s\(number)").contains("b")) }
    }

    @Test("Of more than 1000 events of a screen, those of the key that has most are dropped")
    func maxEvents() throws {
        try add(events(action("b"), 100), to: "home", by: "b")
        for _ in 0..<3 { try add(events(action("a"), 1_000), to: "home", by: "a") }
        let inputs = try kept("home")
        #expect(inputs.count <= ForwardedEvents.maxEvents)
        #expect(inputs.filter { $0 == "b" }.count == 100)
        #expect(inputs.last == "a")
    }

    @Test("With more screens than there is space for, those without reports for long are dropped")
    func manyScreens() throws {
        let count = reports.limit / 1_000
        for number in 0..<count {
            let input = String(repeating: "x", count: 3_000)
            try add(events(action(input)), to: "screen-\(number)")
        }
        #expect(try kept("screen-0").isEmpty)
        #expect(try !kept("screen-\(count - 1)").isEmpty)
        #expect(lost.value > 0)
    }

    @Test("Events that a stream has received do not count as lost")
    func delivered() throws {
        for round in 0..<100 {
            try add(events(action(large), 10), to: "home")
            let inputs = try kept("home")
            #expect(inputs.last == large, "round \(round)")
        }
        #expect(lost.value == 0)
    }

    @Test("Without free memory nothing is kept, and the numbers of events go on")
    func noMemory() throws {
        let holder = try #require(memory.reservation(of: 8 << 20, for: .work))
        try add(events(action("a")), to: "home")
        #expect(try kept("home").isEmpty && reports.byteCount == 0)
        holder.shrink(to: 0)
        try add(events(action("b")), to: "home")
        #expect(try kept("home") == ["b"])
        let home = try name("home")
        #expect(reports.number(ofEvent: reports.id(ofEvent: 2), of: home) == 2)
    }

    @Test("Only the ids of events that the process has made are known")
    func ids() throws {
        try add(events(action("a"), 3), to: "home")
        let home = try name("home")
        for number in UInt64(0)...3 {
            #expect(reports.number(ofEvent: reports.id(ofEvent: number), of: home) == number)
        }
        for id in ["7.4", "7.+1", "7.01", "7.1.1", "8.1", "7.", ".1", "7.18446744073709551615"] {
            #expect(reports.number(ofEvent: id, of: home) == nil, "\(id)")
        }
    }

    @Test("Random floods stay within the memory, and a screen within its share loses nothing")
    func randomFloods() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seed(of: "client reports"))
        let quiet = (0..<5).map { "quiet \($0)" }
        for input in quiet { try add(events(action(input)), to: "quiet", by: "q") }
        for _ in 0..<500 {
            let size = Int.random(in: 1...4_000, using: &generator)
            let input = String(repeating: "y", count: size)
            let screen = "s\(Int.random(in: 0..<20, using: &generator))"
            let key = ["a", "b", "q"].randomElement(using: &generator) ?? "a"
            try add(
                events(action(input), Int.random(in: 1...8, using: &generator)), to: screen, by: key
            )
            if Bool.random(using: &generator) {
                reports.add(
                    try seen(20, "\(size) "), forwarding: [], to: try name(screen),
                    by: EventSender(reporter: key), now: 0)
            }
        }
        #expect(try kept("quiet") == quiet)
    }
}
