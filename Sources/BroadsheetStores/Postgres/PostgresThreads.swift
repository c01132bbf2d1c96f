import BroadsheetIO
import Dispatch
import Synchronization

/// A signal that ends a thread of a store.
final class PostgresStop: Sendable {
    private let flag = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    init() {}

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() {
        flag.store(true, ordering: .relaxed)
        // Two threads wait for it at most.
        semaphore.signal()
        semaphore.signal()
    }

    /// Blocks the thread for a duration, or until it is to end.
    func wait(for duration: Duration) {
        let nanoseconds = max(0, duration.wholeNanoseconds)
        _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(clamping: nanoseconds)))
    }
}

/// The thread with the connection for notifications.
enum PostgresListener {
    /// The time for which it waits for notifications before it looks whether the store is closed,
    /// in milliseconds.
    private static let waitMilliseconds: Int32 = 250
    /// The shortest and the longest time before it connects again.
    private static let reconnectDelays = (Duration.milliseconds(100), Duration.seconds(1))

    /// Starts the thread, which connects and subscribes, and does so again when it has to.
    static func start(
        _ connector: PostgresConnector, _ subscription: PostgresSubscription, _ stop: PostgresStop
    ) throws(IOError) -> WorkerThread {
        try WorkerThread("store-listen") {
            var delay = Self.reconnectDelays.0
            while !stop.isSet {
                do throws(PostgresFailure) {
                    let connection = try connector.open()
                    try connection.run("LISTEN \(PostgresNotifier.channel)")
                    subscription.connected()
                    delay = Self.reconnectDelays.0
                    while !stop.isSet {
                        try connection.receive(within: Self.waitMilliseconds) {
                            subscription.receive($0)
                        }
                    }
                } catch {
                    if !stop.isSet { subscription.disconnected(error.description) }
                }
                stop.wait(for: delay)
                delay = min(delay * 2, Self.reconnectDelays.1)
            }
        }
    }
}

/// The thread that ends the waiting of requests whose time is over, and does what is regular.
enum PostgresTicker {
    static let interval = Duration.milliseconds(500)

    static func start(
        _ pool: PostgresPool, _ stop: PostgresStop, clock: TimeSource,
        _ tick: @escaping @Sendable () -> Void
    ) throws(IOError) -> WorkerThread {
        try WorkerThread("store-clock") {
            var nextTick = clock.now
            while !stop.isSet {
                // A request that begins from here on has a later deadline than the next tick, or
                // one that may be noticed with it.
                let deadline = pool.passDeadlines() ?? .distantFuture
                let now = clock.now
                if nextTick <= now {
                    tick()
                    nextTick = now.advanced(by: Self.interval)
                }
                stop.wait(for: clock.now.duration(to: min(nextTick, deadline)))
            }
        }
    }
}
