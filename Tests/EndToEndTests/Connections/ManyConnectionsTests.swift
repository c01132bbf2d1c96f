import Testing

extension EndToEnd {
    @Suite struct IdleConnections {
        /// The maximum resident memory of an idle connection, in bytes.
        ///
        /// The kernel's memory for a socket is not resident memory of the process.
        private static let bound = 8_192

        @Test("10,000 idle connections use at most 8 KiB each, and a new one is served")
        func tenThousand() throws {
            // Both processes need a descriptor for each connection, and a few dozen others.
            let wanted = min(10_000, try OpenFileLimit.raise() - 200)
            let daemon = try TestDaemon([
                "--max-connections", "\(wanted + 10)", "--idle-timeout", "3600",
            ])
            let identifier = daemon.program.processIdentifier
            for _ in 0..<50 { try daemon.request("GET", "/livez") }
            let before = try ProcessFigures(of: identifier).residentBytes

            let probe = Request.bytes("GET", "/livez")
            var connections = [ClientConnection]()
            connections.reserveCapacity(wanted)
            for _ in 0..<wanted {
                let connection = try daemon.connect()
                try connection.send(probe)
                #expect(try connection.receive().status == 200)
                connections.append(connection)
            }
            let each = (try ProcessFigures(of: identifier).residentBytes - before) / wanted
            print("\(wanted) idle connections use \(each) bytes of resident memory each")
            #expect(each < Self.bound)

            #expect(try daemon.request("GET", "/livez").status == 200)
            for index in [0, wanted / 2, wanted - 1] {
                try connections[index].send(probe)
                #expect(try connections[index].receive().status == 200)
            }
        }
    }
}

extension EndToEnd {
    @Suite struct DescriptorExhaustion {
        @Test("A daemon without free descriptors neither ends nor uses a whole core, and recovers")
        func outOfDescriptors() throws {
            let daemon = try TestDaemon(["--idle-timeout", "3600"], openFiles: 64)
            let identifier = daemon.program.processIdentifier
            // The kernel completes these handshakes even if the daemon cannot accept the
            // connections.
            var connections = try (0..<120).map { _ in try daemon.connect() }
            let probe = Request.bytes("GET", "/livez")
            try connections[0].send(probe)
            #expect(try connections[0].receive().status == 200)

            // While the last one waits in the backlog, the daemon must not use processor time.
            try connections[119].send(probe)
            let before = try ProcessFigures(of: identifier).processorTime
            let isServedEarly = connections[119].isReadable(within: .milliseconds(600))
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
