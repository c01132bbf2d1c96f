import Dispatch
import Foundation
import Testing

@testable import BroadsheetStores

@Suite("A job queue")
struct JobQueueTests {
    @Test("A job queue returns jobs in order, as many at once as requested")
    func order() {
        let queue = JobQueue<Int>(capacity: 100)
        for job in 0..<10 { #expect(queue.enqueue(job) == .accepted) }
        #expect(queue.dequeue(atMost: 3) == [0, 1, 2])
        #expect(queue.dequeue(atMost: 100) == Array(3..<10))
    }

    @Test("A job queue is full at its capacity in jobs")
    func capacity() {
        let queue = JobQueue<Int>(capacity: 2)
        #expect(queue.enqueue(1) == .accepted)
        #expect(queue.enqueue(2) == .accepted)
        #expect(queue.enqueue(3) == .full)
        #expect(queue.dequeue(atMost: 1) == [1])
        #expect(queue.enqueue(4) == .accepted)
    }

    @Test("A job queue is full at its capacity in bytes, except for a single job")
    func byteCapacity() {
        let queue = JobQueue<Int>(capacity: 100, byteCapacity: 10)
        #expect(queue.enqueue(1, bytes: 50) == .accepted)
        #expect(queue.enqueue(2, bytes: 0) == .full)
        #expect(queue.dequeue(atMost: 9) == [1])
        #expect(queue.enqueue(3, bytes: 6) == .accepted)
        #expect(queue.enqueue(4, bytes: 5) == .full)
        #expect(queue.enqueue(5, bytes: 4) == .accepted)
        #expect(queue.dequeue(atMost: 9) == [3, 5])
        #expect(queue.enqueue(6, bytes: 10) == .accepted)
    }

    @Test("A job queue returns jobs up to the requested number of bytes, except for a single job")
    func byteLimit() {
        let queue = JobQueue<Int>(capacity: 100)
        for (job, bytes) in [(1, 20), (2, 4), (3, 5), (4, 2), (5, 9)] {
            _ = queue.enqueue(job, bytes: bytes)
        }
        #expect(queue.dequeue(atMost: 9, byteLimit: 10) == [1])
        #expect(queue.dequeue(atMost: 9, byteLimit: 10) == [2, 3])
        #expect(queue.dequeue(atMost: 9, byteLimit: 10) == [4])
        #expect(queue.dequeue(atMost: 9, byteLimit: 10) == [5])
    }

    @Test("A closed job queue accepts no jobs, and returns those that wait")
    func closing() {
        let queue = JobQueue<Int>(capacity: 100)
        _ = queue.enqueue(1)
        queue.close()
        #expect(queue.enqueue(2) == .closed)
        #expect(queue.dequeue(atMost: 9) == [1])
        #expect(queue.dequeue(atMost: 9) == nil)
        #expect(queue.dequeue(atMost: 9) == nil)
    }

    @Test("A job queue returns no jobs after the timeout")
    func timeout() {
        let queue = JobQueue<Int>(capacity: 100)
        #expect(queue.dequeue(atMost: 9, within: .milliseconds(1)) == [])
        _ = queue.enqueue(1)
        #expect(queue.dequeue(atMost: 9, within: .seconds(0)) == [1])
    }

    @Test("A job queue wakes the waiting thread, for any number of senders")
    func concurrency() async {
        let queue = JobQueue<Int>(capacity: 100_000)
        async let taken = withCheckedContinuation { done in
            Thread.detachNewThread {
                var sum = 0
                while let batch = queue.dequeue(atMost: 7) { sum += batch.reduce(0, +) }
                done.resume(returning: sum)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { for job in 0..<1000 { _ = queue.enqueue(sender * 1000 + job) } }
            }
        }
        queue.close()
        #expect(await taken == (0..<8000).reduce(0, +))
    }
}
