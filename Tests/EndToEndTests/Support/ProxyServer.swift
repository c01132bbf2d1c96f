import Foundation
import Glibc
import TestSupport

/// nginx with the shipped configuration, in front of daemons.
///
/// Only addresses, ports and the certificate's paths differ from the shipped file. One added line
/// opens a port without TLS, for the tests' clients that do not support it.
final class ProxyServer {
    /// The server's host name.
    static let name = "layouts.example.com"
    /// The names for which tests send requests, for `--allowed-hosts`: the proxy's, and `localhost`
    /// for requests to the daemons themselves.
    static let hosts = "localhost,\(name)"

    /// The port for HTTP/1.1 without TLS.
    let port: UInt16
    /// The port for TLS, with the protocols of the shipped configuration.
    let securePort: UInt16
    /// The server's error log so far.
    var log: String { program.errors.text }
    /// The path of the server's certificate.
    let certificate: String
    /// The path of the server's configuration.
    let configuration: String
    private let program: Program

    /// Starts nginx with its files in `folder`, and waits until it accepts connections.
    init(folder: String, before daemons: [TestDaemon]) throws {
        try Self.makeCertificate(in: folder)
        var words = ""
        for _ in 0..<FreePort.attempts {
            let ports = (try FreePort.any(), try FreePort.any())
            let path = try ProxyConfiguration(folder: folder, daemons: daemons).write(ports)
            // SIGTERM ends nginx's workers too; after SIGKILL they would continue to run.
            let program = try Program(["nginx", "-p", folder, "-c", path], lastSignal: "TERM")
            if Self.isReady(program) {
                (port, securePort, self.program) = (ports.0, ports.1, program)
                (certificate, configuration) = (folder + "/proxy.pem", path)
                return
            }
            words = program.errors.text
        }
        throw HarnessError("nginx does not start: \(words)")
    }

    deinit {
        program.send(SIGTERM)
        _ = try? program.wait()
    }

    /// Waits until nginx has started its workers; returns `false` if it ends instead, for example
    /// because one of its ports is taken.
    private static func isReady(_ program: Program) -> Bool {
        do {
            _ = try program.errors.line { $0.contains("start worker process ") }
            return true
        } catch {
            program.send(SIGTERM)
            return false
        }
    }

    private static func makeCertificate(in folder: String) throws {
        let made = try Shell.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "1", "-subj", "/CN=\(name)",
            "-addext", "subjectAltName=DNS:\(name)", "-keyout", folder + "/proxy.key", "-out",
            folder + "/proxy.pem",
        ])
        guard made.status == 0 else { throw HarnessError("no certificate: \(made.errors)") }
    }
}

/// A complete nginx configuration that includes the shipped `nginx.conf`, and whose instance can
/// run beside another nginx.
struct ProxyConfiguration {
    let folder: String
    let daemons: [TestDaemon]

    /// Writes the configuration for two ports, without and with TLS, and returns its path.
    func write(_ ports: (plain: UInt16, secure: UInt16)) throws -> String {
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
            \(adapted(shipped, ports))
            }
            """
        let path = folder + "/nginx.conf"
        try Data(configuration.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Returns the shipped file with replaced addresses, ports and paths.
    private func adapted(
        _ shipped: String, _ ports: (plain: UInt16, secure: UInt16)
    ) -> String {
        shipped.components(separatedBy: "\n").flatMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "listen" where line.contains("[::]"):
                // IPv6 may be unavailable.
                return [http2(line).replacing("[::]:443", with: "127.0.0.2:\(ports.secure)")]
            case "listen":
                let secure = http2(line).replacing("443", with: "127.0.0.1:\(ports.secure)")
                return [secure, "listen 127.0.0.1:\(ports.plain);"]
            case "#" where words == ["#", "http2", "on;"]: return Self.isRecent ? ["http2 on;"] : []
            case "access_log": return ["access_log \(folder)/access.log broadsheet;"]
            case "ssl_certificate": return ["ssl_certificate \(folder)/proxy.pem;"]
            case "ssl_certificate_key": return ["ssl_certificate_key \(folder)/proxy.key;"]
            case "server" where line.contains("127.0.0.1:8080"):
                return daemons.map { line.replacing("127.0.0.1:8080", with: $0.address) }
            default: return [line]
            }
        }.joined(separator: "\n")
    }

    /// Returns a `listen` line in the form that the installed version of nginx expects.
    private func http2(_ line: String) -> String {
        Self.isRecent ? line.replacing(" http2", with: "") : line
    }

    /// A Boolean value that indicates whether nginx is 1.25.1 or later.
    private static let isRecent: Bool = {
        let words = (try? Shell.run(["nginx", "-v"]).errors) ?? ""
        let version = words.drop { $0 != "/" }.dropFirst().prefix { $0.isNumber || $0 == "." }
        let parts = version.split(separator: ".").compactMap { Int($0) }
        return !parts.lexicographicallyPrecedes([1, 25, 1])
    }()
}
