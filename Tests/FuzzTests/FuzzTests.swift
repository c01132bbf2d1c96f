import Foundation
import TestSupport
import Testing

/// A bounded form of `make fuzz`, in which each target has a fixed seed and a new one.
@Suite("Any input: parsers end, and their properties hold", .timeLimit(.minutes(hangMinutes)))
struct FuzzTests {
    /// The number of cases of a new seed, in debug mode.
    ///
    /// A fixed one has a quarter of them: it finds what was broken since, and nothing else.
    static let cases = 1_000

    @Test("Cases of a fixed seed", arguments: FuzzTarget.all.map(\.name))
    func fixedSeed(name: String) throws {
        try run(name, seed: 1, cases: Self.cases / 4)
    }

    @Test("Cases of a new seed, which a failure prints", arguments: FuzzTarget.all.map(\.name))
    func newSeed(name: String) throws {
        let chosen = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap { UInt64($0) }
        try run(name, seed: chosen ?? UInt64.random(in: 0 ... .max), cases: Self.cases)
    }

    @Test("The unchanged seeds of every target pass", arguments: FuzzTarget.all.map(\.name))
    func seeds(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let check = try target.makeCheck()
        for seed in target.seeds {
            var random = SeededGenerator(seed: 1)
            try check(seed, &random)
        }
    }

    @Test("A failure names the target, the seed and the case that repeat it")
    func failure() throws {
        let target = FuzzTarget("broken", ["a"]) { input, _ in
            try require(input.count < 9, "too long")
        }
        let error = #expect(throws: FuzzFailure.self) {
            try FuzzRun(target: target, seed: 7, cases: 1_000).run()
        }
        let words = try #require(error).description
        let number = try #require(
            words.split(separator: " ").drop { $0 != "--first" }.dropFirst().first.flatMap {
                Int($0)
            })
        #expect(words.contains("--target broken --seed 7"))
        #expect(throws: FuzzFailure.self) {
            try FuzzRun(target: target, seed: 7, first: number, cases: 1).run()
        }
    }

    private func run(_ name: String, seed: UInt64, cases: Int) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        try FuzzRun(
            target: target, seed: seed, cases: cases, maxGrowth: FuzzRun.maxGrowthBesideTests
        ).run()
    }
}
