import Foundation
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    /// Tests that each event that was acknowledged is delivered to a backend, in order and at least
    /// once (docs/api.md, "Events of clients").
    @Suite struct Feeds {
        @Test("A daemon killed while 4 clients post delivers every acknowledged event, in order")
        func killedDaemon() throws {
            let folder = try ScratchFolder()
            let options =
                ["--store", "sqlite:" + folder.path("screens.db")] + (try Reporters.options(folder))
            let rounds = CrashRounds(of: "killed feed")
            let reporters = Reporters()
            var backend = Backend()
            try rounds.run { round, comment, generator in
                let daemon = try TestDaemon(options)
                if round == 0 { try Reporters.store(at: daemon) }
                let before = reporters.count
                let limit = Int.random(in: 1...60, using: &generator)
                let clients = reporters.start(at: [daemon.port], round: round)
                try reporters.wait(for: before + limit)
                if round.isMultiple(of: 2) { try backend.read(from: daemon, atLeast: 1) }
                daemon.program.end()
                try clients.stop()

                let again = try TestDaemon(options)
                try backend.readAll(from: again, reporters, comment)
                try backend.checkPage(at: again, reporters, comment)
                #expect(try again.stop() == .status(0), comment)
                return WriteLedger.Tally(acknowledged: reporters.count - before)
            }
        }

        @Test("On a disk that is full while 4 clients post every acknowledged event is delivered")
        func fullDisk() throws {
            let folder = try ScratchFolder()
            let options = try Reporters.options(folder)
            try CrashRounds(of: "full disk feed").run { round, comment, generator in
                let storage = try LimitedStorage()
                var daemon = try storage.start(options)
                try Reporters.store(at: daemon)
                let reporters = Reporters()
                var backend = Backend()
                var clients = reporters.start(at: [daemon.port], round: round)
                try fill(daemon)
                let refused = Int.random(in: 1...20, using: &generator)
                try reporters.wait(for: 1, refused: refused)
                try backend.readAll(from: daemon, reporters, comment)
                if round.isMultiple(of: 2) {
                    daemon.program.end()
                    try clients.stop()
                    daemon = try storage.start(options)
                    try backend.readAll(from: daemon, reporters, comment)
                    clients = reporters.start(at: [daemon.port], round: round + 1_000_000)
                }
                try storage.freeSpace(for: daemon)
                let further = Int.random(in: 1...50, using: &generator)
                try reporters.wait(for: reporters.count + further)
                daemon.program.end()
                try clients.stop()

                let again = try storage.start(options)
                try backend.readAll(from: again, reporters, comment)
                try backend.checkPage(at: again, reporters, comment)
                #expect(reporters.refused.isDisjoint(with: backend.events.map(\.note)), comment)
                #expect(try again.stop() == .status(0), comment)
                return WriteLedger.Tally(
                    acknowledged: reporters.count, refused: reporters.refused.count)
            }
        }

        /// Stores ever smaller pages of new screens until not even the smallest fits on the disk.
        private func fill(_ daemon: TestDaemon) throws {
            var number = 0
            for size in [100_000, 10_000, 1_000] {
                let page = #"{"sections":[],"filler":"\#(String(repeating: "f", count: size))"}"#
                var status = 201
                while status == 201 {
                    status = try daemon.request(
                        "PUT", "/v1/screens/full-\(number)/pages/0",
                        headers: [("Prefer", "return=minimal")], body: Array(page.utf8)
                    ).status
                    number += 1
                }
                guard status == 503 else { throw HarnessError("the status of a PUT is \(status)") }
            }
        }

        @Test("Each of two daemons on one Redis server delivers the events of both, in one order")
        func cluster() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let options = ["--store", redis.address] + (try Reporters.options(folder))
            var daemons = try (0..<2).map { _ in try TestDaemon(options) }
            try Reporters.store(at: daemons[0])
            let reporters = Reporters()
            var backends = [Backend(), Backend()]
            try CrashRounds(of: "feeds of two daemons").run { round, comment, generator in
                let before = reporters.count
                let limit = Int.random(in: 1...60, using: &generator)
                let clients = reporters.start(at: daemons.map(\.port), round: round)
                try reporters.wait(for: before + limit)
                // Of these clients some end with their daemon, and the others go on.
                daemons[round % 2].program.end()
                try reporters.wait(for: reporters.count + 5)
                try clients.stop()
                daemons[round % 2] = try TestDaemon(options)
                for index in 0..<2 {
                    try backends[index].readAll(from: daemons[index], reporters, comment)
                }
                // An event that was not acknowledged may be stored, and is the last one then.
                let pairs = zip(backends[0].events, backends[1].events)
                #expect(pairs.allSatisfy { $0 == $1 }, comment)
                return WriteLedger.Tally(acknowledged: reporters.count - before)
            }
        }

        @Test("A feed that is open at one daemon has the events that another one takes")
        func live() throws {
            let folder = try ScratchFolder()
            let redis = try RedisServer(folder: folder.path)
            let options = ["--store", redis.address] + (try Reporters.options(folder))
            let daemons = try (0..<2).map { _ in try TestDaemon(options) }
            try Reporters.store(at: daemons[0])
            let connection = try daemons[1].connect()
            try connection.send(Request.bytes("GET", "\(Reporters.screen)/feed"))
            try daemons[1].wait(for: "broadsheet_streams_open", toBe: 1)
            // Without an operation there is no revision, and with one there is.
            for (name, note) in [("note", "first"), ("keep", "second"), ("note", "third")] {
                let response = try daemons[0].request(
                    "POST", "\(Reporters.screen)/events", body: Reporters.body(name, [note]))
                #expect(response.status == 202, "\(response.text)")
                try connection.waitFor(#""input":"\#(note)""#)
            }
        }
    }
}

/// A backend that keeps the id of the last event that it has handled.
private struct Backend {
    /// An event, as the backend has it.
    struct Event: Equatable {
        let id: String
        let name: String
        let note: String
    }

    /// The events, in the order in which they came.
    private(set) var events: [Event] = []

    private struct Reported: Decodable {
        let name: String
        let input: String
    }

    /// The page of the screen, as far as events change it.
    private struct Page: Decodable {
        struct Section: Decodable { let units: [Unit] }
        struct Unit: Decodable { let unitData: [Item] }
        struct Item: Decodable { let note: String? }
        let sections: [Section]
    }

    /// Receives at least as many further events as said.
    mutating func read(from daemon: TestDaemon, atLeast count: Int) throws {
        let connection = try daemon.connect()
        try connection.send(
            Request.bytes(
                "GET", "\(Reporters.screen)/feed",
                headers: [("Last-Event-ID", events.last?.id ?? "0")]))
        let bytes = try connection.receive { bytes in
            String(decoding: bytes, as: UTF8.self).matches(of: /\ndata: .*\n\n/).count >= count
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for match in text.matches(of: /event: (\w+)\nid: (.*)\ndata: (.*)\n\n/) {
            #expect(match.output.1 == "client")
            let reported = try JSONDecoder().decode(
                Reported.self, from: Data(match.output.3.utf8))
            events.append(
                Event(id: String(match.output.2), name: reported.name, note: reported.input))
        }
    }

    /// Receives events until it has all that were acknowledged, and checks their order.
    mutating func readAll(
        from daemon: TestDaemon, _ reporters: Reporters, _ comment: Comment
    ) throws {
        let deadline = Deadline.within()
        while case let missing = reporters.missing(in: events.map(\.note)), missing > 0 {
            guard !deadline.hasPassed else { throw HarnessError("\(missing) events are missing") }
            try read(from: daemon, atLeast: 1)
        }
        let instance = try #require(events.first?.id.split(separator: "-").first)
        #expect(events.map(\.id) == events.indices.map { "\(instance)-\($0 + 1)" }, comment)
        for (client, notes) in Dictionary(grouping: events, by: \.client) {
            let turns = notes.map(\.turn)
            #expect(turns == turns.sorted() && Set(turns).count == turns.count, "\(client)")
        }
    }

    /// Checks that the page is as the last event with an operation has left it.
    ///
    /// Both are stored, or neither is. The last one may not have been acknowledged, so another one
    /// follows it.
    mutating func checkPage(
        at daemon: TestDaemon, _ reporters: Reporters, _ comment: Comment
    ) throws {
        try reporters.reportLast(to: daemon)
        try readAll(from: daemon, reporters, comment)
        let page = try daemon.request("GET", "\(Reporters.screen)/pages/0").decode(Page.self)
        let note = page.sections.first?.units.first?.unitData.first?.note
        #expect(note == events.last { $0.name == "keep" }?.note, comment)
    }
}

extension Backend.Event {
    /// The client that has posted the event.
    var client: String { String(note.prefix { $0 != "/" }) }
    /// The number of the event of its client.
    var turn: Int { Int(note.drop { $0 != "/" }.dropFirst()) ?? -1 }
}

/// Clients that report an event after each response, and what was acknowledged of them.
private final class Reporters: Sendable {
    /// The path of the screen.
    static let screen = "/v1/screens/mine"
    private static let clientCount = 4

    private let acknowledged = Mutex<Set<String>>([])
    private let refusedNotes = Mutex<Set<String>>([])
    private let changed = NSCondition()

    /// The clients of one round.
    final class Clients: Sendable {
        fileprivate let isStopped = Atomic(false)
        fileprivate let over = DispatchGroup()

        /// Waits until each client has its last response, or its daemon has ended.
        func stop() throws {
            isStopped.store(true, ordering: .relaxed)
            guard over.wait(timeout: .now() + 60) == .success else {
                throw HarnessError("a client did not end in time")
            }
        }
    }

    /// The number of acknowledged events.
    var count: Int { acknowledged.withLock { $0.count } }

    /// The notes of the events of which nothing was stored, as their clients know.
    var refused: Set<String> { refusedNotes.withLock { $0 } }

    /// Returns the number of acknowledged events that are not among those with some notes.
    func missing(in notes: [String]) -> Int {
        acknowledged.withLock { $0.subtracting(notes).count }
    }

    /// Waits until a number of events are acknowledged, and a number of them refused.
    func wait(for count: Int, refused: Int = 0) throws {
        let deadline = Deadline.within()
        changed.lock()
        defer { changed.unlock() }
        while self.count < count || self.refused.count < refused {
            guard changed.wait(until: Date(timeIntervalSinceNow: deadline.seconds)) else {
                throw HarnessError(
                    "only \(self.count) events were acknowledged, \(self.refused.count) refused")
            }
        }
    }

    /// Returns the options of a daemon with a catalog whose actions are forwarded, one of them with
    /// an operation.
    static func options(_ folder: borrowing ScratchFolder) throws -> [String] {
        let catalog = try folder.write(
            #"""
            {"units": {"list": {"cells": {"type": "Row"}}}, "cellTypes": {"Row": {
              "id": "/id", "size": {"height": 100}, "actions": {
                "note": {"forward": true},
                "keep": {"operations": [{"op": "patchItem", "patch": {"note": {"$input": ""}}}],
                         "forward": true}}}}}
            """#, to: "catalog.json")
        return ["--catalog", catalog]
    }

    /// Stores the screen.
    static func store(at daemon: TestDaemon) throws {
        let page = #"""
            {"sections":[{"sectionId":"S","units":[{"unitType":"list","unitData":[{"id":"a"}]}]}]}
            """#
        let response = try daemon.request(
            "PUT", "\(screen)/pages/0", headers: [("Prefer", "return=minimal")],
            body: Array(page.utf8))
        guard response.status == 201 else { throw HarnessError(response.text) }
    }

    /// Starts clients, which are distributed to the ports of daemons.
    func start(at ports: [UInt16], round: Int) -> Clients {
        let clients = Clients()
        for number in 0..<Self.clientCount {
            clients.over.enter()
            Thread.detachNewThread { [self] in
                report(as: "\(round).\(number)", to: ports[number % ports.count], until: clients)
                clients.over.leave()
            }
        }
        return clients
    }

    /// Notes the outcome of a request; returns `false` if the client should end.
    private func note(_ response: Response, to notes: [String]) throws -> Bool {
        changed.lock()
        defer { changed.unlock() }
        if response.status == 202 {
            acknowledged.withLock { $0.formUnion(notes) }
        } else if response.status == 503, response["Retry-After"] != nil {
            guard try response.problem().detail.contains("nothing was changed") else { return true }
            refusedNotes.withLock { $0.formUnion(notes) }
        } else {
            return false
        }
        changed.broadcast()
        return true
    }

    /// Reports an event without an operation, which follows all that are stored.
    func reportLast(to daemon: TestDaemon) throws {
        let note = "last \(count)/0"
        let response = try daemon.request(
            "POST", "\(Self.screen)/events", body: Self.body("note", [note]))
        guard response.status == 202 else { throw HarnessError(response.text) }
        _ = try self.note(response, to: [note])
    }

    /// Returns the body of a request that reports events of a name.
    static func body(_ name: String, _ notes: [String]) -> [UInt8] {
        let events = notes.map {
            #"{"type":"action","name":"\#(name)","section":"S","item":"a","input":"\#($0)"}"#
        }
        return Array(#"{"events":[\#(events.joined(separator: ","))]}"#.utf8)
    }

    private func report(as client: String, to port: UInt16, until clients: Clients) {
        guard let connection = try? ClientConnection(port: port) else { return }
        var turn = 0
        while !clients.isStopped.load(ordering: .relaxed) {
            let notes = (turn..<turn + turn % 3 + 1).map { "\(client)/\($0)" }
            let name = turn.isMultiple(of: 2) ? "note" : "keep"
            turn += notes.count
            do {
                try connection.send(
                    Request.bytes(
                        "POST", "\(Self.screen)/events", body: Self.body(name, notes)))
                guard try note(connection.receive(responseTo: "POST"), to: notes) else { return }
            } catch {
                return
            }
        }
    }
}
