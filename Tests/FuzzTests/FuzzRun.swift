import Glibc
import TestSupport

/// A run of a number of cases of one target.
///
/// Case n of a seed is the same in every run, so `--seed S --first N --cases 1` repeats one.
struct FuzzRun {
    /// The maximum time of 64 cases; inputs have a few kilobytes, so parsers need microseconds, and
    /// instrumented ones on a busy machine thousands of times as long.
    static let maxDuration = Duration.seconds(600)
    /// The maximum growth of the process during a run, in bytes.
    static let maxGrowth = 256 * 1024 * 1024
    /// The maximum where the tests of other suites run in the same process, which need 0.5 GB.
    static let maxGrowthBesideTests = 1024 * 1024 * 1024

    let target: FuzzTarget
    let seed: UInt64
    var first = 0
    let cases: Int
    var maxGrowth = Self.maxGrowth

    /// Runs the cases and returns the number of cases per second.
    ///
    /// - Throws: ``FuzzFailure`` for the first failure, with what repeats it.
    @discardableResult
    func run(onCase: (Int) -> Void = { _ in }) throws -> Double {
        let check = try target.makeCheck()
        let start = ContinuousClock.now
        let memory = Self.peakBytes
        var last = start
        for number in first..<first + cases {
            onCase(number)
            var random = SeededGenerator(seed: seed ^ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            let input = Mutator.input(from: target.seeds, &random)
            do {
                try check(input, &random)
            } catch {
                throw failure("\(error)", number, input)
            }
            guard number % 64 == 0 else { continue }
            let now = ContinuousClock.now
            guard now - last < Self.maxDuration else {
                throw failure("one of 64 cases takes too long", number, input)
            }
            last = now
        }
        guard Self.peakBytes - memory < maxGrowth else {
            throw failure("the process has grown to \(Self.peakBytes) bytes", first + cases, [])
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(cases) / max(1e-9, Double(seconds) + Double(attoseconds) / 1e18)
    }

    private func failure(_ reason: String, _ number: Int, _ input: [UInt8]) -> FuzzFailure {
        FuzzFailure(
            """
            \(target.name): \(reason)
            repeat: --target \(target.name) --seed \(seed) --first \(number) --cases 1
            input: \(input.text.debugDescription)
            """)
    }

    /// The largest size of the process so far, in bytes.
    private static var peakBytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }
}
