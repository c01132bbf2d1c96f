import Foundation
import Glibc

/// nginx with the configuration that is shipped, in front of some daemons.
///
/// In the file itself only addresses, ports and the certificate's paths are replaced; one line is
/// added, with a port without TLS for clients of these tests that speak none.
final class ProxyServer {
    /// The name that it goes by.
    static let name = "layouts.example.com"

    /// Where it speaks HTTP/1.1 without TLS.
    let port: UInt16
    /// Where it speaks TLS, as it is shipped.
    let securePort: UInt16
    /// What it said while it started, and says since.
    var log: String { program.errors.text }
    /// The certificate that it shows, and its configuration.
    let certificate: String
    let configuration: String
    private let program: Program

    /// Starts it in `folder` and waits until it takes connections.
    init(folder: String, before daemons: [Daemon]) throws {
        try Self.makeCertificate(in: folder)
        var words = ""
        for _ in 0..<FreePort.attempts {
            let ports = (try FreePort.any(), try FreePort.any())
            let path = try ProxyConfiguration(folder: folder, daemons: daemons).write(ports)
            // Its workers end when it is told to, and outlive it when it is killed.
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

    /// False when it ends instead, as it does when somebody else has a port of it.
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
