import TestSupport
import Testing

@testable import BroadsheetIO

@Suite("A loop's inbox", .timeLimit(.minutes(hangMinutes)))
struct InboxTests {
    @Test("Only the first item added to an empty inbox wakes the loop")
    func burst() {
        let inbox = Inbox()
        #expect(inbox.add(.call {}) == .queuedFirst)
        #expect(inbox.add(.call {}) == .queued)
        #expect(inbox.takeAll().count == 2)
        #expect(inbox.takeAll().isEmpty)
        #expect(inbox.add(.call {}) == .queuedFirst)
    }

    @Test("A closed inbox returns the remaining work and refuses more")
    func closed() {
        let inbox = Inbox()
        _ = inbox.add(.call {})
        #expect(inbox.close().count == 1)
        #expect(inbox.add(.call {}) == .refused)
        #expect(inbox.takeAll().isEmpty)
    }

    @Test("No work is lost or duplicated between many threads and one reader")
    func contended() async {
        let inbox = Inbox()
        let writers = 4
        let each = 5_000
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<writers {
                group.addTask {
                    for _ in 0..<each { _ = inbox.add(.call {}) }
                    return 0
                }
            }
            group.addTask {
                var taken = 0
                while taken < writers * each {
                    taken += inbox.takeAll().count
                    await Task.yield()
                }
                return taken
            }
            let total = await group.reduce(0, +)
            #expect(total == writers * each)
        }
    }
}
