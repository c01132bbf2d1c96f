import Foundation
import Synchronization
import TestSupport

@testable import BroadsheetStores

/// A primary with a replica, and three Sentinels that promote the replica when the primary is lost.
final class SentinelCluster: Sendable {
    /// The name of the primary.
    static let name = "main"
    /// The number of Sentinels that have to agree.
    static let quorum = 2

    let primary: RedisServer
    let replica: RedisServer
    private let sentinels: [Sentinel]
    private let tls: ServerTLS?

    /// A Sentinel, which ends with the object.
    private final class Sentinel: Sendable {
        let port: UInt16
        private let folder: URL
        private let run: RedisRun

        init(of primary: UInt16, tls: ServerTLS?) throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("broadsheet-sentinel-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("sentinel.conf")
            let name = SentinelCluster.name
            (port, run) = try FreePort.attempt { [folder] in
                let port = try FreePort.any()
                // A Sentinel writes what it learns into its file. A primary that a busy machine
                // delays must not be replaced.
                let lines = [
                    "port \(port)", "bind 127.0.0.1", "dir \(folder.path)",
                    "sentinel monitor \(name) 127.0.0.1 \(primary) \(SentinelCluster.quorum)",
                    "sentinel down-after-milliseconds \(name) 5000",
                    "sentinel failover-timeout \(name) 5000",
                ]
                try Data(lines.joined(separator: "\n").utf8).write(to: file)
                let options = try tls?.options(port: port) ?? []
                return (port, try RedisRun([file.path, "--sentinel"] + options))
            }
        }

        deinit {
            run.end()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Starts all servers.
    init(tls: ServerTLS? = nil) throws {
        self.tls = tls
        primary = try RedisServer(["--databases", "256"], tls: tls)
        replica = try RedisServer(
            ["--databases", "256", "--replicaof", "127.0.0.1 \(primary.port)"], tls: tls)
        try Self.waitForReplication(to: replica, tls)
        let port = primary.port
        sentinels = try (0..<3).map { _ in try Sentinel(of: port, tls: tls) }
    }

    /// Returns the address of the Sentinels.
    func endpoint(database: Int = 0) throws -> RedisEndpoint {
        let hosts = sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        let ca = tls == nil ? "" : "?ca=\(try Certificates.shared.path("ca.pem"))"
        let scheme = tls == nil ? "redis" : "rediss"
        return try RedisEndpoint(
            url: "\(scheme)+sentinel://\(hosts)/\(Self.name)/\(database)\(ca)")
    }

    /// Waits until the Sentinels know each other and the replica, so that they can promote it.
    func waitUntilComplete() async throws -> Bool {
        try await eventually {
            try sentinels.allSatisfy { sentinel in
                let facts = try state(at: sentinel.port)
                return facts["num-other-sentinels"] == "2" && facts["num-slaves"] == "1"
                    && facts["flags"] == "master"
            }
        }
    }

    /// Returns what a Sentinel knows of the primary.
    private func state(at port: UInt16) throws -> [String: String] {
        let lines = try Self.reply(of: port, tls, ["SENTINEL", "MASTER", Self.name])
            .split(separator: "\n").map(String.init)
        var facts: [String: String] = [:]
        for index in stride(from: 0, to: lines.count - 1, by: 2) {
            facts[lines[index]] = lines[index + 1]
        }
        return facts
    }

    /// Waits until a replica has the data of its primary: Sentinels that start before find it only
    /// ten seconds later.
    private static func waitForReplication(to replica: RedisServer, _ tls: ServerTLS?) throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60 * hangMinutes))
        while ContinuousClock.now < deadline {
            let facts = try reply(of: replica.port, tls, ["INFO", "replication"])
            if facts.contains("master_link_status:up") { return }
        }
        throw RedisRun.NotStarted(output: "no replication")
    }

    /// Sends a command to a port, and returns the reply as `redis-cli` prints it.
    private static func reply(
        of port: UInt16, _ tls: ServerTLS?, _ command: [String]
    ) throws -> String {
        let ca = try tls.map { _ in ["--tls", "--cacert", try Certificates.shared.path("ca.pem")] }
        return try ChildProgram.run(["redis-cli"] + (ca ?? []) + ["-p", "\(port)"] + command).output
    }
}

/// The servers of the conformance suite, of which each check has a database of its own.
enum SharedSentinels {
    private static let made = Result { try SentinelCluster() }
    private static let used = Atomic(0)

    /// Returns the address of a database that no other check has had.
    static func endpoint() throws -> RedisEndpoint {
        let number = used.add(1, ordering: .relaxed).newValue
        return try made.get().endpoint(database: number)
    }
}
