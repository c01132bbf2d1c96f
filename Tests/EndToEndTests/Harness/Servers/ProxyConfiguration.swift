import Foundation
import Glibc

/// The shipped `nginx.conf` in a configuration of its own that may run beside any other nginx.
struct ProxyConfiguration {
    let folder: String
    let daemons: [Daemon]

    /// Writes it for those ports, without and with TLS, and returns its path.
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

    /// The shipped file with other addresses, ports and paths.
    private func adapted(
        _ shipped: String, _ ports: (plain: UInt16, secure: UInt16)
    ) -> String {
        shipped.components(separatedBy: "\n").flatMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "listen" where line.contains("[::]"):
                // Not every machine has IPv6.
                return [http2(line).replacing("[::]:443", with: "127.0.0.2:\(ports.secure)")]
            case "listen":
                let secure = http2(line).replacing("443", with: "127.0.0.1:\(ports.secure)")
                return [secure, "listen 127.0.0.1:\(ports.plain);"]
            case "#" where words == ["#", "http2", "on;"]: return Self.isRecent ? ["http2 on;"] : []
            case "ssl_certificate": return ["ssl_certificate \(folder)/proxy.pem;"]
            case "ssl_certificate_key": return ["ssl_certificate_key \(folder)/proxy.key;"]
            case "server" where line.contains("127.0.0.1:8080"):
                return daemons.map { line.replacing("127.0.0.1:8080", with: $0.address) }
            default: return [line]
            }
        }.joined(separator: "\n")
    }

    /// As the file itself says for recent versions.
    private func http2(_ line: String) -> String {
        Self.isRecent ? line.replacing(" http2", with: "") : line
    }

    /// Whether nginx is 1.25.1 or later.
    private static let isRecent: Bool = {
        let words = (try? Shell.run(["nginx", "-v"]).errors) ?? ""
        let version = words.drop { $0 != "/" }.dropFirst().prefix { $0.isNumber || $0 == "." }
        let parts = version.split(separator: ".").compactMap { Int($0) }
        return !parts.lexicographicallyPrecedes([1, 25, 1])
    }()
}
