import Dispatch
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("A mailbox")
struct MailboxTests {
    @Test("hands jobs out in order, as many at once as are wanted")
    func order() {
        let mailbox = Mailbox<Int>(capacity: 100)
        for job in 0..<10 { #expect(mailbox.send(job) == .accepted) }
        #expect(mailbox.take(atMost: 3) == [0, 1, 2])
        #expect(mailbox.take(atMost: 100) == Array(3..<10))
    }

    @Test("has room for so many jobs and no more")
    func capacity() {
        let mailbox = Mailbox<Int>(capacity: 2)
        #expect(mailbox.send(1) == .accepted)
        #expect(mailbox.send(2) == .accepted)
        #expect(mailbox.send(3) == .full)
        #expect(mailbox.take(atMost: 1) == [1])
        #expect(mailbox.send(4) == .accepted)
    }

    @Test("has room for so many bytes and no more, unless a job is alone")
    func byteCapacity() {
        let mailbox = Mailbox<Int>(capacity: 100, byteCapacity: 10)
        #expect(mailbox.send(1, bytes: 50) == .accepted)
        #expect(mailbox.send(2, bytes: 0) == .full)
        #expect(mailbox.take(atMost: 9) == [1])
        #expect(mailbox.send(3, bytes: 6) == .accepted)
        #expect(mailbox.send(4, bytes: 5) == .full)
        #expect(mailbox.send(5, bytes: 4) == .accepted)
        #expect(mailbox.take(atMost: 9) == [3, 5])
        #expect(mailbox.send(6, bytes: 10) == .accepted)
    }

    @Test("hands out no more bytes at once than are wanted, unless the first job has them alone")
    func byteLimit() {
        let mailbox = Mailbox<Int>(capacity: 100)
        for (job, bytes) in [(1, 20), (2, 4), (3, 5), (4, 2), (5, 9)] {
            _ = mailbox.send(job, bytes: bytes)
        }
        #expect(mailbox.take(atMost: 9, byteLimit: 10) == [1])
        #expect(mailbox.take(atMost: 9, byteLimit: 10) == [2, 3])
        #expect(mailbox.take(atMost: 9, byteLimit: 10) == [4])
        #expect(mailbox.take(atMost: 9, byteLimit: 10) == [5])
    }

    @Test("once closed takes no more, and still hands out what waits")
    func closing() {
        let mailbox = Mailbox<Int>(capacity: 100)
        _ = mailbox.send(1)
        mailbox.close()
        #expect(mailbox.send(2) == .closed)
        #expect(mailbox.take(atMost: 9) == [1])
        #expect(mailbox.take(atMost: 9) == nil)
        #expect(mailbox.take(atMost: 9) == nil)
    }

    @Test("hands out nothing once patience is over")
    func patience() {
        let mailbox = Mailbox<Int>(capacity: 100)
        #expect(mailbox.take(atMost: 9, within: .milliseconds(1)) == [])
        _ = mailbox.send(1)
        #expect(mailbox.take(atMost: 9, within: .seconds(0)) == [1])
    }

    @Test("wakes the thread that waits, for each of many senders")
    func concurrency() async {
        let mailbox = Mailbox<Int>(capacity: 100_000)
        async let taken = withCheckedContinuation { done in
            _ = StoreThread("taker") {
                var sum = 0
                while let batch = mailbox.take(atMost: 7) { sum += batch.reduce(0, +) }
                done.resume(returning: sum)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { for job in 0..<1000 { _ = mailbox.send(sender * 1000 + job) } }
            }
        }
        mailbox.close()
        #expect(await taken == (0..<8000).reduce(0, +))
    }
}

@Suite("A FIFO")
struct FIFOTests {
    @Test("hands out what was put in, in order, whatever the turns", arguments: 0..<20)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var fifo = FIFO<Int>()
        var (next, expected) = (0, 0)
        for _ in 0..<2000 {
            if Bool.random(using: &generator) {
                fifo.append(next)
                next += 1
            } else if let taken = fifo.popFirst() {
                #expect(taken == expected, "seed \(seed)")
                expected += 1
            }
            #expect(fifo.count == next - expected, "seed \(seed)")
            #expect(fifo.first == (next == expected ? nil : expected), "seed \(seed)")
        }
        let rest = fifo.removeAll()
        #expect(rest == Array(expected..<next), "seed \(seed)")
        #expect(fifo.isEmpty)
    }
}
