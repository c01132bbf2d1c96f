import Foundation
import Glibc
import Synchronization
import TestSupport

/// The thread that starts all programs.
///
/// With `PR_SET_PDEATHSIG` the kernel signals a program when the thread that started it ends, not
/// when that thread's process does. This thread runs as long as the process, so that programs end
/// with the tests, even if these crash.
final class SpawningThread: Sendable {
    static let shared = SpawningThread()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                jobs.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs `body` on the thread and returns its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let stored = Mutex<Value?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        jobs.withLock {
            $0.append {
                let result = body()
                stored.withLock { $0 = result }
                isOver.signal()
            }
        }
        waiting.signal()
        while true {
            isOver.wait()
            if let result = stored.withLock({ $0 }) { return result }
        }
    }
}

/// The standard streams of a program to start: a file for its input and two pipes for its output.
struct SpawnedStreams {
    /// The descriptor to read standard output from, which its reader closes.
    let output: Int32
    /// The descriptor to read standard error from, which its reader closes.
    let errors: Int32
    private let inner: [Int32]
    /// The descriptors that the program has from 3 on; they stay open here.
    private let inherited: [Int32]

    /// Creates the streams of a program that reads `input`.
    init(input: [UInt8], inherited: [Int32] = []) throws {
        self.inherited = inherited
        // An unlinked file instead of a pipe, because a pipe's buffer limits the length of the
        // input.
        let path = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID())").path
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        guard file >= 0, Glibc.write(file, input, input.count) == input.count,
            lseek(file, 0, SEEK_SET) == 0
        else { throw HarnessError("no input file: errno \(errno)") }
        let (output, programOutput) = try Self.pipe()
        let (errors, programErrors) = try Self.pipe()
        (self.output, self.errors) = (output, errors)
        inner = [file, programOutput, programErrors]
    }

    /// Starts a program, closes the program's descriptors in this process, and returns its id.
    func spawn(_ words: [String], environment: [String: String]) throws -> pid_t {
        defer { for descriptor in inner { close(descriptor) } }
        return try TestSupport.spawn(
            words, environment: environment, descriptors: inner + inherited)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw HarnessError("no pipe: errno \(errno)") }
        return (ends[0], ends[1])
    }
}
