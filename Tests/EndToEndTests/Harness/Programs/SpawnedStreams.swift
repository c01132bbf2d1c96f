import Foundation
import Glibc

/// The three standard streams of a program that is about to start: a file that it reads, and two
/// pipes that it writes into.
struct SpawnedStreams {
    /// This side's end of its standard output; whoever reads it closes it.
    let output: Int32
    /// This side's end of its standard error; whoever reads it closes it.
    let errors: Int32
    private let inner: [Int32]

    /// Makes them; the program will read `input`.
    init(input: [UInt8]) throws {
        // An unnamed file instead of a pipe: no input is too long to be written before it starts.
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

    /// Starts the program, closes its ends on this side, and returns its process id.
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

    /// Attributes that undo what this thread blocks or ignores: the program starts as from a shell.
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
        // Else the next program would hold this one's pipe open; these tests start one at a time.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
