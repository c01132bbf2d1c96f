import Foundation
import TestSupport
import Testing

extension EndToEnd.SocketActivation {
    @Test("A daemon of the shipped units is restarted by systemd under load, and no request fails")
    func restartsOfUnit() throws {
        let systemd: Systemd
        do {
            systemd = try Systemd(units: ["broadsheet.service", "broadsheet.socket"])
        } catch {
            return print("cannot run systemd, so it has restarted no daemon under load: \(error)")
        }
        let delay = "echo BROADSHEET_DRAIN_DELAY=3 >/etc/broadsheet/environment"
        try #require(systemd.run("sh", "-c", delay).status == 0)
        let start = try systemd.run(
            "systemctl", "start", "broadsheet.socket", "broadsheet.service")
        try #require(start.status == 0, "\(start.errors) \(systemd.log)")
        let key = String(try systemd.run("cat", "/run/secret").output.dropLast())
        let clients = try (0..<4).map { number in
            let screen = "home-\(number)"
            let put = try systemd.run(
                "curl", "-sS", "-X", "PUT", "-H", "Content-Type: application/json", "-H",
                "Authorization: Bearer \(key)", "-H", "Prefer: return=minimal", "-w",
                "%{http_code}", "-d", #"{"sections":[]}"#,
                "http://127.0.0.1:8080/v1/screens/\(screen)/pages/0")
            try #require(put.output.hasSuffix("201"), "\(put.output) \(put.errors) \(systemd.log)")
            return RestartClient(
                port: 8080, screen: screen, headers: [("Authorization", "Bearer \(key)")],
                network: systemd.network)
        }
        for client in clients { client.start() }
        for _ in FailureRounds.all {
            for client in clients { try client.waitForRound() }
            let before = try systemd.mainProcess()
            let restart = try systemd.run("systemctl", "restart", "broadsheet.service")
            #expect(restart.status == 0, "\(restart.errors)")
            #expect(try systemd.mainProcess() != before)
        }
        for client in clients { try client.waitForRound() }
        try RestartClient.expectNoFailure(of: clients, systemd.log)
    }
}
