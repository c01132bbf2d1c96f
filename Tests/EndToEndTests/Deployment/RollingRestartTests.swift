import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct RollingRestarts {
        @Test(
            "Two daemons behind the shipped nginx.conf that restart in turn fail no request",
            arguments: SharedServer.allCases)
        func noFailures(shared: SharedServer) throws {
            let folder = try ScratchFolder()
            let redis = shared == .redis ? try RedisServer(folder: folder.path) : nil
            let postgres = shared == .postgres ? try PostgresServer() : nil
            let options = [
                "--store", redis?.address ?? postgres?.url() ?? "", "--store-timeout", "30",
                "--allowed-hosts", ProxyServer.hosts, "--drain-delay", "3",
            ]
            var daemons = try (0..<2).map { _ in try TestDaemon.startOnFixedPort(options) }
            let proxy = try ProxyServer(folder: folder.path, before: daemons)
            let clients = try (0..<4).map { number in
                try Storefront.store(0..<1, as: "home-\(number)", in: daemons[0])
                return RestartClient(port: proxy.port, screen: "home-\(number)")
            }
            for client in clients { client.start() }
            var log = ""
            for _ in FailureRounds.all {
                for index in daemons.indices {
                    let port = daemons[index].port
                    #expect(try daemons[index].stop() == .status(0))
                    log += daemons[index].warnings
                    daemons[index] = try TestDaemon.start(on: port, options)
                    // Each client gets responses while both daemons run.
                    for client in clients { try client.waitForRound() }
                }
            }
            for daemon in daemons { log += daemon.warnings }
            try RestartClient.expectNoFailure(of: clients, log)
        }

        /// A server that daemons share.
        enum SharedServer: CaseIterable {
            case redis
            case postgres
        }

        @Test("While a daemon drains, /readyz is 503, and responses end their connections")
        func delay() throws {
            let daemon = try TestDaemon(["--drain-delay", "300"])
            let idle = try daemon.connect()
            try idle.send(Request.bytes("GET", "/livez"))
            #expect(try idle.receive()["Connection"] == nil)
            daemon.program.send(SIGTERM)
            _ = try daemon.program.errors.line { $0.contains("stopping") }
            try daemon.waitForDraining()
            let ready = try daemon.request("GET", "/readyz")
            #expect(ready.status == 503 && ready.text.contains("\"DRAINING\""), "\(ready)")
            #expect(ready["Retry-After"] == "1")
            try idle.send(Request.bytes("GET", "/livez"))
            let last = try idle.receive()
            #expect(last.status == 200 && last["Connection"] == "close")
            #expect(try idle.receiveToEnd().isEmpty)
            #expect(try daemon.request("GET", "/metrics").text.contains("broadsheet_draining 1"))
            daemon.program.send(SIGTERM)
            #expect(try daemon.program.wait() == .status(128 + SIGTERM))
        }

        @Test("Streams end one after the other while a daemon drains")
        func streams() throws {
            let daemon = try TestDaemon(["--drain-delay", "6", "--loops", "1"])
            try Storefront.store(0..<1, as: "home", in: daemon)
            let streams = try (0..<3).map { _ in
                let connection = try daemon.connect()
                try connection.send(Request.bytes("GET", "/v1/screens/home/stream"))
                return connection
            }
            try daemon.wait(for: "broadsheet_streams_open", toBe: streams.count)
            daemon.program.send(SIGTERM)
            for stream in streams {
                let text = String(decoding: try stream.receiveToEnd(), as: UTF8.self)
                #expect(text.hasSuffix("0\r\n\r\n"))
            }
            #expect(try daemon.program.wait() == .status(0))
            // One ends every 1.5 seconds. Those that the end of the delay ends do so at once.
            let ends = try daemon.program.errors.all().split(separator: "\n")
                .filter { $0.contains(#""path":"/v1/screens/home/stream""#) }
                .compactMap { $0.firstMatch(of: /"time":"([^"]+)"/).map { String($0.output.1) } }
                .map { try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
            #expect(ends.count == streams.count)
            let (first, last) = (try #require(ends.min()), try #require(ends.max()))
            #expect(last.timeIntervalSince(first) > 1, "\(ends)")
        }

        @Test("A request that the end of the drain cuts off has its line in the log")
        func cutOff() throws {
            let daemon = try TestDaemon(["--drain", "1"])
            let connection = try daemon.connect()
            try connection.send(
                "POST /v1/layout HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: cut-7\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 15\r\n\r\n")
            #expect(try connection.receive().status == 100)
            daemon.program.send(SIGTERM)
            #expect(try daemon.program.wait() == .status(0))
            let line = try daemon.program.errors.line { $0.contains("cut-7") }
            #expect(line.contains(#""status":499"#) && line.contains("the time to drain was over"))
            #expect(line.contains(#""path":"/v1/layout""#))
            #expect(line.contains(#""address":"127.0.0.1""#))
        }
    }
}

extension TestDaemon {
    /// Starts a daemon on a port that it can have again after its end.
    ///
    /// A port that the kernel chooses may be that of another connection by then.
    fileprivate static func startOnFixedPort(_ options: [String]) throws -> TestDaemon {
        try FreePort.attempt { try start(on: FreePort.any(), options) }
    }

    /// Starts a daemon on a port.
    fileprivate static func start(on port: UInt16, _ options: [String]) throws -> TestDaemon {
        try TestDaemon(Program([Repository.binary, "serve", "--port", "\(port)"] + options))
    }

    /// The lines of the log with warnings and errors, but for those about requests.
    var warnings: String {
        program.errors.text.split(separator: "\n")
            .filter { !$0.contains(#""level":"info""#) && !$0.contains(#""status":"#) }
            .joined(separator: "\n")
    }

    /// Returns when the daemon has begun to drain.
    fileprivate func waitForDraining() throws {
        let deadline = Deadline.within()
        while try request("GET", "/readyz").status != 503 {
            guard !deadline.hasPassed else { throw HarnessError("the daemon does not drain") }
        }
    }
}

/// A client that sends requests of every kind to a port, one after the other.
final class RestartClient: Sendable {
    /// The results so far.
    struct Outcome {
        var responses = 0
        var failures: [String] = []
    }

    private let port: UInt16
    private let screen: String
    private let headers: [(String, String)]
    private let network: String?
    private let outcome = Mutex(Outcome())
    private let isEnding = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    /// A signal for each response.
    private let progress = DispatchSemaphore(value: 0)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - port: The port of the loopback interface.
    ///   - screen: A screen that exists.
    ///   - headers: Header fields of all requests.
    ///   - network: The file of the network namespace with the port; `nil` for that of the tests.
    init(
        port: UInt16, screen: String, headers: [(String, String)] = [], network: String? = nil
    ) {
        self.port = port
        self.screen = screen
        self.headers = headers
        self.network = network
    }

    /// Begins to send requests.
    func start() {
        Thread.detachNewThread { [self] in
            if let network, !Self.enter(network: network) {
                outcome.withLock { $0.failures.append("no access to \(network)") }
            } else {
                run()
            }
            ended.signal()
        }
    }

    /// Makes the sockets that this thread opens from now on those of a network namespace.
    private static func enter(network: String) -> Bool {
        typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
        // The headers declare it for programs with extensions of GNU only, which Swift's are not.
        guard let function = dlsym(nil, "setns") else { return false }
        let file = open(network, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return unsafeBitCast(function, to: SetNamespace.self)(file, 0) == 0
    }

    /// The number of responses of a round; ten rounds of four clients have ten thousand.
    private static let responses = 25 * FailureRounds.count

    /// Returns when further responses have arrived, as many as belong to a round.
    func waitForRound() throws {
        while progress.wait(timeout: .now()) == .success {}
        for _ in 0..<Self.responses where progress.wait(timeout: .now() + 60) != .success {
            throw HarnessError("no responses")
        }
    }

    /// Stops, and returns the results.
    func stop() throws -> Outcome {
        isEnding.store(true, ordering: .relaxed)
        ended.wait()
        return outcome.withLock { $0 }
    }

    /// Stops clients that have had the responses of all rounds, and expects them to be successes.
    ///
    /// - Parameter log: The warnings of the daemons.
    static func expectNoFailure(of clients: [RestartClient], _ log: String) throws {
        let outcomes = try clients.map { try $0.stop() }
        let failures = outcomes.flatMap(\.failures)
        #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(20)) \(log)")
        let count = outcomes.reduce(0) { $0 + $1.responses }
        #expect(count >= clients.count * responses * FailureRounds.count)
    }

    private func run() {
        let page = (try? Storefront.page(0)) ?? []
        let toggle = Array(
            #"{"operations":[{"op":"insertSections","sections":[{"units":[]}]}]}"#.utf8)
        let path = "/v1/screens/\(screen)"
        let requests: [(method: String, target: String, body: [UInt8]?)] = [
            ("GET", "\(path)/layout", nil), ("PUT", "\(path)/pages/0", page),
            ("POST", "\(path)/updates", toggle), ("POST", "/v1/layout", page),
            ("GET", "\(path)/pages/0", nil),
        ]
        var connection: ClientConnection?
        var number = 0
        while !isEnding.load(ordering: .relaxed) {
            let (method, target, body) = requests[number % requests.count]
            number += 1
            do {
                let open = try connection ?? ClientConnection(port: port)
                connection = open
                try open.send(Request.bytes(method, target, headers: headers, body: body))
                let response = try open.receive(responseTo: method)
                if response["Connection"] == "close" { connection = nil }
                progress.signal()
                let isSuccess = 200..<300 ~= response.status
                outcome.withLock { outcome in
                    outcome.responses += 1
                    if !isSuccess {
                        outcome.failures.append("\(method) \(target): \(response.status)")
                    }
                }
            } catch {
                connection = nil
                outcome.withLock { $0.failures.append("\(method) \(target): \(error)") }
            }
        }
    }
}
