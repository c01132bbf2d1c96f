import Broadsheet
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import BroadsheetService

@Suite("The log's sink into a file descriptor")
struct DescriptorLogSinkTests {
    /// What was written, and what each call of write answers.
    final class Output: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let calls = Atomic<Int>(0)

        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

        func take(_ count: Int, of buffer: UnsafeRawBufferPointer) -> Int {
            calls.add(1, ordering: .relaxed)
            bytes.withLock { $0.append(contentsOf: buffer.prefix(count)) }
            return min(count, buffer.count)
        }
    }

    private func say(_ text: StaticString, to sink: DescriptorLogSink) {
        sink.line { $0.raw(text) }
    }

    @Test("writes every line whole, in order")
    func lines() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { output.take(.max, of: $1) }
        for _ in 0..<100 {
            say("one", to: sink)
            say("two", to: sink)
        }
        sink.flush(within: .seconds(10))
        #expect(output.text == String(repeating: "one\ntwo\n", count: 100))
        #expect(sink.droppedLines == 0)
    }

    @Test("lets lines gather and writes them in one call")
    func gathering() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2, patience: .never) { output.take(.max, of: $1) }
        for _ in 0..<100 { say("line", to: sink) }
        #expect(output.calls.load(ordering: .relaxed) == 0)
        sink.flush(within: .seconds(10))
        #expect(output.calls.load(ordering: .relaxed) == 1)
        #expect(output.text == String(repeating: "line\n", count: 100))
    }

    @Test("lets no more gather than are worth a call", .timeLimit(.minutes(1)))
    func enough() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2, patience: .never) { output.take(.max, of: $1) }
        for _ in 0..<1000 {
            sink.line { line in
                for _ in 0..<100 { line.raw("x") }
            }
        }
        while output.calls.load(ordering: .relaxed) == 0 { sched_yield() }
        #expect(output.text.hasPrefix("xxx"))
    }

    @Test("goes on where a short write ended")
    func shortWrites() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { output.take(3, of: $1) }
        say("abcdefgh", to: sink)
        say("ij", to: sink)
        sink.flush(within: .seconds(10))
        #expect(output.text == "abcdefgh\nij\n")
    }

    @Test("tries again after a signal")
    func interrupted() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { _, buffer in
            if output.calls.add(1, ordering: .relaxed).newValue % 2 == 1 {
                errno = EINTR
                return -1
            }
            return output.take(2, of: buffer)
        }
        say("abc", to: sink)
        sink.flush(within: .seconds(10))
        #expect(output.text == "abc\n")
    }

    @Test("a log that cannot be written any more loses lines, counts them, and lives on")
    func closed() {
        let sink = DescriptorLogSink(descriptor: 2) { _, _ in
            errno = EPIPE
            return -1
        }
        for _ in 0..<7 { say("x", to: sink) }
        sink.flush(within: .seconds(10))
        #expect(sink.droppedLines == 7)
    }

    @Test("a reader that is too slow loses lines instead of holding anyone up")
    func slow() {
        let output = Output()
        let gate = Shared(())
        let isWriting = Shared(false)
        let sink = DescriptorLogSink(descriptor: 2, capacity: 64) { _, buffer in
            isWriting.withLock { $0 = true }
            return gate.withLock { _ in output.take(.max, of: buffer) }
        }
        gate.withLock { _ in
            say("first", to: sink)
            while !isWriting.value { sched_yield() }
            for _ in 0..<100 { say("0123456789abcdef", to: sink) }
        }
        sink.flush(within: .seconds(10))
        // Four lines fill the 64 bytes; the fifth may not begin.
        #expect(output.text == "first\n" + String(repeating: "0123456789abcdef\n", count: 4))
        #expect(sink.droppedLines == 96)
    }

    @Test("many threads' lines do not mix")
    func threads() async {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { output.take(.max, of: $1) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { sink.line { $0.string("0123456789") } }
                }
            }
        }
        sink.flush(within: .seconds(10))
        #expect(output.text == String(repeating: "\"0123456789\"\n", count: 800))
    }
}
