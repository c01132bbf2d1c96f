/// How long something takes beside a yardstick, both measured in the same run.
struct Comparison {
    /// Median seconds of one run of what is measured.
    let subject: Double
    /// Median seconds of one run of the yardstick.
    let yardstick: Double
    /// The median of each round's ratio of the two, which a machine that speeds up or slows down
    /// between rounds disturbs less than the ratio of the medians.
    let ratio: Double
    /// Seconds of what is measured in its fastest round: the one that the machine's other work
    /// disturbed least.
    let fastest: Double

    /// Measures both in turns for `rounds` rounds; in each, either runs for at least `atLeast`.
    static func measure(
        rounds: Int = 15, atLeast: Double = 0.02, yardstick: () -> Void, subject: () -> Void
    ) -> Comparison {
        // One unmeasured round warms caches, the allocator and the processor's clock.
        _ = (Stopwatch.seconds(of: yardstick, atLeast), Stopwatch.seconds(of: subject, atLeast))
        let figures = (0..<rounds).map { _ in
            (Stopwatch.seconds(of: yardstick, atLeast), Stopwatch.seconds(of: subject, atLeast))
        }
        return Comparison(
            subject: figures.map(\.1).median, yardstick: figures.map(\.0).median,
            ratio: figures.map { $0.1 / $0.0 }.median,
            fastest: figures.map(\.1).min() ?? .nan)
    }
}

/// Measures time.
enum Stopwatch {
    /// Seconds that one run of `body` takes, averaged over as many as fill `duration` seconds.
    static func seconds(of body: () -> Void, _ duration: Double) -> Double {
        var runs = 0
        let start = ContinuousClock.now
        var elapsed = 0.0
        repeat {
            body()
            runs += 1
            elapsed = (ContinuousClock.now - start).seconds
        } while elapsed < duration
        return elapsed / Double(runs)
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

extension [Double] {
    /// The middle value; of an even number of values the upper of the two in the middle.
    var median: Double {
        isEmpty ? .nan : sorted()[count / 2]
    }
}

/// Keeps the optimiser from finding out that nobody needs `value`.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: borrowing Value) where Value: ~Copyable {}
