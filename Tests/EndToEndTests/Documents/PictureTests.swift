import Testing

extension EndToEnd {
    @Suite struct Pictures {
        @Test("The documents' pictures are what the command draws today")
        func upToDate() throws {
            let outcome = try Shell.run(
                ["bash", Repository.path("docs/pictures/draw"), "--check"],
                environment: ["BROADSHEET_BINARY": Repository.binary])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }
    }
}
