import Foundation
import Glibc
import Synchronization

/// A child process, with its output streams.
///
/// Signals go to its process id, and never after it was reaped, so that they cannot reach another
/// process that reuses the id. The program ends with the tests at the latest, even if these crash
/// (``SpawningThread``).
final class Program: Sendable {
    /// The exit status of a program, or the signal that ended it.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    let processIdentifier: pid_t
    let output: ProgramOutput
    let errors: ProgramOutput
    private let ending = Mutex<Ending?>(nil)
    private let ended = NSCondition()

    /// Starts a program.
    ///
    /// Unless `environment` specifies `BROADSHEET_STORE`, a daemon keeps its screens in memory: a
    /// test must not write to the home folder of its user.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - environment: Variables to add to this process's environment; an empty one is left out.
    ///   - input: The bytes that the program reads from standard input.
    ///   - openFiles: The limit of file descriptors, soft and hard.
    ///   - directory: The working directory.
    ///   - lastSignal: The signal that the program receives when the tests end before it.
    ///   - inherited: The descriptors that the program has from 3 on, each above all of those.
    init(
        _ words: [String], environment: [String: String] = [:], input: [UInt8] = [],
        openFiles: Int? = nil, directory: String? = nil, lastSignal: String = "KILL",
        inherited: [Int32] = []
    ) throws {
        var words = words
        if let openFiles {
            words = ["/bin/sh", "-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\""] + words
        }
        if let directory { words = ["/usr/bin/env", "-C", directory] + words }
        words = Self.endingWithTheTests(lastSignal) + words
        let variables = ProcessInfo.processInfo.environment
            .merging(["BROADSHEET_STORE": "memory"]) { $1 }.merging(environment) { $1 }
            .filter { !$0.value.isEmpty }
        let streams: SpawnedStreams
        (processIdentifier, streams) = try SpawningThread.shared.run { [words] in
            Result {
                let streams = try SpawnedStreams(input: input, inherited: inherited)
                return (try streams.spawn(words, environment: variables), streams)
            }
        }.get()
        output = ProgramOutput(readingFrom: streams.output)
        errors = ProgramOutput(readingFrom: streams.errors)
        Thread.detachNewThread { [self] in reap() }
    }

    /// Returns a command prefix with which a command receives a signal when the tests end before
    /// it.
    ///
    /// The kernel clears this setting when a process changes its credentials, so a command that
    /// changes them needs the prefix again after that change.
    static func endingWithTheTests(_ signal: String = "KILL") -> [String] {
        ["setpriv", "--pdeathsig", signal, "--"]
    }

    /// Sends a signal, unless the program has ended.
    func send(_ signal: Int32) {
        ending.withLock { if $0 == nil { _ = kill(processIdentifier, signal) } }
    }

    /// Waits for the end of the program.
    func wait(until deadline: Deadline = .within()) throws -> Ending {
        ended.lock()
        defer { ended.unlock() }
        while true {
            if let ending = ending.withLock({ $0 }) { return ending }
            guard ended.wait(until: Date(timeIntervalSinceNow: deadline.seconds)) else {
                throw HarnessError("process \(processIdentifier) did not end in time")
            }
        }
    }

    /// Sends SIGKILL and waits for the end of the program.
    func end() {
        send(SIGKILL)
        _ = try? wait()
    }

    /// Waits for the end of the program, and reaps it while holding the lock that `send` takes.
    private func reap() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR
        {}
        ending.withLock { ending in
            var status: Int32 = 0
            waitpid(processIdentifier, &status, 0)
            let signal = status & 0x7f
            ending = signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
        }
        ended.lock()
        ended.broadcast()
        ended.unlock()
    }
}

/// Runs commands to their end.
enum Shell {
    /// The output and the exit status of a command.
    struct Outcome {
        let ending: Program.Ending
        let output: String
        let errors: String

        /// The exit status, or `nil` if a signal ended the command.
        var status: Int32? {
            if case .status(let status) = ending { status } else { nil }
        }
    }

    /// Runs a program to its end and returns its output.
    static func run(
        _ words: [String], environment: [String: String] = [:], input: [UInt8] = [],
        directory: String? = nil, within duration: Duration = .seconds(120)
    ) throws -> Outcome {
        let deadline = Deadline.within(duration)
        let program = try Program(
            words, environment: environment, input: input, directory: directory)
        defer { program.end() }
        let ending = try program.wait(until: deadline)
        return Outcome(
            ending: ending, output: try program.output.all(until: deadline),
            errors: try program.errors.all(until: deadline))
    }

    /// Runs `broadsheet` with the given arguments.
    static func broadsheet(
        _ words: String..., environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> Outcome {
        try run([Repository.binary] + words, environment: environment, input: input)
    }
}
