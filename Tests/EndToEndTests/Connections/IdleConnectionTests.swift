import Testing

extension EndToEnd {
    @Suite struct IdleConnections {
        /// The most resident memory an idle connection may cost, in bytes.
        ///
        /// The kernel's share of a socket is not resident memory of the process and not counted.
        private static let bound = 8_192

        @Test("10,000 idle connections cost kilobytes each, and a new one is served at once")
        func tenThousand() throws {
            // Both processes need a descriptor a connection, and a few dozen of their own.
            let wanted = min(10_000, try OpenFileLimit.raise() - 200)
            let daemon = try Daemon(["--max-connections", "\(wanted + 10)"])
            let identifier = daemon.program.processIdentifier
            for _ in 0..<50 { try daemon.request("GET", "/livez") }
            let before = try ProcessFigures(of: identifier).residentBytes

            let probe = Request.bytes("GET", "/livez")
            var connections = [Connection]()
            connections.reserveCapacity(wanted)
            for _ in 0..<wanted {
                let connection = try daemon.connect()
                try connection.send(probe)
                #expect(try connection.receive().status == 200)
                connections.append(connection)
            }
            let each = (try ProcessFigures(of: identifier).residentBytes - before) / wanted
            print("\(wanted) idle connections cost \(each) bytes of resident memory each")
            #expect(each < Self.bound)

            #expect(try daemon.request("GET", "/livez").status == 200)
            for index in [0, wanted / 2, wanted - 1] {
                try connections[index].send(probe)
                #expect(try connections[index].receive().status == 200)
            }
        }
    }
}
