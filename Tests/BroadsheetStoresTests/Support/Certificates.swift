import Foundation
import Glibc
import Synchronization
import TestSupport

/// Certificates in the files of a folder, which `openssl` has made: `NAME.pem` and `NAME.key`.
///
/// `ca` has issued `server` (127.0.0.1 and localhost), `elsewhere` (another name), `expired`, and
/// `client`, and `named`, which is `localhost` in its subject alone; `other` has issued `stranger`
/// (127.0.0.1). `locked.key` is the client's key with a
/// passphrase.
final class Certificates: Sendable {
    private static let script = """
        set -e
        cd "$0"
        new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        authority() { openssl req -x509 $new -keyout $1.key -out $1.pem -subj /CN=$1 -days 2; }
        issue() {
            openssl req $new -keyout $1.key -out $1.csr -subj /CN=$1 -addext subjectAltName=$3
            openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -out $1.pem \\
                -days $4 -copy_extensions copy
        }
        authority ca
        authority other
        issue server ca IP:127.0.0.1,DNS:localhost 2
        issue elsewhere ca DNS:redis.example 2
        issue expired ca IP:127.0.0.1 -1
        issue client ca DNS:client 2
        issue stranger other IP:127.0.0.1 2
        openssl req $new -keyout named.key -out named.csr -subj /CN=localhost
        openssl x509 -req -in named.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out named.pem
        openssl ec -in client.key -aes128 -passout pass:secret -out locked.key
        """

    private static let made = Result { try Certificates() }

    /// The certificates of all tests.
    static var shared: Certificates {
        get throws { try made.get() }
    }

    private let folder: URL

    private init() throws {
        struct NotMade: Error { let output: String }
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (output, status) = try ChildProgram.run(["sh", "-c", Self.script, folder.path])
        guard status == 0 else { throw NotMade(output: output) }
        // A constant of a type is never released.
        atexit { if let made = try? Certificates.shared { made.remove() } }
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Returns the path of a file.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

/// The TLS of a server.
struct ServerTLS: Sendable {
    /// The name of its certificate.
    var certificate = "server"
    /// A Boolean value that indicates whether clients need a certificate.
    var requiresClients = false

    /// Returns the options of a `redis-server` that listens on a port with TLS only.
    func options(port: UInt16) throws -> [String] {
        let files = try Certificates.shared
        return [
            "--port", "0", "--tls-port", "\(port)", "--tls-replication", "yes",
            "--tls-cluster", "yes", "--tls-auth-clients", requiresClients ? "yes" : "no",
            "--tls-cert-file", files.path("\(certificate).pem"),
            "--tls-key-file", files.path("\(certificate).key"),
            "--tls-ca-cert-file", files.path("ca.pem"),
        ]
    }
}
