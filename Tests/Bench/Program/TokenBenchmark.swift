import BroadsheetService
import Foundation

/// `GET …/layout` of a small stored screen that does not change, with tokens of readers, compared
/// with a key; and the tokens that a daemon verifies.
struct TokenBenchmark {
    /// A page that a client loads in one view.
    private static let products = 7
    private static let readers = 2_000
    private static let rounds = 9
    /// The tokens that are verified: more than a daemon verifies in the time.
    private static let newTokens: [TokenAlgorithm: Int] = [.edDSA: 8_000, .hs256: 150_000]
    /// The table of tokens of a daemon with 512 MiB has a sixty-fourth of these; and 16 MiB.
    private static let (budget, memoryLimit) = (536_870_912, 8.0 + 16)
    private static let path = "/v1/screens/home/layout"

    private let folder: ScratchFolder
    private let daemon: DaemonProcess
    private let signers: [TokenAlgorithm: TokenSigner]
    private let key = KeySecret.random() ?? ""
    private let script: String

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let benchmark = try TokenBenchmark(context)
        let before = try benchmark.daemon.residentBytes()
        let new = try TokenAlgorithm.allCases.map(benchmark.newRow)
        let used = Double(try benchmark.daemon.residentBytes() - before)
        return try new + [
            ResultRow(
                name: "  the memory of these tokens",
                figure: "\((used / 1_048_576).formatted()) MiB",
                target: Target(figure: used / 1_048_576, .atMost(memoryLimit), unit: "MiB"))
        ] + benchmark.knownRows()
    }

    private init(_ context: BenchmarkContext) throws {
        folder = try ScratchFolder(context)
        script = context.script("tokens.lua")
        var signers: [TokenAlgorithm: TokenSigner] = [:]
        var lines = "key read,write * never \(SecretDigest(of: key.utf8).hexadecimal)\n"
        for algorithm in TokenAlgorithm.allCases {
            guard let signer = TokenSigner.random(algorithm) else {
                throw BenchmarkError("there is no library for \(algorithm.rawValue)")
            }
            signers[algorithm] = signer
            lines += "shop read home never \(signer.lineKey)\n"
        }
        self.signers = signers
        daemon = try DaemonProcess(
            context,
            [
                "--keys", try folder.add("keys", Array(lines.utf8)), "--memory",
                "\(Self.budget)",
            ],
            field: "Authorization: Bearer \(key)")
        try daemon.store(context.page(products: Self.products), as: 0, of: "home")
    }

    /// Writes tokens to a file, and returns its path.
    private func file(_ count: Int, of algorithm: TokenAlgorithm, _ name: String) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        var claims = TokenClaims(issuer: "shop", issuedAt: now, expiry: now + 3600)
        let tokens = (0..<count).map { number in
            claims.subject = "\(name)-\(number)"
            return (signers[algorithm]?.token(claims) ?? "") + "\n"
        }
        return try folder.add(name, Array(tokens.joined().utf8))
    }

    private func load(_ tokens: String) -> Wrk {
        Wrk(connections: 32, script: script, environment: ["BROADSHEET_BENCH_TOKENS": tokens])
    }

    /// The rates of tokens that were verified before.
    private func knownRows() throws -> [ResultRow] {
        // The script is the same for all, because it takes time, too.
        let key = load(try folder.add("key", Array("\(self.key)\n".utf8)))
        let one = load(try file(1, of: .edDSA, "one"))
        let many = load(try file(Self.readers, of: .hs256, "many"))
        _ = try many.run(against: daemon.port, Self.path)
        return try [
            ("one token", one, "a key", key, 1 / 1.1),
            ("\(Self.readers) tokens", many, "one token", one, 0.8),
        ].map { name, subject, baselineName, baseline, leastRatio in
            let rates = try RateComparison.measure(
                rounds: Self.rounds,
                subject: { try subject.run(against: daemon.port, Self.path).rate },
                baseline: { try baseline.run(against: daemon.port, Self.path).rate })
            return ResultRow(
                name: "GET …/layout with \(name), wrk -t1 -c32",
                figure: "\(rates.subject.formatted(0)) per second",
                baseline: "with \(baselineName) \(rates.baseline.formatted(0)) per second",
                ratio: rates.ratio.formatted(),
                target: Target(ratio: rates.ratio, .atLeast(leastRatio)))
        }
    }

    /// The rate of tokens of which each is sent once.
    private func newRow(_ algorithm: TokenAlgorithm) throws -> ResultRow {
        let count = Self.newTokens[algorithm] ?? 0
        let load = load(try file(count, of: algorithm, "new-\(algorithm.rawValue)"))
        let rate = try load.run(against: daemon.port, Self.path).rate
        guard rate * Double(load.seconds) < Double(count) else {
            throw BenchmarkError("\(count) tokens of \(algorithm.rawValue) are too few")
        }
        return ResultRow(
            name: "new tokens of \(algorithm.rawValue), wrk -t1 -c32",
            figure: "\(rate.formatted(0)) per second")
    }
}
