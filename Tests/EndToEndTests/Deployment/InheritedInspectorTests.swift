import Glibc
import Testing

extension EndToEnd.SocketActivation {
    @Test(
        "By default the inspector is served on inherited sockets that only this machine can reach",
        arguments: [(true, 200), (false, 404)])
    func inspector(isLoopback: Bool, status: Int) throws {
        let socket = try HandedSocket(isLoopback: isLoopback)
        let daemon = try HandedSocket.serve(on: [socket], ["--open"])
        _ = try daemon.output.line()
        let connection = try ClientConnection(port: socket.port)
        try connection.send(Request.bytes("GET", "/inspector", headers: [("Connection", "close")]))
        #expect(try connection.receive().status == status)
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == .status(0))
    }
}
