import Synchronization

/// The number of events that a store has dropped, which any thread may add to.
final class DroppedEvents: Sendable {
    private let number = Atomic<UInt64>(0)

    var count: UInt64 { number.load(ordering: .relaxed) }

    func add(_ count: UInt64) {
        if count > 0 { number.wrappingAdd(count, ordering: .relaxed) }
    }
}

/// The bounds of the feed of each screen; the oldest events beyond any of them are dropped.
public struct FeedBounds: Hashable, Sendable {
    /// The maximum number of events; 0 to store none.
    public var maxEvents: Int
    /// The maximum number of bytes of all events; the last event is kept whatever its size.
    public var maxBytes: Int

    /// The bounds of a store that keeps no events.
    public static let none = FeedBounds(maxEvents: 0, maxBytes: 0)

    /// Creates bounds.
    public init(maxEvents: Int = 10_000, maxBytes: Int = 16 << 20) {
        self.maxEvents = maxEvents
        self.maxBytes = maxBytes
    }

    /// A Boolean value that indicates whether no event is kept.
    public var isNone: Bool { maxEvents <= 0 || maxBytes <= 0 }
}

/// An event of a feed.
public struct FeedEvent: Hashable, Sendable {
    /// The number of the event: one more than that of the event before it.
    public var number: UInt64
    /// The event as JSON.
    public var data: [UInt8]

    /// Creates an event.
    public init(number: UInt64, data: [UInt8]) {
        self.number = number
        self.data = data
    }
}

/// A part of the feed of a screen.
public struct FeedPart: Hashable, Sendable {
    /// The text that distinguishes the feed from those of other screens, and of earlier and later
    /// screens of the same name: 1 to 32 of `A-Z a-z 0-9`; `nil` for a feed without any event.
    public var instance: String?
    /// The number of the oldest event that is stored; one more than ``last`` if there is none.
    public var first: UInt64
    /// The number of the last event; 0 if there was none.
    public var last: UInt64
    /// The events, ascending by number.
    public var events: [FeedEvent]

    /// Creates a part; by default that of a feed without any event.
    public init(
        instance: String? = nil, first: UInt64 = 1, last: UInt64 = 0, events: [FeedEvent] = []
    ) {
        self.instance = instance
        self.first = first
        self.last = last
        self.events = events
    }

    static func newInstance() -> String {
        String(UInt64.random(in: 0 ... .max), radix: 36)
            + String(UInt32.random(in: 0 ... .max), radix: 36)
    }
}
