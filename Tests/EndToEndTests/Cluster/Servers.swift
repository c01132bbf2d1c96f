import Foundation
import Glibc

/// A redis-server in a folder of its own, which writes every write to its file before it answers.
final class RedisServer {
    let port: UInt16
    private let program: Program

    /// Starts one and waits until it serves what its folder holds.
    init(folder: String, port: UInt16) throws {
        self.port = port
        program = try Program([
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder,
            "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no",
        ])
        _ = try program.output.line { $0.contains("Ready to accept connections") }
    }

    deinit { kill() }

    /// What `--store` calls it.
    var address: String { "redis://127.0.0.1:\(port)/0" }

    /// Ends it as a crash would.
    func kill() { program.end() }
}

/// nginx with the configuration that is shipped, in front of some daemons.
final class ProxyServer {
    let port: UInt16
    private let program: Program

    /// Starts it in `folder` and waits until it takes connections.
    init(folder: String, before daemons: [Daemon]) throws {
        port = try FreePort.any()
        let shipped = String(
            decoding: try Repository.contents("docs/deploy/nginx.conf"), as: UTF8.self)
        let configuration = """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            pid \(folder)/nginx.pid;
            error_log stderr notice;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
            \(try Self.adapted(shipped, port: port, daemons: daemons))
            }
            """
        let path = folder + "/nginx.conf"
        try Data(configuration.utf8).write(to: URL(filePath: path))
        program = try Program(["nginx", "-p", folder, "-c", path])
        _ = try program.errors.line { $0.contains("start worker process ") }
    }

    deinit {
        program.send(SIGTERM)
        _ = try? program.wait()
    }

    /// The shipped file without TLS, on a port of the loopback interface, before these daemons.
    private static func adapted(
        _ shipped: String, port: UInt16, daemons: [Daemon]
    ) throws -> String {
        var lines = [String]()
        for line in shipped.components(separatedBy: "\n") {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("ssl_certificate") || words.hasPrefix("listen [::]") { continue }
            if words.hasPrefix("listen ") {
                lines.append("listen 127.0.0.1:\(port);")
            } else if words.hasPrefix("server 127.0.0.1:8080") {
                lines += daemons.map { words.replacing("127.0.0.1:8080", with: $0.address) }
            } else {
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n")
    }
}
