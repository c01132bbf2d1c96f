import Glibc
import Testing

extension EndToEnd {
    @Suite struct Stopping {
        private static let head =
            "POST /v1/layout HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n"

        /// Returns a daemon, a connection with a request in progress, and an idle connection.
        ///
        /// Both connections are on the same event loop, so that both observe a stop at the same
        /// time.
        private func busyDaemon(
            _ options: [String] = []
        ) throws -> (TestDaemon, ClientConnection, ClientConnection) {
            let daemon = try TestDaemon(["--loops", "1"] + options)
            let idle = try daemon.connect()
            try idle.send(Request.bytes("GET", "/livez"))
            #expect(try idle.receive().status == 200)
            let busy = try daemon.connect()
            try busy.send(Self.head)
            // The response 100 shows that the daemon has received the head.
            #expect(try busy.receive().status == 100)
            return (daemon, busy, idle)
        }

        @Test("An idle daemon stops immediately, with status 0", arguments: [SIGTERM, SIGINT])
        func idle(signal: Int32) throws {
            let daemon = try TestDaemon()
            daemon.program.send(signal)
            #expect(try daemon.program.wait() == .status(0))
            #expect(try daemon.program.output.all().split(separator: "\n").count == 1)
        }

        @Test("Requests in progress are completed; idle and new connections are closed")
        func drain() throws {
            let (daemon, busy, idle) = try busyDaemon()
            daemon.program.send(SIGTERM)
            #expect(try idle.receiveToEnd().isEmpty)
            #expect(throws: HarnessError.self) { try daemon.request("GET", "/livez") }
            try busy.send(#"{"sections":[]}"#)
            let response = try busy.receive(responseTo: "POST")
            #expect(response.status == 200)
            #expect(response["Connection"] == "close")
            #expect(try daemon.program.wait() == .status(0))
        }

        @Test("Requests that do not end in --drain seconds are aborted, with status 0")
        func drainTimeout() throws {
            let (daemon, busy, _) = try busyDaemon(["--drain", "1"])
            let start = ContinuousClock.now
            daemon.program.send(SIGTERM)
            #expect(try daemon.program.wait() == .status(0))
            #expect(ContinuousClock.now - start >= .milliseconds(900))
            #expect(try busy.receiveToEnd().isEmpty)
        }

        @Test("A second signal ends the daemon immediately", arguments: [SIGTERM, SIGINT])
        func secondSignal(second: Int32) throws {
            let (daemon, busy, idle) = try busyDaemon(["--drain", "60"])
            daemon.program.send(SIGTERM)
            #expect(try idle.receiveToEnd().isEmpty)
            daemon.program.send(second)
            #expect(try daemon.program.wait(until: .within(.seconds(30))) == .status(128 + second))
            // Read only now, so that the request was in progress until the second signal.
            #expect(try busy.receiveToEnd().isEmpty)
        }
    }
}
