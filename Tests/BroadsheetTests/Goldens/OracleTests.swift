import TestSupport
import Testing

@Suite("Oracle")
struct OracleTests {
    @Test("The oracle agrees with the numbers calculated by hand")
    func workedNumbers() throws {
        let outcome = try OracleProcess.run(["-m", "unittest", "-q", "test_oracle"])
        #expect(outcome.status == 0, Comment(rawValue: outcome.errors))
    }

    @Test("The recorded trees are those of the oracle")
    func recordedTrees() throws {
        let outcome = try OracleProcess.run(["record_goldens.py", "--check"])
        let output = String(decoding: outcome.output, as: UTF8.self)
        #expect(outcome.status == 0, Comment(rawValue: output + outcome.errors))
    }
}
