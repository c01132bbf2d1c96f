import Synchronization
import Testing

@testable import BroadsheetIO

@Suite("A loop's work queue")
struct WorkQueueTests {
    @Test("Work comes out in the order it went in, however long the queue never runs empty")
    func order() {
        let last = Atomic(-1)
        var queue = WorkQueue()
        var put = 0
        func append() {
            let number = put
            queue.append(.call { last.store(number, ordering: .relaxed) })
            put += 1
        }
        for _ in 0..<10 { append() }
        for expected in 0..<20_000 {
            append()
            guard case .call(let body) = queue.popFirst() else { return #expect(Bool(false)) }
            body()
            #expect(last.load(ordering: .relaxed) == expected)
        }
        #expect(queue.count == 10)
    }

    @Test("An empty queue gives nothing")
    func empty() {
        var queue = WorkQueue()
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }
}

extension Work? {
    fileprivate static func == (left: Work?, right: Never?) -> Bool {
        if case .none = left { true } else { false }
    }
}
