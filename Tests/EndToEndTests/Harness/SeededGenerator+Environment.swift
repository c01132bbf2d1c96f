import Foundation
import TestSupport

extension SeededGenerator {
    /// A seed that nobody has tried, or the one that `BROADSHEET_SEED` repeats; prints it.
    static func seed(of test: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64.max)
        print("\(test): BROADSHEET_SEED=\(seed)")
        return seed
    }
}
