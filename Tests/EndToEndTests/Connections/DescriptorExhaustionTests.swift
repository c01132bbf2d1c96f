import Testing

extension EndToEnd {
    @Suite struct DescriptorExhaustion {
        @Test("A daemon out of descriptors neither dies nor spins, and goes on when some are free")
        func outOfDescriptors() throws {
            let daemon = try Daemon(openFiles: 64)
            let identifier = daemon.program.processIdentifier
            // The kernel completes these handshakes whether or not the daemon can accept them.
            var connections = try (0..<120).map { _ in try daemon.connect() }
            let probe = Request.bytes("GET", "/livez")
            try connections[0].send(probe)
            #expect(try connections[0].receive().status == 200)

            // The last one waits in the backlog. While it does, the daemon must not burn a core.
            try connections[119].send(probe)
            let before = try ProcessFigures(of: identifier).processorTime
            let isServedEarly = connections[119].hears(within: .milliseconds(600))
            let spent = try ProcessFigures(of: identifier).processorTime - before
            #expect(!isServedEarly)
            #expect(spent < .milliseconds(200), "spent \(spent) in 600 ms of waiting")

            let last = connections.removeLast()
            connections.removeAll()
            #expect(try last.receive().status == 200)
            #expect(try daemon.request("GET", "/livez").status == 200)
        }
    }
}
