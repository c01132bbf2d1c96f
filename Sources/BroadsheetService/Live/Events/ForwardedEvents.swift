import Broadsheet
import BroadsheetStores

/// The name of the key of a client that reports events, or its issuer and reader; empty for a
/// client without rights of its own.
typealias Reporter = String

/// A client that reports events.
struct EventSender: Sendable {
    /// The client whose share of the kept events counts.
    let reporter: Reporter
    /// The issuer and the reader, as a backend receives them; `nil` for a client without a token.
    private var token: (issuer: String, subject: String?)?
    /// A Boolean value that indicates whether members with the names of those are dropped.
    fileprivate private(set) var hidesPosted = false

    fileprivate static let names = ["issuer", "reader"]

    init(reporter: Reporter) { self.reporter = reporter }

    init(_ caller: Caller, _ access: AccessControl) {
        let name = caller.name ?? ""
        // No name of a key has a NUL.
        self.init(reporter: caller.token?.subject.map { "\(name)\0\($0)" } ?? name)
        token = caller.token.map { ($0.line.name, $0.subject) }
        hidesPosted = access.hasIssuers
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        guard let token else { return }
        writer.raw(",\"issuer\":")
        writer.string(token.issuer)
        guard let subject = token.subject else { return }
        writer.raw(",\"reader\":")
        writer.string(subject)
    }
}

/// The last events of a screen that the catalog forwards to a backend, with consecutive numbers.
struct ForwardedEvents: Sendable {
    /// An event as the backend receives it; `nil` data if it was dropped.
    private struct Entry: Sendable {
        let number: UInt64
        let reporter: Reporter
        var data: [UInt8]?

        var byteCount: Int { (data?.count ?? 0) + ForwardedEvents.entryByteCount }
    }

    /// The events that one reporter has in the list.
    struct Share: Sendable {
        fileprivate(set) var count = 0
        fileprivate(set) var byteCount = ForwardedEvents.shareByteCount
    }

    /// The maximum number of events of a screen; fixed.
    static let maxEvents = 1_000
    /// The estimated size of an event without its data, in bytes.
    private static let entryByteCount = 128
    /// The estimated size of the events of a reporter on a screen without the events, in bytes.
    private static let shareByteCount = 1_536

    /// The events, ascending by number, with those that were dropped since the last ``compact()``.
    private var entries: [Entry] = []
    /// The index of the first event that was not dropped.
    private var start = 0
    private var count = 0
    /// The shares of those who have events in the list.
    private(set) var shares: [Reporter: Share] = [:]
    /// The number of the last event, or that before the first one.
    private(set) var lastNumber: UInt64
    /// The number of the last event that a stream has received.
    private var lastDelivered: UInt64
    /// The number of events that were dropped before a stream had received them.
    private(set) var lostCount = 0

    init(after lastNumber: UInt64) {
        self.lastNumber = lastNumber
        lastDelivered = lastNumber
    }

    var byteCount: Int { shares.values.reduce(0) { $0 + $1.byteCount } }

    /// Adds an event; of too many, the oldest one of those who have most is dropped.
    mutating func add(_ data: [UInt8], by reporter: Reporter) {
        lastNumber += 1
        let entry = Entry(number: lastNumber, reporter: reporter, data: data)
        entries.append(entry)
        count += 1
        shares[reporter, default: Share()].count += 1
        shares[reporter]?.byteCount += entry.byteCount
        guard count > Self.maxEvents, let most = shares.values.map(\.count).max() else { return }
        drop(atMost: 1) { [shares] in shares[$0]?.count == most }
    }

    /// Drops the oldest events of a reporter until the others have at most `limit` bytes; the last
    /// one remains.
    mutating func trim(_ reporter: Reporter, to limit: Int) {
        guard let share = shares[reporter], share.byteCount > limit else { return }
        var (excess, number) = (share.byteCount - limit, 0)
        for entry in entries[start...] where entry.reporter == reporter && entry.data != nil {
            guard excess > 0, number < share.count - 1 else { break }
            excess -= entry.byteCount
            number += 1
        }
        drop(atMost: number) { $0 == reporter }
    }

    mutating func removeAll(by reporter: Reporter) { drop(atMost: .max) { $0 == reporter } }

    mutating func noteDelivery(upTo number: UInt64) { lastDelivered = max(lastDelivered, number) }

    private mutating func drop(atMost limit: Int, where isDropped: (Reporter) -> Bool) {
        var left = limit
        for index in start..<entries.count where left > 0 {
            let entry = entries[index]
            guard entry.data != nil, isDropped(entry.reporter) else { continue }
            left -= 1
            count -= 1
            shares[entry.reporter]?.count -= 1
            shares[entry.reporter]?.byteCount -= entry.byteCount
            if shares[entry.reporter]?.count == 0 { shares[entry.reporter] = nil }
            if entry.number > lastDelivered { lostCount += 1 }
            entries[index].data = nil
        }
        while start < entries.count, entries[start].data == nil { start += 1 }
        if entries.count >= 2 * count + 64 { compact() }
    }

    private mutating func compact() {
        entries.removeAll { $0.data == nil }
        start = 0
    }

    /// Returns events after a number, about `byteCount` bytes of them, and the number of the last.
    ///
    /// - Complexity: O(events).
    func events(after number: UInt64, byteCount limit: Int) -> [(number: UInt64, data: [UInt8])] {
        var found: [(number: UInt64, data: [UInt8])] = []
        var count = 0
        for entry in entries[start...] where entry.number > number {
            guard let data = entry.data else { continue }
            guard found.isEmpty || count + data.count <= limit else { break }
            found.append((entry.number, data))
            count += data.count
        }
        return found
    }

    /// Returns an event as the backend receives it: the values that the daemon has used, as they
    /// were posted, with the name of its screen, and the issuer and the reader of a token.
    static func data(
        of event: PostedEvent, in screen: ScreenName, by sender: EventSender
    ) -> [UInt8]? {
        guard let posted = event.posted else { return nil }
        var writer = JSONWriter(reservingCapacity: posted.byteRange.count + 160)
        writer.raw("{\"screen\":")
        writer.string(screen.text)
        sender.writeMembers(to: &writer)
        for (name, value) in posted.usedMembers where !name.equals("screen") {
            if sender.hidesPosted, EventSender.names.contains(where: name.equals) { continue }
            writer.raw(",")
            writer.raw(
                Array(name.bytes[Int(name.range.lowerBound) - 1...Int(name.range.upperBound)]))
            writer.raw(":")
            value.writeUsed(to: &writer)
        }
        writer.raw("}")
        return writer.bytes
    }
}
