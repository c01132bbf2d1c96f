import Foundation

/// A server with pages, whose screens are named after what they do (`Tests/Origin/origin.py`).
final class OriginServer {
    /// A request that the server has received.
    struct Request: Decodable {
        /// The path; with `elsewhere:` before it for the server that nothing should ask.
        let path: String
        /// The header fields.
        let headers: [String: String]?
    }

    let port: Int
    /// The port of the server that nothing should ask, without TLS.
    private let otherPort: UInt16
    private let program: Program
    private let scheme: String
    /// The number of marks in the output (``requests``).
    private var marks = 0

    /// Starts the server, with TLS if there is a folder with a certificate and its key.
    init(certificate folder: String? = nil) throws {
        let options = folder.map {
            ["--certificate", "\($0)/origin.pem", "--key", "\($0)/origin.key"]
        }
        scheme = folder == nil ? "http" : "https"
        program = try Program(
            ["python3", Repository.path("Tests/Origin/origin.py")] + (options ?? []))
        let line: String
        do {
            line = try program.output.line()
        } catch {
            program.end()
            throw HarnessError("the origin did not start: \(program.errors.text)")
        }
        let ports = line.split(separator: " ").compactMap { UInt16($0) }
        guard ports.count == 2 else {
            program.end()
            throw HarnessError("the origin has printed no ports: \(line)")
        }
        (port, otherPort) = (Int(ports[0]), ports[1])
    }

    deinit { program.end() }

    /// The value of `--origin` for this server.
    var url: String { url(host: "127.0.0.1") }

    /// Returns the URL of the server by a name of its host.
    func url(host: String) -> String { "\(scheme)://\(host):\(port)/screens" }

    /// The requests so far: all that have a response, and maybe others.
    ///
    /// A line of the output may arrive later than the response, but not later than the line of a
    /// request that is sent now.
    var requests: [Request] {
        get throws {
            marks += 1
            let connection = try ClientConnection(port: otherPort)
            try connection.send("GET /mark-\(marks) HTTP/1.0\r\n\r\n")
            _ = try connection.receiveToEnd()
            try wait(for: "elsewhere:/mark-\(marks)")
            return try program.output.text.split(separator: "\n").dropFirst().map {
                try JSONDecoder().decode(Request.self, from: Data($0.utf8))
            }.filter { !$0.path.hasPrefix("elsewhere:/mark-") }
        }
    }

    /// The paths of the requests so far.
    var paths: [String] { get throws { try requests.map(\.path) } }

    /// Waits until a path is requested.
    func wait(for path: String) throws {
        _ = try program.output.line { $0.contains("\"\(path)\"") }
    }

    /// Ends the server.
    func end() { program.end() }

    /// Makes a certificate for localhost that signs itself, and its key, in a folder.
    static func makeCertificate(in folder: String) throws {
        let made = try Shell.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", folder + "/origin.key", "-out",
            folder + "/origin.pem",
        ])
        guard made.status == 0 else { throw HarnessError("no certificate: \(made.errors)") }
    }
}
