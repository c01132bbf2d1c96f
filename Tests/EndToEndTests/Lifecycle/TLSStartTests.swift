import Foundation
import TestSupport
import Testing

extension EndToEnd.Starting {
    @Suite struct WithTLS {
        /// A server that requires a certificate of its clients, for which it accepts its own.
        private final class Server {
            let port: UInt16
            /// The query of an address with the certificate and its key.
            let query: String
            private let program: Program

            init(folder: borrowing ScratchFolder) throws {
                let (key, certificate) = (folder.path("key"), folder.path("certificate"))
                let made = try Shell.run([
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
                    "-subj", "/CN=redis", "-addext", "subjectAltName=IP:127.0.0.1",
                ])
                guard made.status == 0 else { throw HarnessError(made.errors) }
                query = "ca=\(certificate)&cert=\(certificate)&key=\(key)"
                port = try FreePort.any()
                program = try Program([
                    "redis-server", "--port", "0", "--tls-port", "\(port)", "--bind", "127.0.0.1",
                    "--dir", folder.path, "--save", "", "--tls-auth-clients", "yes",
                    "--tls-key-file", key, "--tls-cert-file", certificate, "--tls-ca-cert-file",
                    certificate,
                ])
                _ = try program.output.line { $0.contains("Ready to accept connections") }
            }

            deinit { program.end() }
        }

        private func startErrors(_ store: String, status: Int32) throws -> String {
            let outcome = try Shell.broadsheet(
                "serve", "--port", "0", environment: ["BROADSHEET_STORE": store])
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.output == "")
            #expect(!outcome.errors.contains("hidden"), "\(outcome.errors)")
            return outcome.errors
        }

        @Test("A server that is not trusted ends the start with status 1 and OpenSSL's reason")
        func untrusted() throws {
            let folder = try ScratchFolder()
            let server = try Server(folder: folder)
            let errors = try startErrors("rediss://me:hidden@127.0.0.1:\(server.port)", status: 1)
            #expect(errors.contains("certificate verify failed"), "\(errors)")
            #expect(errors.contains("127.0.0.1:\(server.port)"), "\(errors)")
        }

        @Test("A daemon keeps its screens on a server over TLS, with a certificate of its own")
        func trusted() throws {
            let folder = try ScratchFolder()
            let server = try Server(folder: folder)
            let address = "rediss://127.0.0.1:\(server.port)/0?\(server.query)"
            let daemons = try (0..<2).map { _ in
                try TestDaemon(environment: ["BROADSHEET_STORE": address])
            }
            try Storefront.store(0..<1, as: "home", in: daemons[0])
            let trees = try daemons.map { try $0.request("GET", "/v1/screens/home/layout").body }
            #expect(trees[0] == trees[1] && !trees[0].isEmpty)
            let line = try daemons[0].program.errors.line { $0.contains(#""started""#) }
            #expect(line.contains("store rediss://127.0.0.1:\(server.port)/0"))
            #expect(!line.contains("key="))
        }

        @Test("A file that cannot be read ends the start with status 1, and names the parameter")
        func missingFile() throws {
            let errors = try startErrors(
                "rediss://me:hidden@127.0.0.1:1?ca=/nowhere.pem", status: 1)
            #expect(errors.contains("ca: No such file or directory"), "\(errors)")
        }

        @Test("Without a Sentinel that replies the start ends with status 1")
        func noSentinel() throws {
            let port = try FreePort.any()
            let errors = try startErrors(
                "redis+sentinel://me:hidden@127.0.0.1:\(port)/main?sentinel-password=hidden",
                status: 1)
            #expect(errors.contains("no Sentinel names main"), "\(errors)")
        }

        @Test(
            "A URL that has no meaning ends the start with status 2",
            arguments: [
                "redis://me:hidden@h?ca=/a", "rediss://me:hidden@h?verify=hidden",
                "rediss://me:hidden@h?ca=/a&ca=/b", "rediss://me:hidden@h?cert=/a",
                "redis+sentinel://me:hidden@h", "redis+sentinel://me:hidden@h/main?ca=hidden",
            ])
        func invalid(store: String) throws {
            #expect(try startErrors(store, status: 2).contains("--store: the redis"))
        }
    }
}
