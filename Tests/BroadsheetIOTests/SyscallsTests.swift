import BroadsheetIO
import Glibc
import Testing
import TestSupport

@Suite("System calls")
struct SyscallsTests {
    private let syscalls = Syscalls.system

    @Test("Two pieces are sent as one, and arrive as one")
    func gather() throws {
        let pair = try Pair()
        let head = Array("head ".utf8)
        let body = Array("body".utf8)
        let sent = head.withUnsafeBytes { head in
            body.withUnsafeBytes { syscalls.send(pair.near.number, head, $0) }
        }
        #expect(sent == 9)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = buffer.withUnsafeMutableBytes { syscalls.receive(pair.far, $0) }
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "head body")
    }

    @Test("Nothing to read and full buffers are EAGAIN; the end of the stream is 0")
    func wouldBlock() throws {
        let pair = try Pair()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let empty = buffer.withUnsafeMutableBytes { syscalls.receive(pair.near.number, $0) }
        #expect(empty == Syscalls.wouldBlock)
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        var last = 1
        while last > 0 {
            last = buffer.withUnsafeBytes { syscalls.send(pair.near.number, $0, none) }
        }
        #expect(last == Syscalls.wouldBlock)
        #expect(syscalls.shutdownWriting(pair.far) == 0)
        let end = buffer.withUnsafeMutableBytes { syscalls.receive(pair.near.number, $0) }
        #expect(end == 0)
    }

    @Test("Writing to a peer that has closed is EPIPE, not SIGPIPE")
    func brokenPipe() throws {
        let pair = try Pair()
        pair.closeFar()
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let result = [UInt8(1)].withUnsafeBytes { syscalls.send(pair.near.number, $0, none) }
        #expect(result == -Int(EPIPE))
    }

    @Test("Failures are -errno", arguments: [-1])
    func failures(number: Int32) {
        #expect(syscalls.close(number) == -Int(EBADF))
        #expect(syscalls.accept(number) == -Int(EBADF))
        #expect(syscalls.resetOnClose(number) == -Int(EBADF))
        #expect(syscalls.shutdownWriting(number) == -Int(EBADF))
    }

    @Test("An error contains the call and the reason in words")
    func description() {
        #expect(
            IOError.system(call: "bind", code: EADDRINUSE).description
                == "bind: Address already in use")
        #expect(IOError.system(call: "x", code: 99_999).description.hasPrefix("x: "))
        #expect(throws: IOError.system(call: "x", code: EMFILE)) {
            try IOError.check(-Int(EMFILE), "x")
        }
        #expect(throws: Never.self) { try IOError.check(3, "x") }
    }
}

@Suite("File descriptors")
struct FileDescriptorTests {
    @Test("A descriptor is closed once, when its owner goes out of scope")
    func closedOnce() {
        let closed = Recorder<Int32>()
        var syscalls = Syscalls.system
        syscalls.close = { number in
            closed.record(number)
            return 0
        }
        do {
            let descriptor = FileDescriptor(owning: 1234, syscalls: syscalls)
            #expect(descriptor.number == 1234)
            #expect(closed.values.isEmpty)
        }
        #expect(closed.values == [1234])
    }

    @Test("A close that a signal interrupted is not repeated")
    func interruptedClose() {
        let closed = Recorder<Int32>()
        var syscalls = Syscalls.system
        syscalls.close = { number in
            closed.record(number)
            return Syscalls.interrupted
        }
        _ = FileDescriptor(owning: 1234, syscalls: syscalls)
        #expect(closed.values == [1234])
    }
}
