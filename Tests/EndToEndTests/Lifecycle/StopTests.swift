import Glibc
import Testing

extension EndToEnd {
    @Suite struct Stopping {
        private static let head =
            "POST /v1/layout HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n"

        /// A daemon with a request in flight and an idle connection beside it, both on its only
        /// loop: when one of them is told that it stops, so is the other.
        private func busyDaemon(_ options: [String] = []) throws -> (Daemon, Connection, Connection)
        {
            let daemon = try Daemon(["--loops", "1"] + options)
            let idle = try daemon.connect()
            try idle.send(Request.bytes("GET", "/livez"))
            #expect(try idle.receive().status == 200)
            let busy = try daemon.connect()
            try busy.send(Self.head)
            // The daemon has the head when it asks for the body.
            #expect(try busy.receive().status == 100)
            return (daemon, busy, idle)
        }

        @Test("An idle daemon ends at once with 0", arguments: [SIGTERM, SIGINT])
        func idle(signal: Int32) throws {
            let daemon = try Daemon()
            daemon.program.send(signal)
            #expect(try daemon.program.wait() == .status(0))
            #expect(try daemon.program.output.all().split(separator: "\n").count == 1)
        }

        @Test("What is in flight ends well; idle connections and newcomers are turned away")
        func drain() throws {
            let (daemon, busy, idle) = try busyDaemon()
            daemon.program.send(SIGTERM)
            #expect(try idle.receiveToEnd().isEmpty)
            #expect(throws: HarnessError.self) { try daemon.request("GET", "/livez") }
            try busy.send(#"{"sections":[]}"#)
            let reply = try busy.receive(answering: "POST")
            #expect(reply.status == 200)
            #expect(reply["Connection"] == "close")
            #expect(try daemon.program.wait() == .status(0))
        }

        @Test("What does not end is given up after --drain seconds, and the status is still 0")
        func drainTimeout() throws {
            let (daemon, busy, _) = try busyDaemon(["--drain", "1"])
            let start = ContinuousClock.now
            daemon.program.send(SIGTERM)
            #expect(try daemon.program.wait() == .status(0))
            #expect(ContinuousClock.now - start >= .milliseconds(900))
            #expect(try busy.receiveToEnd().isEmpty)
        }

        @Test("A second signal ends it at once", arguments: [SIGTERM, SIGINT])
        func secondSignal(second: Int32) throws {
            let (daemon, busy, idle) = try busyDaemon(["--drain", "60"])
            daemon.program.send(SIGTERM)
            #expect(try idle.receiveToEnd().isEmpty)
            daemon.program.send(second)
            #expect(try daemon.program.wait(until: .within(.seconds(10))) == .status(128 + second))
            // Asked of the connection only now, so that it was in flight all the while.
            #expect(try busy.receiveToEnd().isEmpty)
        }
    }
}
