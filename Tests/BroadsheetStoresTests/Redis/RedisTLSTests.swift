import Foundation
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("A Redis server over TLS", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisTLSTests {
    @Test(
        "The Redis store over TLS conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await withRedisServer(tls: ServerTLS()) { server in
            try await withRedisStore(server.endpoint()) { store, clock, probe in
                try await requirement.check(store) { seconds in
                    clock.advance(seconds: seconds)
                    try await probe.letPass(seconds: seconds)
                }
            }
        }
    }

    /// A server and a client that do not accept each other, with the reason.
    struct Mismatch: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var server = ServerTLS()
        var host = "127.0.0.1"
        var ca: String? = "ca"
        var client: String?
        var reason: String
    }

    static let mismatches = [
        Mismatch(
            testDescription: "the authority of the server is another one", ca: "other",
            reason: "certificate verify failed"),
        Mismatch(
            testDescription: "the server's certificate is of another authority",
            server: ServerTLS(certificate: "stranger"), reason: "certificate verify failed"),
        Mismatch(
            testDescription: "the system does not know the authority", ca: nil,
            reason: "certificate verify failed"),
        Mismatch(
            testDescription: "the certificate has another address",
            server: ServerTLS(certificate: "elsewhere"), reason: "IP address mismatch"),
        Mismatch(
            testDescription: "the certificate has another name",
            server: ServerTLS(certificate: "elsewhere"), host: "localhost",
            reason: "hostname mismatch"),
        Mismatch(
            testDescription: "the certificate has the name in its subject alone (RFC 9525)",
            server: ServerTLS(certificate: "named"), host: "localhost",
            reason: "hostname mismatch"),
        Mismatch(
            testDescription: "the certificate has expired",
            server: ServerTLS(certificate: "expired"), reason: "certificate has expired"),
        Mismatch(
            testDescription: "the server requires a certificate of clients",
            server: ServerTLS(requiresClients: true), reason: "certificate required"),
        Mismatch(
            testDescription: "the client's certificate is of another authority",
            server: ServerTLS(requiresClients: true), client: "stranger", reason: "unknown ca"),
    ]

    @Test(
        "A connection is made only if each side accepts the other's certificate",
        arguments: mismatches)
    func refuses(mismatch: Mismatch) async throws {
        let files = try Certificates.shared
        try await withRedisServer(tls: mismatch.server) { server in
            var endpoint = try server.endpoint(password: "hidden")
            endpoint.host = mismatch.host
            endpoint.tls?.ca = mismatch.ca.map { files.path("\($0).pem") }
            endpoint.tls?.certificate = mismatch.client.map { files.path("\($0).pem") }
            endpoint.tls?.key = mismatch.client.map { files.path("\($0).key") }
            let log = EventLog()
            let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            let reason = await self.reason(in: log)
            #expect(reason.contains("TLS: ") && reason.contains(mismatch.reason), "\(reason)")
            #expect(!reason.contains("hidden"))
            await #expect {
                _ = try await store.identity()
            } throws: {
                isUnavailable($0)
            }
            await store.close()
        }
    }

    /// Waits for the reason why the server is unreachable.
    private func reason(in log: EventLog) async -> String {
        await log.waitForLoss()
        for case .unreachable(let reason) in log.events { return reason }
        return ""
    }

    @Test("A client shows its certificate to a server that requires one")
    func clientCertificate() async throws {
        let files = try Certificates.shared
        try await withRedisServer(tls: ServerTLS(requiresClients: true)) { server in
            var endpoint = try server.endpoint()
            endpoint.tls?.certificate = files.path("client.pem")
            endpoint.tls?.key = files.path("client.key")
            try await withRedisStore(endpoint) { store, _, _ in
                try await store.put(0, to: name("home"))
            }
        }
    }

    @Test("A name in the certificate is verified as well as an address")
    func hostName() async throws {
        try await withRedisServer(tls: ServerTLS()) { server in
            var endpoint = try server.endpoint()
            endpoint.host = "localhost"
            try await withRedisStore(endpoint) { store, _, _ in try await store.checkReadiness() }
        }
    }

    @Test("Files are read again for each connection, so that they can be replaced")
    func replacedFiles() async throws {
        let files = try Certificates.shared
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func install(_ name: String) throws {
            for end in ["pem", "key"] {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: files.path("\(name).\(end)")))
                try bytes.write(to: folder.appendingPathComponent("mine.\(end)"))
            }
        }
        try install("stranger")
        try await withRedisServer(tls: ServerTLS(requiresClients: true)) { server in
            var endpoint = try server.endpoint()
            endpoint.tls?.certificate = folder.appendingPathComponent("mine.pem").path
            endpoint.tls?.key = folder.appendingPathComponent("mine.key").path
            let log = EventLog()
            let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            await log.waitForLoss()
            try install("client")
            await log.waitForConnection(1)
            try await store.put(0, to: name("home"))
            await store.close()
        }
    }

    @Test(
        "A file that cannot be used is reported when the store is opened, by its parameter",
        arguments: [
            ("missing.pem", nil, nil, "ca: No such file"),
            ("ca.key", nil, nil, "ca: "), ("ca.pem", "missing.pem", "client.key", "cert: No such"),
            ("ca.pem", "client.key", "client.key", "cert: "),
            ("ca.pem", "client.pem", "missing.key", "key: No such file"),
            ("ca.pem", "client.pem", "server.key", "key: key values mismatch"),
            ("ca.pem", "client.pem", "locked.key", "key: it has a passphrase"),
        ] as [(String, String?, String?, String)])
    func files(ca: String, certificate: String?, key: String?, reason: String) throws {
        let files = try Certificates.shared
        var endpoint = try RedisEndpoint(url: "rediss://me:hidden@127.0.0.1:1")
        endpoint.tls?.ca = files.path(ca)
        endpoint.tls?.certificate = certificate.map(files.path)
        endpoint.tls?.key = key.map(files.path)
        let error = #expect(throws: StoreOpenError.self) { try ScreenStore(endpoint) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.description.contains("hidden") == false)
    }

    @Test("A server without TLS, or a URL without it, is unreachable")
    func onlyOneSide() async throws {
        try await withRedisServer { plain in
            let log = EventLog()
            var endpoint = try plain.endpoint()
            endpoint.tls = RedisTLS()
            let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            let reason = await self.reason(in: log)
            #expect(reason.contains("TLS"), "\(reason)")
            await store.close()
        }
        try await withRedisServer(tls: ServerTLS()) { server in
            let log = EventLog()
            var endpoint = try server.endpoint()
            endpoint.tls = nil
            let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            await log.waitForLoss()
            await store.close()
        }
    }

    @Test("Large pages are sent and received in many records")
    func large() async throws {
        try await withRedisServer(tls: ServerTLS()) { server in
            try await withRedisStore(server.endpoint()) { store, _, _ in
                let home = try name("home")
                var generator = SeededGenerator(seed: SeededGenerator.seed(of: "pages over TLS"))
                for length in [0, 16_383, 16_384, 16_385, 65_536, 400_000] {
                    let bytes = (0..<length).map { _ in
                        UInt8.random(in: .min ... .max, using: &generator)
                    }
                    let page = PutPage(number: 0, bytes: bytes)
                    try await store.write(.putPages([page], totals: nil), to: home)
                    #expect(try await store.stored(home).pages.map(\.bytes) == [bytes])
                }
            }
        }
    }

    @Test("A connection that is cut anywhere in the handshake of TLS is made again")
    func cutHandshake() async throws {
        try await withRedisServer(tls: ServerTLS()) { server in
            // Each of the two connections of the store takes one of two.
            let limits = Mutex([0, 0, 1, 1, 100, 100, 700, 700, 1_000, 1_000])
            let proxy = try CuttingProxy(upstream: server.port) {
                limits.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }
            var endpoint = try server.endpoint()
            endpoint.port = proxy.port
            let log = EventLog()
            let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            await log.waitForConnection(1)
            let isStored = await eventually {
                (try? await store.put(0, to: name("home"))) != nil
            }
            #expect(isStored)
            #expect(log.events.contains { if case .unreachable = $0 { true } else { false } })
            await store.close()
            proxy.stop()
        }
    }

    @Test("A connection that is cut while writes are in progress loses none that was acknowledged")
    func cutWrites() async throws {
        try await withRedisServer(tls: ServerTLS()) { server in
            let seed = SeededGenerator.seed(of: "cuts of TLS")
            let generator = Mutex(SeededGenerator(seed: seed))
            let connections = Atomic(0)
            let proxy = try CuttingProxy(upstream: server.port) {
                connections.add(1, ordering: .relaxed)
                return generator.withLock { Int.random(in: 3_000...20_000, using: &$0) }
            }
            var endpoint = try server.endpoint()
            endpoint.port = proxy.port
            let home = try name("home")
            var acknowledged: UInt64 = 0
            let store = try ScreenStore(endpoint)
            // What was sent is sent again; a request that arrives after a handshake was cut fails.
            while connections.load(ordering: .relaxed) < 20 {
                do {
                    let revision = try await store.put(0, to: home)
                    #expect(revision > acknowledged, "seed \(seed)")
                    acknowledged = revision
                } catch {
                    // The delay of the next attempt is short after a connection that was made.
                    _ = await eventually { (try? await store.checkReadiness()) != nil }
                }
            }
            await store.close()
            proxy.stop()
            try await withRedisStore(server.endpoint()) { store, _, _ in
                let revision = try #require(try await store.revision(home))
                #expect(revision >= acknowledged && acknowledged > 0, "seed \(seed)")
            }
        }
    }

    @Test("A cluster's MOVED leads to a node over TLS")
    func moved() async throws {
        let (one, two) = try (clusterNode(), clusterNode())
        let owner = try await two.server.cluster("ADDSLOTSRANGE", "0", "16383")
        #expect(owner.contains("OK"), "\(owner)")
        let meet = try await one.server.cluster(
            "MEET", "127.0.0.1", "\(two.server.port)", "\(two.busPort)")
        #expect(meet.contains("OK"), "\(meet)")
        for node in [one, two] {
            let isUp = try await eventually {
                try await node.server.cluster("INFO").contains("cluster_state:ok")
            }
            #expect(isUp)
        }
        let log = EventLog()
        try await withRedisStore(one.server.endpoint(), log: log) { store, _, _ in
            try await store.put(0, to: name("home"))
            #expect(log.events.contains(.connected("127.0.0.1:\(two.server.port)")))
        }
        withExtendedLifetime((one, two)) {}
    }

    private func clusterNode() throws -> (server: RedisServer, busPort: UInt16) {
        let busPort = try FreePort.any()
        let server = try RedisServer(
            ["--cluster-enabled", "yes", "--cluster-port", "\(busPort)"], tls: ServerTLS())
        return (server, busPort)
    }
}

extension RedisServer {
    /// Sends a `CLUSTER` command over TLS, and returns the reply.
    fileprivate func cluster(_ words: String...) async throws -> String {
        let ca = try Certificates.shared.path("ca.pem")
        let command = ["redis-cli", "--tls", "--cacert", ca, "-p", "\(port)", "CLUSTER"] + words
        return try ChildProgram.run(command).output
    }
}
