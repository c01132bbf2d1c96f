import Broadsheet
import BroadsheetStores

/// The last events of a screen that the catalog forwards to a backend, with consecutive numbers.
struct ForwardedEvents: Sendable {
    /// An event as the backend receives it.
    private struct Entry: Sendable {
        let number: UInt64
        let data: [UInt8]

        var byteCount: Int { data.count + ForwardedEvents.entryByteCount }
    }

    /// The maximum number of events of a screen; fixed.
    static let maxEvents = 1_000
    /// The estimated size of an event without its data, in bytes.
    private static let entryByteCount = 96

    /// The events from `start` on, ascending by number; those before it have no data any more.
    private var entries: [Entry] = []
    private var start = 0
    /// The number of the last event, or that before the first one.
    private(set) var lastNumber: UInt64
    /// The estimated size in memory, in bytes.
    private(set) var byteCount = 0

    /// Creates a list without events.
    ///
    /// - Parameter lastNumber: The number before that of the first event.
    init(after lastNumber: UInt64) { self.lastNumber = lastNumber }

    /// Adds an event, and drops the oldest one if there are too many.
    mutating func add(_ data: [UInt8]) {
        lastNumber += 1
        let entry = Entry(number: lastNumber, data: data)
        byteCount += entry.byteCount
        entries.append(entry)
        if entries.count - start > Self.maxEvents { _ = removeOldest() }
    }

    /// Drops the oldest event; returns `false` if there is none.
    mutating func removeOldest() -> Bool {
        guard start < entries.count else { return false }
        byteCount -= entries[start].byteCount
        entries[start] = Entry(number: entries[start].number, data: [])
        start += 1
        if start >= Self.maxEvents || start == entries.count {
            entries.removeFirst(start)
            start = 0
        }
        return true
    }

    /// Returns events after a number, about `byteCount` bytes of them, and the number of the last.
    ///
    /// - Complexity: O(events).
    func events(after number: UInt64, byteCount limit: Int) -> [(number: UInt64, data: [UInt8])] {
        var found: [(number: UInt64, data: [UInt8])] = []
        var count = 0
        for entry in entries[start...] where entry.number > number {
            guard found.isEmpty || count + entry.data.count <= limit else { break }
            found.append((entry.number, entry.data))
            count += entry.data.count
        }
        return found
    }

    /// Returns an event as the backend receives it: as it was posted, with the name of its screen.
    static func data(of event: ClientEvent, in screen: ScreenName) -> [UInt8]? {
        guard let posted = event.posted else { return nil }
        var writer = JSONWriter(reservingCapacity: posted.byteRange.count + 160)
        writer.raw("{\"screen\":")
        writer.string(screen.text)
        for (name, value) in posted.members where !name.equals("screen") {
            writer.raw(",")
            writer.raw(
                Array(name.bytes[Int(name.range.lowerBound) - 1...Int(name.range.upperBound)]))
            writer.raw(":")
            writer.raw(Array(value.document.bytes[value.byteRange]))
        }
        writer.raw("}")
        return writer.bytes
    }
}
