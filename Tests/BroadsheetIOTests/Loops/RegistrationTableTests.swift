import Testing

@testable import BroadsheetIO

@Suite("Registrations")
struct RegistrationTableTests {
    @Test("An event for a place that has changed hands finds nobody")
    func staleToken() {
        var table = RegistrationTable()
        let first = ReadinessRecorder()
        let second = ReadinessRecorder()
        let old = table.add(first, for: 7)
        table.remove(old)
        let new = table.add(second, for: 7)
        #expect(new.slot == old.slot, "the place is used again")
        #expect(table[old.token] == nil)
        #expect(table[new.token] === second)
    }

    @Test("Removing twice frees a place once")
    func doubleRemoval() {
        var table = RegistrationTable()
        let registration = table.add(ReadinessRecorder(), for: 1)
        table.remove(registration)
        table.remove(registration)
        #expect(table.count == 0)
        let next = table.add(ReadinessRecorder(), for: 1)
        let afterNext = table.add(ReadinessRecorder(), for: 2)
        #expect(next.slot != afterNext.slot)
    }

    @Test("A token that was never given finds nobody", arguments: [0, 5, .max] as [UInt64])
    func foreignToken(token: UInt64) {
        #expect(RegistrationTable()[token] == nil)
    }
}
