import CAllocations

/// The duration of an operation compared with a baseline, both measured in the same run.
struct DurationComparison {
    /// The median duration of one call of the operation, in seconds.
    let subject: Double
    /// The median duration of one call of the baseline, in seconds.
    let baseline: Double
    /// The median of the rounds' ratios.
    ///
    /// A machine whose speed changes between rounds affects it less than the ratio of the medians.
    let ratio: Double
    /// The duration of one call of the operation in its fastest round, in seconds: the round that
    /// other work on the machine affected least.
    let fastest: Double

    /// Measures both alternately.
    ///
    /// - Parameters:
    ///   - rounds: The number of rounds.
    ///   - minimum: The minimum duration of each operation in each round, in seconds.
    static func measure(
        rounds: Int = 15, minimum: Double = 0.02, baseline: () -> Void, subject: () -> Void
    ) -> DurationComparison {
        // One unmeasured round warms caches and the allocator, and raises the processor's clock.
        _ = (secondsPerCall(of: baseline, minimum), secondsPerCall(of: subject, minimum))
        let results = (0..<rounds).map { _ in
            (secondsPerCall(of: baseline, minimum), secondsPerCall(of: subject, minimum))
        }
        return DurationComparison(
            subject: results.map(\.1).median, baseline: results.map(\.0).median,
            ratio: results.map { $0.1 / $0.0 }.median,
            fastest: results.map(\.1).min() ?? .nan)
    }

    /// Returns the average duration of a call, over as many calls as take `minimum` seconds.
    private static func secondsPerCall(of body: () -> Void, _ minimum: Double) -> Double {
        var calls = 0
        let start = ContinuousClock.now
        var elapsed = 0.0
        repeat {
            body()
            calls += 1
            elapsed = start.secondsToNow
        } while elapsed < minimum
        return elapsed / Double(calls)
    }
}

/// Two rates that are measured alternately, so that changes of the machine's speed affect both.
struct RateComparison {
    /// The median rate of the operation, per second.
    let subject: Double
    /// The median rate of the baseline, per second.
    let baseline: Double
    /// The median of the rounds' ratios.
    let ratio: Double
    /// The median difference between two runs of the baseline in the same round, as a part of the
    /// rate; 0 if it was not measured.
    ///
    /// A ratio that is closer to 1 shows no difference.
    private(set) var noise = 0.0

    /// Creates a comparison from the rates of each round.
    init(_ rounds: [(subject: Double, baseline: Double)]) {
        subject = rounds.map(\.subject).median
        baseline = rounds.map(\.baseline).median
        ratio = rounds.map { $0.subject / $0.baseline }.median
    }

    /// Measures both alternately, in as many rounds as given.
    static func measure(
        rounds: Int = 5, subject: () throws -> Double, baseline: () throws -> Double
    ) rethrows -> RateComparison {
        RateComparison(try (0..<rounds).map { _ in (try subject(), try baseline()) })
    }

    /// Measures two rates that may be equal: the baseline before and after the operation, so that
    /// the noise is known.
    static func measureWithNoise(
        rounds: Int = 7, subject: () throws -> Double, baseline: () throws -> Double
    ) rethrows -> RateComparison {
        let rates = try (0..<rounds).map { _ in
            (before: try baseline(), subject: try subject(), after: try baseline())
        }
        var result = RateComparison(rates.map { ($0.subject, ($0.before + $0.after) / 2) })
        result.noise = rates.map { abs($0.after / $0.before - 1) }.median
        return result
    }
}

/// The baseline of everything that reads bytes: one pass over them that computes FNV-1a.
///
/// Each step depends on the previous one, so that the compiler can neither vectorise nor omit the
/// loop: it costs as much as reading each byte once.
@inline(never)
func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBufferPointer { bytes in
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return hash
    }
}

/// Keeps the optimiser from removing the computation of a value that is not used.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: borrowing Value) where Value: ~Copyable {}

/// The heap allocations of this process.
enum Allocations {
    /// Keeps freed memory in this process from now on.
    ///
    /// The first access to a new page of memory costs more than laying out the items that fit into
    /// it, and glibc maps blocks of 32 MiB and more with every allocation. Without this call the
    /// kernel's work would be measured for a million items, but not for a thousand.
    static func keepFreedMemory() { callocations_keep_freed_memory() }

    /// The number of blocks that this thread has allocated.
    static var countOfThisThread: UInt64 { callocations_of_this_thread() }

    /// Returns the number of blocks that `body` allocates on this thread.
    static func count(in body: () -> Void) -> Int {
        let before = countOfThisThread
        body()
        return Int(clamping: countOfThisThread - before)
    }
}

extension ContinuousClock.Instant {
    /// The time since this instant, in seconds.
    var secondsToNow: Double {
        let elapsed = ContinuousClock.now - self
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    }
}

extension [Double] {
    /// The middle value; the upper one of the two in the middle of an even number of values.
    var median: Double {
        isEmpty ? .nan : sorted()[count / 2]
    }

    /// The value that 99 of 100 values do not exceed.
    var percentile99: Double {
        isEmpty ? .nan : sorted()[count * 99 / 100]
    }
}
