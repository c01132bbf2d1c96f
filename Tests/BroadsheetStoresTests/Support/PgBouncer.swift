import Foundation
import TestSupport

/// A PgBouncer in transaction mode before a server.
///
/// It ends with the object, and with the process that runs the tests, in any case.
final class PgBouncer: Sendable {
    /// The port on the loopback address.
    let port: UInt16
    private let folder: PostgresFolder
    private let lifeline: Lifeline

    /// Starts a pooler with two connections to the server.
    init(before server: PostgresServer) throws {
        folder = try PostgresFolder(named: "pooler")
        port = try FreePort.any()
        let configuration = """
            [databases]
            * = host=127.0.0.1 port=\(server.port) user=broadsheet
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 2
            max_client_conn = 100
            """
        let path = folder.path + "/pgbouncer.ini"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: path))
        lifeline = try Lifeline(
            """
            PATH="$PATH:/usr/sbin"; exec >/dev/null 2>&1; pgbouncer "$1" & read _; kill -KILL $!
            """, [path], after: PostgresProgram.prefix)
    }
}
