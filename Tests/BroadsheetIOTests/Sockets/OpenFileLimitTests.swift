import BroadsheetIO
import Testing

@Suite("The limit of open files")
struct OpenFileLimitTests {
    @Test("It is raised as far as allowed and never lowered")
    func raise() {
        let before = OpenFileLimit.raise(to: 0)
        #expect(before > 0)
        #expect(OpenFileLimit.raise(to: before) == before)
        let highest = OpenFileLimit.raise(to: .max)
        #expect(highest >= before)
        #expect(OpenFileLimit.raise(to: 1) == highest)
    }
}
