import BroadsheetIO
import Dispatch
import Synchronization

/// A signal that ends a thread of a store.
final class PostgresStop: Sendable {
    private let flag = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a signal.
    init() {}

    /// A Boolean value that indicates whether the thread is to end.
    var isSet: Bool { flag.load(ordering: .relaxed) }

    /// Makes the thread end.
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
    /// The time between two ticks.
    static let interval = Duration.milliseconds(500)

    /// Starts the thread.
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

/// The removal of expired screens, which are absent already, and of revisions that are too old.
final class PostgresExpiry: Sendable {
    /// The time between two rounds.
    static let interval = Duration.seconds(60)
    /// The maximum number of screens that a round removes.
    static let maxScreens = 1000

    private static let find = """
        SELECT s.name FROM broadsheet.screens s WHERE s.expires_at <= now()
        ORDER BY s.expires_at LIMIT \(maxScreens)
        """

    /// Screens whose oldest earlier revision was replaced up to $1.
    private static let findAged = """
        SELECT s.name FROM broadsheet.screens s WHERE s.has_history AND (
            SELECT h.at FROM broadsheet.history h
            WHERE h.screen = s.name AND h.revision > s.first_revision
            ORDER BY h.revision LIMIT 1) <= $1
        LIMIT \(maxScreens)
        """

    private let pool: PostgresPool
    private let onEvent: StoreEvent.Handler
    private let clock: TimeSource
    private let history: HistoryBounds
    /// The time of the last round.
    private let last: Mutex<MonotonicInstant>

    /// Creates the work of a store whose first round is due after an interval.
    init(_ pool: PostgresPool, _ options: PostgresStoreOptions) {
        self.pool = pool
        onEvent = options.onEvent
        clock = options.clock
        history = options.history
        last = Mutex(options.clock.now)
    }

    /// Begins a round if one is due.
    func tick() {
        let now = clock.now
        let isDue = last.withLock { last in
            guard last.advanced(by: Self.interval) <= now else { return false }
            last = now
            return true
        }
        if isDue { Task { await run() } }
    }

    /// Removes screens that have expired, and revisions that are too old, those of each screen in a
    /// transaction of its own.
    func run() async {
        do throws(StoreError) {
            var count = 0
            for name in try await names(Self.find) where try await remove(name) { count += 1 }
            if count > 0 { onEvent(.expired(count)) }
        } catch {
            onEvent(.maintenanceFailed("expired screens were not removed (\(error.reason))"))
        }
        guard !history.isNone else { return }
        let cutoff = history.cutoff(at: clock.unixMilliseconds)
        do throws(StoreError) {
            var parameters = PostgresParameters()
            parameters.add(cutoff)
            for name in try await names(Self.findAged, parameters) {
                _ = try await pool.forget(name, upTo: cutoff)
            }
        } catch {
            onEvent(.maintenanceFailed("old revisions were not removed (\(error.reason))"))
        }
    }

    private func names(
        _ statement: String, _ parameters: PostgresParameters = PostgresParameters()
    ) async throws(StoreError) -> [String] {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var names: [String] = []
            try connection.run(statement, parameters) {
                if let name = $0.text(0) { names.append(name) }
            }
            return names
        }
    }

    private func remove(_ name: String) async throws(StoreError) -> Bool {
        try await pool.run(.write) { connection, _ throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(name)
            var isRemoved = false
            try connection.run("SELECT broadsheet.expire_1($1)", parameters) {
                isRemoved = $0.isTrue(0)
            }
            return isRemoved
        }
    }
}

extension PostgresPool {
    /// Drops the revisions of a screen that were replaced up to a time in milliseconds since 1970,
    /// or all earlier ones for `nil`.
    ///
    /// - Returns: `false` if there is no such screen.
    func forget(_ name: String, upTo cutoff: Int64?) async throws(StoreError) -> Bool {
        try await run(.write) { connection, _ throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(name)
            parameters.add(cutoff)
            var isThere = false
            let warnings = try connection.run("SELECT broadsheet.forget_2($1, $2)", parameters) {
                isThere = $0.isTrue(0)
            }
            if warnings > 0 { throw PostgresFailure.warned }
            return isThere
        }
    }
}
