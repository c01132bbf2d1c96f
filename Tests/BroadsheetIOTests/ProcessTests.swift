import BroadsheetIO
import Glibc
import TestSupport
import Testing

@Suite("Signals", .serialized, .timeLimit(.minutes(hangMinutes)))
struct SignalStreamTests {
    private static let first = Signal(rawValue: SIGUSR1)
    private static let second = Signal(rawValue: SIGUSR2)

    @Test("The stream delivers signals in order, each as often as it arrived")
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

    @Test(
        "A write into a broken pipe or beyond a file's limit is an error, not the process's end"
    )
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

@Suite("The limit of open files")
struct OpenFileLimitTests {
    @Test("The limit is raised as far as allowed and never lowered")
    func raise() {
        let before = OpenFileLimit.raise(to: 0)
        #expect(before > 0)
        #expect(OpenFileLimit.raise(to: before) == before)
        let highest = OpenFileLimit.raise(to: .max)
        #expect(highest >= before)
        #expect(OpenFileLimit.raise(to: 1) == highest)
    }
}
