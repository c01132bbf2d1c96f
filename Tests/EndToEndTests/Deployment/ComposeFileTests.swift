import Foundation
import TestSupport
import Testing

/// The members of docs/deploy/compose.yaml.
private struct ComposeFile: Decodable {
    struct Service: Decodable {
        struct Build: Decodable {
            let context: String
            let dockerfile: String
        }
        struct HealthCheck: Decodable { let test: [String] }

        let image: String?
        let build: Build?
        let environment: [String: String]?
        let secrets: [String]?
        let volumes: [String]?
        let ports: [String]?
        let healthcheck: HealthCheck?
        let stopGracePeriod: String?

        enum CodingKeys: String, CodingKey {
            case image, build, environment, secrets, volumes, ports, healthcheck
            case stopGracePeriod = "stop_grace_period"
        }
    }
    struct Secret: Decodable { let file: String }

    let services: [String: Service]
    let secrets: [String: Secret]
    let volumes: [String: String?]

    /// Parses the shipped file; `nil` without a parser of YAML.
    static func shipped() throws -> ComposeFile? {
        let python = Repository.path(".build/client-tools/bin/python")
        guard FileManager.default.isExecutableFile(atPath: python) else { return nil }
        // Compose reads numbers of these members as texts.
        let script = """
            import json, sys, yaml
            json.dump(yaml.load(sys.stdin, Loader=yaml.BaseLoader), sys.stdout)
            """
        let outcome = try Shell.run(
            [python, "-c", script], input: Repository.contents("docs/deploy/compose.yaml"))
        guard outcome.status == 0 else { throw HarnessError(outcome.errors) }
        return try JSONDecoder().decode(ComposeFile.self, from: Data(outcome.output.utf8))
    }

    func service(_ name: String) throws -> Service {
        guard let service = services[name] else { throw HarnessError("no service \(name)") }
        return service
    }
}

extension EndToEnd.Deployment {
    /// The folder that a comment of the Compose file names, with the files of an operator.
    private static let operatorFolder = "./deploy/"

    @Test("The services of the Compose file fit each other, the image and nginx.conf")
    func composeFile() throws {
        guard let file = try ComposeFile.shipped() else {
            return print("no parser of YAML, so compose.yaml was not read: run make test-deps")
        }
        #expect(Set(file.services.keys) == ["postgres", "daemon-1", "daemon-2", "nginx"])
        let (postgres, nginx) = (try file.service("postgres"), try file.service("nginx"))
        // A tag of a version, on the Debian of the image of the daemon.
        #expect(postgres.image == "postgres:16-bookworm" && nginx.image == "nginx:1.26-bookworm")
        let image = String(
            decoding: try Repository.contents("docs/deploy/Dockerfile"), as: UTF8.self)
        #expect(image.contains("\nFROM debian:bookworm-slim\n"))
        #expect(
            postgres.healthcheck?.test == [
                "CMD", "pg_isready", "--username=broadsheet", "--dbname=screens",
            ])
        #expect(postgres.environment?["POSTGRES_USER"] == "broadsheet")
        #expect(postgres.environment?["POSTGRES_DB"] == "screens")
        #expect(postgres.environment?["POSTGRES_PASSWORD_FILE"] == "/run/secrets/postgres")
        let configuration = String(
            decoding: try Repository.contents("docs/deploy/nginx.conf"), as: UTF8.self)
        #expect(nginx.ports == ["443:443"] && configuration.contains("listen 443 ssl"))
        for line in nginx.volumes ?? [] {
            let parts = line.split(separator: ":").map(String.init)
            let isConfiguration = parts[1] == "/etc/nginx/conf.d/broadsheet.conf"
            #expect(isConfiguration || configuration.contains("\(parts[1])/"), "\(line)")
        }
        for service in file.services.values {
            for secret in service.secrets ?? [] { #expect(file.secrets[secret] != nil) }
            for line in service.volumes ?? [] where !line.hasPrefix(Self.operatorFolder) {
                #expect(file.volumes.keys.contains(String(line.prefix { $0 != ":" })))
            }
        }
        for secret in file.secrets.values { #expect(secret.file.hasPrefix(Self.operatorFolder)) }
        for name in ["daemon-1", "daemon-2"] {
            let daemon = try file.service(name)
            let build = try #require(daemon.build)
            #expect(build.context == "../.." && build.dockerfile == "docs/deploy/Dockerfile")
            let keys = try #require(daemon.volumes?.first { $0.hasSuffix(":ro") })
            let target = keys.split(separator: ":")[1]
            #expect(image.contains("ENV BROADSHEET_KEYS=\(target)\n"))
            // The delay, the drain, whose default is ten seconds, and the end of the process.
            let grace = try #require(daemon.stopGracePeriod.flatMap { Int($0.dropLast()) })
            let delay = try #require(
                daemon.environment?["BROADSHEET_DRAIN_DELAY"].flatMap { Int($0) })
            #expect(grace > delay + 10)
        }
    }

    @Test("The daemon reads every variable that a file of docs/deploy names")
    func variables() throws {
        let help = try Shell.broadsheet("serve", "--help").output
        let known = Set(help.matches(of: /environment (BROADSHEET_\w+)/).map(\.output.1))
        let files = Repository.files(under: "docs/deploy", suffix: "")
        #expect(files.count >= 6)
        for path in files {
            let text = String(decoding: try Repository.contents(path), as: UTF8.self)
            for name in text.matches(of: /BROADSHEET_\w+/).map(\.output) {
                #expect(known.contains(name), "\(path): \(name)")
            }
        }
    }

    @Test("With the variables of the Compose file two daemons serve behind the shipped nginx.conf")
    func composedDaemons() throws {
        guard let file = try ComposeFile.shipped() else {
            return print("no parser of YAML, so compose.yaml was not tried: run make test-deps")
        }
        let folder = try ScratchFolder()
        let secure = try SecurePostgres.shared()
        // The form that a comment of the file gives: host, port, database, user and password.
        let passwords = try folder.write("localhost:*:postgres:someone:hidden\n", to: "passfile")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords)
        let daemons = try ["daemon-1", "daemon-2"].map { name in
            var variables = try #require(file.service(name).environment)
            let store = try #require(variables["BROADSHEET_STORE"])
            #expect(store.hasPrefix("postgres://broadsheet@postgres/screens?passfile="))
            variables["BROADSHEET_STORE"] =
                store
                .replacing(
                    "broadsheet@postgres/screens",
                    with: "someone@localhost:\(secure.server.port)/postgres"
                )
                .replacing("/run/secrets/passfile", with: passwords)
            return try TestDaemon(environment: variables)
        }
        let proxy = try ProxyServer(folder: folder.path, before: daemons)
        let check = try Shell.run(["nginx", "-t", "-p", folder.path, "-c", proxy.configuration])
        #expect(check.status == 0, "\(check.errors)")
        let page = try Storefront.page(0)
        let client = SecureClient(proxy: proxy)
        let put = try client.request(
            "/v1/screens/composed/pages/0", "-X", "PUT", "-H", "Content-Type: application/json",
            "--data-binary", "@-", body: page)
        #expect(put.status == 201, "\(put)")
        for daemon in daemons {
            let response = try daemon.request("GET", "/v1/screens/composed/pages/0")
            #expect(response.status == 200 && response.body == page)
        }
    }

    @Test("The socket unit listens where a daemon without options does, for TCP only")
    func socketUnit() throws {
        let text = String(
            decoding: try Repository.contents("docs/deploy/broadsheet.socket"), as: UTF8.self)
        let settings = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(settings.filter { $0.hasPrefix("Listen") } == ["ListenStream=127.0.0.1:8080"])
        // A service of the same name receives the socket, and accepts the connections itself.
        #expect(!settings.contains { $0.hasPrefix("Accept=") || $0.hasPrefix("Service=") })
        #expect(settings.contains("Backlog=4096") && settings.contains("WantedBy=sockets.target"))
        let help = try Shell.broadsheet("serve", "--help").output
        let proxy = String(
            decoding: try Repository.contents("docs/deploy/nginx.conf"), as: UTF8.self)
        #expect(proxy.contains("server 127.0.0.1:8080 max_fails=0;"))
        #expect(help.contains("default 127.0.0.1; environment BROADSHEET_HOST"))
        #expect(help.contains("default 8080; environment BROADSHEET_PORT"))
    }
}
