import Foundation
import Glibc
import Synchronization

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

    /// Creates the streams of a program that reads `input`.
    init(input: [UInt8]) throws {
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in inner.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        var attributes = Self.cleanSignals()
        defer { posix_spawnattr_destroy(&attributes) }
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var identifier: pid_t = 0
        let result = posix_spawnp(&identifier, words[0], &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            throw HarnessError("cannot start \(words): \(String(cString: strerror(result)))")
        }
        return identifier
    }

    /// Returns attributes that reset blocked and ignored signals, as for a program that a shell
    /// starts.
    private static func cleanSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw HarnessError("no pipe: errno \(errno)") }
        // Otherwise the next program would keep this pipe open. One thread makes pipes and starts
        // programs, so `pipe` and `fcntl` need not be one atomic call.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
