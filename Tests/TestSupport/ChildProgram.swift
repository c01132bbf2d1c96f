package import Foundation
import Glibc
import Synchronization

/// A program that runs beside the tests.
///
/// `Process` of Foundation is not used: when this process has more than about 1,300 open files, it
/// reads beyond the end of their list, and may crash.
package final class ChildProgram: Sendable {
    /// The process ID.
    package let identifier: pid_t
    /// The status, once the program has ended and its process ID may be another program's.
    private let status = Mutex<Int32?>(nil)
    private let end = DispatchGroup()

    /// Starts a program with its standard input, output and errors.
    package init(
        _ words: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        _ descriptors: [Int32]
    ) throws {
        identifier = try spawn(words, environment: environment, descriptors: descriptors)
        end.enter()
        Thread.detachNewThread { [self] in
            var info = siginfo_t()
            while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            status.withLock { status in
                var value: Int32 = 0
                waitpid(identifier, &value, 0)
                status = value
            }
            end.leave()
        }
    }

    /// Sends a signal, unless the program has ended.
    package func send(_ signal: Int32) {
        status.withLock { if $0 == nil { _ = kill(identifier, signal) } }
    }

    /// Waits for the end of the program and returns its exit status; 128 and the signal that ended
    /// it.
    @discardableResult
    package func wait() -> Int32 {
        end.wait()
        let status = status.withLock { $0 } ?? 0
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Runs a program to its end, and returns what it has printed, with its status.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - errors: The file for its errors; `nil` for those among the output.
    package static func run(
        _ words: [String], errors: FileHandle? = nil
    ) throws -> (output: String, status: Int32) {
        // A file: a pipe has to be read meanwhile.
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("broadsheet-output-\(UUID().uuidString)")
        try Data().write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
        let output = try FileHandle(forWritingTo: path)
        let files = [input, output, errors ?? output]
        let status = try ChildProgram(words, files.map(\.fileDescriptor)).wait()
        return (String(decoding: try Data(contentsOf: path), as: UTF8.self), status)
    }
}

/// A program could not be started.
package struct NotSpawned: Error {
    let words: [String]
    let code: Int32
}

/// Starts a program with clean signals, as a shell does, and returns its id.
///
/// - Parameters:
///   - words: The program and its arguments.
///   - environment: Its variables.
///   - descriptors: The open files that it has as 0, 1 and so on; it has no other ones.
package func spawn(
    _ words: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment,
    descriptors: [Int32]
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    closeOthers(&actions, from: Int32(descriptors.count))
    var attributes = cleanSignals()
    defer { posix_spawnattr_destroy(&attributes) }
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
        environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var identifier: pid_t = 0
    let code = posix_spawnp(&identifier, words[0], &actions, &attributes, &argv, &envp)
    guard code == 0 else { throw NotSpawned(words: words, code: code) }
    return identifier
}

/// Makes a program that is started close all descriptors from one on.
private func closeOthers(_ actions: inout posix_spawn_file_actions_t, from lowest: Int32) {
    typealias AddCloseFrom =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
        ) -> Int32
    // The headers declare it for programs with extensions of GNU only, which Swift's are not.
    let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
    precondition(function != nil, "the tests need glibc 2.34")
    _ = unsafeBitCast(function, to: AddCloseFrom.self)(&actions, lowest)
}

/// Returns attributes that reset blocked and ignored signals.
private func cleanSignals() -> posix_spawnattr_t {
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
