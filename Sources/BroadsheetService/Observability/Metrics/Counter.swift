import Synchronization

/// A number that only grows, counted from any thread without a lock.
final class Counter: Sendable {
    private let total = Atomic<UInt64>(0)

    /// What has been counted so far.
    var value: UInt64 { total.load(ordering: .relaxed) }

    /// Counts `amount` more.
    func add(_ amount: UInt64 = 1) { total.wrappingAdd(amount, ordering: .relaxed) }

    /// Counts the bytes of something.
    func add(bytes: Int) { add(UInt64(max(0, bytes))) }
}

/// A number that goes up and down.
final class Gauge: Sendable {
    private let current = Atomic<Int64>(0)

    /// What it stands at.
    var value: Int64 { current.load(ordering: .relaxed) }

    /// Moves it by `amount`.
    func add(_ amount: Int64) { current.wrappingAdd(amount, ordering: .relaxed) }

    /// Puts it at `value`.
    func set(_ value: Int64) { current.store(value, ordering: .relaxed) }
}
