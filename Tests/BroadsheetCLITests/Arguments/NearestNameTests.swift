import Testing

@testable import BroadsheetCLI

@Suite("The nearest name")
struct NearestNameTests {
    private static let flags = ["--host", "--port", "--catalog", "--max-body", "--max-headers"]

    @Test(
        "A slip finds what was meant",
        arguments: [
            ("--prot", "--port"), ("--hots", "--host"), ("--catalogue", "--catalog"),
            ("--max-bodies", "--max-body"), ("--maxbody", "--max-body"),
            ("--max-header", "--max-headers"), ("--MAX-BODY", "--max-body"),
        ])
    func slips(typed: String, meant: String) {
        #expect(NearestName.of(typed, among: Self.flags) == meant)
    }

    @Test("What resembles nothing finds nothing", arguments: ["", "--frobnicate", "x", "--"])
    func strangers(typed: String) {
        #expect(NearestName.of(typed, among: Self.flags) == nil)
    }

    @Test("A name of absurd length is not compared at all")
    func absurd() {
        #expect(NearestName.of(String(repeating: "x", count: 100_000), among: Self.flags) == nil)
        #expect(NearestName.of("--port", among: []) == nil)
    }
}
