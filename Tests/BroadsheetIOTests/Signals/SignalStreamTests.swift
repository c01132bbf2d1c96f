import BroadsheetIO
import Glibc
import Testing

@Suite("Signals", .serialized, .timeLimit(.minutes(1)))
struct SignalStreamTests {
    private static let first = Signal(rawValue: SIGUSR1)
    private static let second = Signal(rawValue: SIGUSR2)

    @Test("Signals to the process come out of the stream in their order, each as often as it came")
    func delivery() async throws {
        let stream = try SignalStream([Self.first, Self.second])
        var iterator = stream.makeAsyncIterator()
        for signal in [Self.first, Self.second, Self.first, Self.first] {
            kill(getpid(), signal.rawValue)
            #expect(await iterator.next() == signal)
        }
    }

    @Test("A signal that cannot be caught is an error")
    func uncatchable() {
        #expect(throws: IOError.system(call: "sigaction", code: EINVAL)) {
            try SignalStream([Signal(rawValue: SIGKILL)])
        }
    }

    @Test("A write into a broken pipe or beyond a file's limit is an error, and the process lives")
    func failedWrites() throws {
        Signal.ignoreFailedWrites()
        var ends: [Int32] = [-1, -1]
        try IOError.check(Int(pipe(&ends)), "pipe")
        close(ends[0])
        #expect(write(ends[1], "x", 1) == -1)
        #expect(errno == EPIPE)
        close(ends[1])
        #expect(raise(SIGXFSZ) == 0)
    }
}
