import Glibc
import Testing

@testable import BroadsheetIO

@Suite("The memory of the system")
struct SystemMemoryTests {
    @Test("The resident size is the second number of statm, in pages; 0 if there is none")
    func resident() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        #expect(SystemMemory.residentBytes { _ in "100 25 3 1 0 9 0\n" } == 25 * page)
        #expect(SystemMemory.residentBytes { _ in "x" } == 0)
        #expect(SystemMemory.residentBytes { _ in nil } == 0)
        #expect(SystemMemory.residentBytes() > 1 << 20)
    }

    @Test("Free memory is returned once the process is 80 MiB above its reservations, with pauses")
    func trims() {
        var checks = MemoryChecks()
        let limit = MemoryTrimmer.maxUnreservedBytes
        let budget = 4 * limit
        let isDueAtLimit = checks.isTrimDue(
            resident: limit + 100, reserved: 100, limit: budget)
        #expect(!isDueAtLimit)
        var dues: [Bool] = []
        for _ in 0..<9 {
            dues.append(checks.isTrimDue(resident: limit + 101, reserved: 100, limit: budget))
        }
        #expect(dues == (0..<9).map { $0.isMultiple(of: MemoryTrimmer.pause) })
    }

    @Test("More than 64 MiB above the budget, free memory is returned at every check")
    func trimsNearBound() {
        var checks = MemoryChecks()
        let limit = 512 << 20
        let dues = [0, 1, 1, 1, 0].map { more in
            let resident = limit + MemoryTrimmer.maxExcess + more
            return checks.isTrimDue(resident: resident, reserved: limit, limit: limit)
        }
        #expect(dues == [false, true, true, true, false])
        var unlimited = MemoryChecks()
        let isDue = unlimited.isTrimDue(resident: limit, reserved: limit, limit: .max)
        #expect(!isDue)
    }

    @Test("The thread ends at shutdown")
    func trimmer() throws {
        try MemoryTrimmer(MemoryBudget(limit: 1)).shutdown()
    }

    /// A machine of 1000 bytes, and files.
    private func limit(_ files: [String: String]) -> Int {
        SystemMemory.limit(machine: 1000) { files[$0] }
    }

    @Test("Without a control group the limit is the machine's memory")
    func machine() {
        #expect(limit([:]) == 1000)
        #expect(SystemMemory.machineBytes > 1 << 20)
        #expect(SystemMemory.limit() <= SystemMemory.machineBytes && SystemMemory.limit() > 0)
    }

    @Test(
        "A control group's limit, or that of one above it, applies (cgroups(7))",
        arguments: [
            ("0::/a/b\n", ["/a/b/memory.max": "400\n"], 400),
            ("0::/a/b\n", ["/a/b/memory.max": "max\n", "/a/memory.max": "300\n"], 300),
            ("0::/a/b\n", ["/a/b/memory.max": "400\n", "/memory.max": "200\n"], 200),
            ("0::/\n", ["/memory.max": "100\n"], 100),
            ("0::/a\n", ["/a/memory.max": "5000\n"], 1000),
            ("0::/a\n", ["/a/memory.max": "0\n"], 1000),
            ("0::/a\n", ["/a/memory.max": "?"], 1000),
            (
                "3:cpu,memory:/x\n1:name=systemd:/x\n",
                ["/memory/x/memory.limit_in_bytes": "500\n"], 500
            ),
            ("3:memory:/x\n", ["/memory/memory.limit_in_bytes": "600\n"], 600),
            ("3:memory:/x\n", ["/memory/x/memory.limit_in_bytes": "9223372036854771712"], 1000),
            ("3:cpu:/x\n", ["/memory/x/memory.limit_in_bytes": "1"], 1000),
            ("nonsense\n::\n", ["/memory.max": "700"], 700),
        ])
    func groups(_ groups: String, _ files: [String: String], expected: Int) {
        var all = ["/proc/self/cgroup": groups]
        for (path, text) in files { all["/sys/fs/cgroup" + path] = text }
        #expect(limit(all) == expected)
    }
}
