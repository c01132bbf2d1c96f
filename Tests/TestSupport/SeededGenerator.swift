import Foundation

/// A random number generator with a seed (Vigna's SplitMix64), so that a failure can be reproduced.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the generator of a seed's sequence, which is the same on every machine.
    package init(seed: UInt64) { state = seed }

    /// Returns the next number of the sequence.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns and prints the seed of a test: the value of `BROADSHEET_SEED`, or a random one.
    ///
    /// It is printed before the test begins, so that it is known after a crash too.
    package static func seed(of test: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64(Int32.max))
        print("\(test): BROADSHEET_SEED=\(seed)")
        return seed
    }

    /// Returns the seeds of a test of random histories, which it prints the first of.
    ///
    /// - Parameter count: The usual number of seeds; `BROADSHEET_HISTORIES` is another one.
    package static func seeds(of test: String, count: Int) -> [UInt64] {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_HISTORIES"].flatMap(Int.init)
        let first = seed(of: test)
        return (0..<UInt64(max(1, given ?? count))).map { first &+ $0 }
    }
}
