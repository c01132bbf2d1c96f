import Broadsheet
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The log's sink into a file descriptor")
struct DescriptorLogSinkTests {
    /// The written bytes and the number of calls.
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

    private func write(_ text: StaticString, to sink: DescriptorLogSink) {
        sink.line { $0.raw(text) }
    }

    @Test("The sink writes every line as a whole, in order")
    func lines() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { output.take(.max, of: $1) }
        for _ in 0..<100 {
            write("one", to: sink)
            write("two", to: sink)
        }
        sink.flush(within: .seconds(10))
        #expect(output.text == String(repeating: "one\ntwo\n", count: 100))
        #expect(sink.droppedLines == 0)
    }

    @Test("The sink collects lines and writes them in one call")
    func batching() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2, delay: .never) { output.take(.max, of: $1) }
        for _ in 0..<100 { write("line", to: sink) }
        #expect(output.calls.load(ordering: .relaxed) == 0)
        sink.flush(within: .seconds(10))
        #expect(output.calls.load(ordering: .relaxed) == 1)
        #expect(output.text == String(repeating: "line\n", count: 100))
    }

    @Test("The sink writes a full batch without delay", .timeLimit(.minutes(hangMinutes)))
    func fullBatch() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2, delay: .never) { output.take(.max, of: $1) }
        for _ in 0..<1000 {
            sink.line { line in
                for _ in 0..<100 { line.raw("x") }
            }
        }
        while output.calls.load(ordering: .relaxed) == 0 { sched_yield() }
        #expect(output.text.hasPrefix("xxx"))
    }

    @Test(
        "The sink writes lines after its delay, again and again", .timeLimit(.minutes(hangMinutes)))
    func delay() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2, delay: .microseconds(100)) {
            output.take(.max, of: $1)
        }
        for count in 1...20 {
            write("line", to: sink)
            while output.calls.load(ordering: .relaxed) < count { sched_yield() }
        }
        #expect(output.text == String(repeating: "line\n", count: 20))
    }

    @Test("A sink that is released writes its last lines")
    func release() {
        let output = Output()
        var sink: DescriptorLogSink? = DescriptorLogSink(descriptor: 2, delay: .never) {
            output.take(.max, of: $1)
        }
        if let sink { write("last", to: sink) }
        sink = nil
        #expect(output.text == "last\n")
    }

    @Test("The sink continues after a short write")
    func shortWrites() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { output.take(3, of: $1) }
        write("abcdefgh", to: sink)
        write("ij", to: sink)
        sink.flush(within: .seconds(10))
        #expect(output.text == "abcdefgh\nij\n")
    }

    @Test("The sink retries a write that a signal interrupted")
    func interrupted() {
        let output = Output()
        let sink = DescriptorLogSink(descriptor: 2) { _, buffer in
            if output.calls.add(1, ordering: .relaxed).newValue % 2 == 1 {
                errno = EINTR
                return -1
            }
            return output.take(2, of: buffer)
        }
        write("abc", to: sink)
        sink.flush(within: .seconds(10))
        #expect(output.text == "abc\n")
    }

    @Test("The sink drops and counts lines when the log cannot be written any more")
    func closed() {
        let sink = DescriptorLogSink(descriptor: 2) { _, _ in
            errno = EPIPE
            return -1
        }
        for _ in 0..<7 { write("x", to: sink) }
        sink.flush(within: .seconds(10))
        #expect(sink.droppedLines == 7)
    }

    @Test("The sink drops lines if the reader is too slow, without blocking the caller")
    func slow() {
        let output = Output()
        let gate = Shared(())
        let isWriting = Shared(false)
        let sink = DescriptorLogSink(descriptor: 2, capacity: 64) { _, buffer in
            isWriting.withLock { $0 = true }
            return gate.withLock { _ in output.take(.max, of: buffer) }
        }
        gate.withLock { _ in
            write("first", to: sink)
            while !isWriting.value { sched_yield() }
            for _ in 0..<100 { write("0123456789abcdef", to: sink) }
        }
        sink.flush(within: .seconds(10))
        // Four lines fill the 64 bytes; there is no space for a fifth.
        #expect(output.text == "first\n" + String(repeating: "0123456789abcdef\n", count: 4))
        #expect(sink.droppedLines == 96)
    }

    @Test("The sink keeps the lines of many threads apart")
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
