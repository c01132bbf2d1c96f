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
                return [line.replacing("[::]:443", with: "127.0.0.2:\(ports.secure)")]
            case "listen":
                let secure = line.replacing("443", with: "127.0.0.1:\(ports.secure)")
                return [secure, "listen 127.0.0.1:\(ports.plain);"]
            case "ssl_certificate": return ["ssl_certificate \(folder)/proxy.pem;"]
            case "ssl_certificate_key": return ["ssl_certificate_key \(folder)/proxy.key;"]
            case "server" where line.contains("127.0.0.1:8080"):
                return daemons.map { line.replacing("127.0.0.1:8080", with: $0.address) }
            default: return [line]
            }
        }.joined(separator: "\n")
    }
}
