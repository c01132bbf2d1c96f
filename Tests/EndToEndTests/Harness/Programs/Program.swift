import Foundation
import Glibc
import Synchronization

/// A program that a test started: its streams, its signals, its end.
///
/// It is ended by its own process id, and never after it was reaped, so that a reused id can hit
/// nobody else; at the latest it ends with the tests, however those end (``SpawningThread``).
final class Program: Sendable {
    /// How a program ended.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    let processIdentifier: pid_t
    let output: Lines
    let errors: Lines
    private let ending = Mutex<Ending?>(nil)
    private let ended = NSCondition()

    /// Starts `words[0]` with the rest as arguments.
    ///
    /// `environment` is added to this process's, in which no daemon keeps screens anywhere but in
    /// memory unless it is told to: a test must not write into anybody's home.
    /// `input` is what it reads; `openFiles` is its limit of descriptors, soft and hard;
    /// `lastSignal` is what it gets when the tests end before it.
    init(
        _ words: [String], environment: [String: String] = [:], input: [UInt8] = [],
        openFiles: Int? = nil, directory: String? = nil, lastSignal: String = "KILL"
    ) throws {
        var words = words
        if let openFiles {
            words = ["/bin/sh", "-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\""] + words
        }
        if let directory { words = ["/usr/bin/env", "-C", directory] + words }
        words = Self.endingWithTheTests(lastSignal) + words
        let streams = try SpawnedStreams(input: input)
        let variables = ProcessInfo.processInfo.environment
            .merging(["BROADSHEET_STORE": "memory"]) { $1 }.merging(environment) { $1 }
        processIdentifier = try SpawningThread.shared.run { [words] in
            Result { try streams.spawn(words, environment: variables) }
        }.get()
        output = Lines(readingFrom: streams.output)
        errors = Lines(readingFrom: streams.errors)
        Thread.detachNewThread { [self] in reap() }
    }

    /// What is put before a command so that it gets a signal when the tests end before it.
    ///
    /// A change of credentials makes the kernel forget it: a command that changes them has to put it
    /// behind that change again.
    static func endingWithTheTests(_ signal: String = "KILL") -> [String] {
        ["setpriv", "--pdeathsig", signal, "--"]
    }

    /// Sends a signal, unless the program has ended.
    func send(_ signal: Int32) {
        ending.withLock { if $0 == nil { _ = kill(processIdentifier, signal) } }
    }

    /// Waits for the end.
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

    /// Ends it now, however it is, and waits for that.
    func end() {
        send(SIGKILL)
        _ = try? wait()
    }

    /// Waits on a thread of its own for the program to end, and reaps it under the lock that
    /// signals are sent under.
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
