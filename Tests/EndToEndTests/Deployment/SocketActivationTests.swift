import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct SocketActivation {
        @Test("A daemon on an inherited socket is restarted under load, and no request fails")
        func restarts() throws {
            let folder = try ScratchFolder()
            let socket = try HandedSocket()
            let options = [
                "--store", "sqlite:\(folder.path("screens.db"))", "--drain-delay", "3",
            ]
            var daemon = try TestDaemon(HandedSocket.serve(on: [socket], options))
            #expect(daemon.port == socket.port)
            let clients = try (0..<4).map { number in
                try Storefront.store(0..<1, as: "home-\(number)", in: daemon)
                return RestartClient(port: socket.port, screen: "home-\(number)")
            }
            for client in clients { client.start() }
            var log = ""
            for _ in FailureRounds.all {
                for client in clients { try client.waitForRound() }
                #expect(try daemon.stop() == .status(0))
                log += daemon.warnings
                daemon = try TestDaemon(HandedSocket.serve(on: [socket], options))
            }
            for client in clients { try client.waitForRound() }
            try RestartClient.expectNoFailure(of: clients, log)
        }

        @Test("A connection that no daemon has accepted waits for the next one")
        func waiting() throws {
            let socket = try HandedSocket()
            let first = try TestDaemon(HandedSocket.serve(on: [socket]))
            #expect(try first.stop() == .status(0))
            let connection = try ClientConnection(port: socket.port)
            try connection.send(Request.bytes("GET", "/livez"))
            let second = try TestDaemon(HandedSocket.serve(on: [socket]))
            #expect(try connection.receive().status == 200)
            #expect(try second.stop() == .status(0))
        }

        @Test("All inherited sockets are used, and the first is printed")
        func several() throws {
            let sockets = [try HandedSocket(), try HandedSocket()]
            let daemon = try TestDaemon(HandedSocket.serve(on: sockets))
            #expect(daemon.port == sockets[0].port)
            for socket in sockets {
                let connection = try ClientConnection(port: socket.port)
                try connection.send(Request.bytes("GET", "/livez"))
                #expect(try connection.receive().status == 200)
            }
        }

        @Test("Without keys an inherited socket must be a loopback one, unless with --open")
        func exposed() throws {
            let socket = try HandedSocket(isLoopback: false)
            let refused = try HandedSocket.serve(on: [socket])
            #expect(try refused.wait() == .status(1))
            let errors = try refused.errors.all()
            #expect(errors.contains("LISTEN_FDS") && errors.contains("--open"), "\(errors)")
            let mixed = try HandedSocket.serve(on: [HandedSocket(), socket])
            #expect(try mixed.wait() == .status(1))
            let open = try HandedSocket.serve(on: [socket], ["--open"])
            #expect(try open.output.line() == "listening on http://0.0.0.0:\(socket.port)")
            open.send(SIGTERM)
            #expect(try open.wait() == .status(0))
        }

        @Test(
            "Anything but listening TCP sockets ends the daemon with status 1",
            arguments: ["0", "2", "17", "x", ""])
        func invalid(count: String) throws {
            let socket = try HandedSocket()
            // An empty variable is left out of the environment.
            let daemon = try HandedSocket.serve(on: [socket], count: count)
            #expect(try daemon.wait() == .status(1))
            #expect(try daemon.errors.all().contains("LISTEN_FDS"))
            #expect(try daemon.output.all() == "")
        }

        @Test("Sockets of another process are not used, which the log says")
        func foreign() throws {
            let daemon = try TestDaemon(environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"])
            let line = try daemon.program.errors.line { $0.contains("inherited sockets") }
            #expect(line.contains("LISTEN_PID is 1") && line.contains(#""level":"warning""#))
        }

        @Test("The program of systemd that passes a socket on starts the daemon, which uses it")
        func activator() throws {
            let program = "/usr/bin/systemd-socket-activate"
            guard FileManager.default.isExecutableFile(atPath: program) else {
                return print("there is no systemd-socket-activate, so it was not tried")
            }
            let port = try FreePort.any()
            let activator = try Program([
                program, "-l", "127.0.0.1:\(port)", "-E", "BROADSHEET_STORE=memory",
                Repository.binary, "serve",
            ])
            defer { activator.end() }
            _ = try activator.errors.line { $0.contains("Listening on") }
            let connection = try ClientConnection(port: port)
            try connection.send(Request.bytes("GET", "/livez"))
            #expect(try connection.receive().status == 200)
            #expect(try activator.output.line() == "listening on http://127.0.0.1:\(port)")
            activator.send(SIGTERM)
            #expect(try activator.wait() == .status(0))
        }
    }
}
