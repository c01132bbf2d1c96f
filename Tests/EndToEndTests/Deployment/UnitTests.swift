import Foundation
import Testing

extension EndToEnd.Deployment {
    @Test("The shipped unit is well-formed, and exposes little by systemd's own measure")
    func unitFile() throws {
        let folder = try ScratchFolder()
        let shipped = String(
            decoding: try Repository.contents("docs/deploy/broadsheet.service"), as: UTF8.self)
        // The binary is not installed here.
        let unit = shipped.replacing("/usr/local/bin/broadsheet", with: Repository.binary)
        let path = try folder.write(unit, to: "broadsheet.service")
        let check = try Shell.run(["systemd-analyze", "verify", "--man=no", path])
        #expect(check.status == 0, "\(check.errors)")
        #expect(!check.errors.contains("broadsheet.service"), "\(check.errors)")
        // In tenths, from 0 (nothing is exposed) to 100.
        let exposure = try Shell.run([
            "systemd-analyze", "security", "--offline=true", "--threshold=15", path,
        ])
        #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
    }

    @Test(
        "Under a real systemd the shipped unit serves, reloads, comes back from SIGKILL, and stops")
    func unitAtWork() throws {
        let systemd: Systemd
        do {
            systemd = try Systemd()
        } catch {
            return print("systemd cannot be run here, so the unit was only analysed: \(error)")
        }
        let start = try systemd.run("systemctl", "start", "broadsheet")
        #expect(start.status == 0, "\(start.errors) \(systemd.log)")
        let page = "http://127.0.0.1:8080/v1/screens/home/pages/0"
        let put = try systemd.run(
            "curl", "-sS", "-X", "PUT", "-H", "Content-Type: application/json", "-H",
            "Prefer: return=minimal", "-w", "%{http_code}", "--retry-connrefused", "--retry", "9",
            "-d", #"{"sections":[]}"#, page)
        #expect(put.output.hasSuffix("201"), "\(put.output) \(put.errors) \(systemd.log)")

        let before = try systemd.mainProcess()
        let status = try systemd.run("cat", "/proc/\(before)/status").output
        for line in ["Seccomp:\t2", "NoNewPrivs:\t1", "CapBnd:\t0000000000000000"] {
            #expect(status.contains(line), "\(status)")
        }
        #expect(!status.contains("Uid:\t0"))
        #expect(try systemd.run("systemctl", "reload", "broadsheet").status == 0)
        #expect(try systemd.mainProcess() == before)

        try #require(systemd.run("sh", "-c", "kill -9 \(before)").status == 0)
        let get = try systemd.run(
            "curl", "-sS", "--retry-all-errors", "--retry", "9", "--retry-delay", "1", page)
        #expect(get.output == #"{"sections":[]}"#, "\(get.errors) \(systemd.log)")
        #expect(try systemd.mainProcess() != before)

        #expect(try systemd.run("systemctl", "stop", "broadsheet").status == 0)
        let result = try systemd.run("systemctl", "show", "-p", "Result", "broadsheet")
        #expect(result.output == "Result=success\n")
        let files = try systemd.run("ls", "/var/lib/private/broadsheet").output
        #expect(files == "screens.db\nscreens.db.lock\n", "the log is folded in")
        #expect(!systemd.log.contains(#""level":"error""#), "\(systemd.log)")
    }
}
