import BroadsheetIO
import Glibc
import Testing

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

    @Test("A close that a signal cut short is not made again")
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
