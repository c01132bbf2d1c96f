import BroadsheetService
import Foundation

/// `GET …/layout` of a small stored screen that does not change, with a key, compared with a daemon
/// without keys.
enum KeyBenchmark {
    /// A page that a client loads in one view.
    private static let products = 7
    /// The number of keys of the daemon.
    private static let keyCount = 100
    private static let rounds = 9
    /// The least rate, in relation to that without keys: at most 3 % more time.
    private static let leastRatio = 1 / 1.03
    private static let path = "/v1/screens/home/layout"

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let secrets = (0..<keyCount).map { _ in KeySecret.random() ?? "" }
        let lines = secrets.enumerated().map { index, secret in
            "key-\(index) read,write * 2100-01-01T00:00:00Z "
                + "\(SecretDigest(of: secret.utf8).hexadecimal)\n"
        }
        let file = try folder.add("keys", Array(lines.joined().utf8))
        let field = "Authorization: Bearer \(secrets[keyCount - 1])"
        // The requests are of the same length, so that the difference is that of the keys alone.
        let keyed = try DaemonProcess(
            context, log: try folder.add("keyed.log", []), ["--keys", file], field: field)
        let open = try DaemonProcess(
            context, log: try folder.add("open.log", []), field: field)
        for daemon in [keyed, open] {
            try daemon.store(context.page(products: products), as: 0, of: "home")
        }
        let load = Wrk(connections: 32, headers: [field])
        let rates = try RateComparison.measure(
            rounds: rounds, subject: { try load.run(against: keyed.port, path).rate },
            baseline: { try load.run(against: open.port, path).rate })
        return [
            ResultRow(
                name: "GET …/layout with one of \(keyCount) keys, wrk -t1 -c32",
                figure: "\(rates.subject.formatted(0)) per second",
                baseline: "without keys \(rates.baseline.formatted(0)) per second",
                ratio: rates.ratio.formatted(),
                target: Target(ratio: rates.ratio, .atLeast(leastRatio)))
        ]
    }
}
