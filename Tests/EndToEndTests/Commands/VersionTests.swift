import Testing

extension EndToEnd {
    @Suite struct Version {
        @Test("version prints one line and ends with 0")
        func version() throws {
            let outcome = try Shell.broadsheet("version")
            #expect(outcome.status == 0)
            #expect(outcome.output.wholeMatch(of: /broadsheet \d+\.\d+\.\d+\n/) != nil)
            #expect(outcome.errors == "")
        }
    }
}
