import BroadsheetIO
import Synchronization
import Testing

struct ObserverTests {
    @Test("A function that was called 300,000 times is called as directly as at first")
    func manyEvents() {
        let sum = Mutex(0)
        let observer = Observer<Int>()
        observer.notify(1)
        observer.set { event in sum.withLock { $0 += event } }
        // A call that had wrapped the function once more would overflow the stack.
        for event in 1...300_000 { observer.notify(event) }
        #expect(sum.withLock { $0 } == 45_000_150_000)
    }

    @Test("The function that was set last receives the events")
    func replacement() {
        let events = Mutex<[String]>([])
        let observer = Observer<Int>()
        observer.set { event in events.withLock { $0.append("first \(event)") } }
        observer.notify(1)
        observer.set { event in events.withLock { $0.append("second \(event)") } }
        observer.notify(2)
        #expect(events.withLock { $0 } == ["first 1", "second 2"])
    }
}
