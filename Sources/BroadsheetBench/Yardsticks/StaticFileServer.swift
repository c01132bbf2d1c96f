internal import Foundation

/// nginx serving one file, set up as somebody would who knows it: as many workers as cores, the file
/// held open and sent by the kernel, no log, connections kept for good.
final class StaticFileServer {
    /// Where it listens.
    let port: UInt16
    /// The path of the file in URLs.
    let path = "/layout.json"
    private let folder: ScratchFolder
    private let process: ChildProcess

    /// Starts it with these bytes to serve, and waits until it takes connections.
    init(_ surroundings: Surroundings, serving bytes: [UInt8]) throws {
        folder = try ScratchFolder(surroundings)
        _ = try folder.add("layout.json", bytes)
        port = try Loopback.freePort()
        let text = Self.configuration(folder: folder.path, port: port)
        let file = try folder.add("nginx.conf", Array(text.utf8))
        process = try ChildProcess(["nginx", "-p", folder.path, "-c", file], silent: true)
        try Loopback.awaitListener(on: port)
    }

    private static func configuration(folder: String, port: UInt16) -> String {
        """
        daemon off;
        worker_processes auto;
        \(geteuid() == 0 ? "user root;" : "")
        pid \(folder)/nginx.pid;
        error_log /dev/null crit;
        events { worker_connections 1024; }
        http {
            access_log off;
            sendfile on;
            tcp_nopush on;
            tcp_nodelay on;
            open_file_cache max=16;
            keepalive_timeout 60s;
            keepalive_requests 1000000000;
            types { application/json json; }
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(port) reuseport;
                root \(folder);
            }
        }
        """
    }
}
