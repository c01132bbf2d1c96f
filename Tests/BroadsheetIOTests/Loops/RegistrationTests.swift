import Testing

@testable import BroadsheetIO

@Suite("Registrations")
struct RegistrationTableTests {
    @Test("An event for a slot that is used again finds no handler")
    func staleToken() {
        var table = RegistrationTable()
        let first = ReadinessRecorder()
        let second = ReadinessRecorder()
        let old = table.add(first, for: 7)
        table.remove(old)
        let new = table.add(second, for: 7)
        #expect(new.slot == old.slot, "the slot is used again")
        #expect(table[old.token] == nil)
        #expect(table[new.token] === second)
    }

    @Test("Removing twice frees a slot once")
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

    @Test("A token that was never issued finds no handler", arguments: [0, 5, .max] as [UInt64])
    func foreignToken(token: UInt64) {
        #expect(RegistrationTable()[token] == nil)
    }
}
