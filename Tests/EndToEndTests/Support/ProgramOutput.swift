import Foundation
import Glibc
import Synchronization

/// The output of a program on one of its streams.
///
/// A dedicated thread collects it, so that the program never waits for a test to read.
final class ProgramOutput: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isAtEnd = false
    }

    private let state = Mutex(State())
    private let changed = NSCondition()

    /// Starts to read a descriptor, and closes it at the end of the stream.
    init(readingFrom descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                let isAtEnd = count <= 0
                append(isAtEnd ? [] : chunk[..<count], isAtEnd: isAtEnd)
                if isAtEnd { break }
            }
            close(descriptor)
        }
    }

    /// The output so far, decoded as UTF-8.
    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// The output so far.
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Waits for a complete line that satisfies `matches`, and returns the first such line.
    func line(
        until deadline: Deadline = .within(), where matches: (Substring) -> Bool = { _ in true }
    ) throws -> String {
        try wait(until: deadline) { text, isAtEnd in
            var whole = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The last element is an incomplete line; at the end of the stream it is a line unless
            // empty.
            if !isAtEnd || whole.last == "" { whole.removeLast() }
            return whole.first(where: matches).map(String.init)
        }
    }

    /// Waits for the end of the stream, and returns all output.
    func all(until deadline: Deadline = .within()) throws -> String {
        try wait(until: deadline) { text, isAtEnd in isAtEnd ? text : nil }
    }

    private func wait<Found>(
        until deadline: Deadline, _ find: (String, _ isAtEnd: Bool) -> Found?
    ) throws -> Found {
        changed.lock()
        defer { changed.unlock() }
        while true {
            let (text, isAtEnd) = state.withLock {
                (String(decoding: $0.bytes, as: UTF8.self), $0.isAtEnd)
            }
            if let found = find(text, isAtEnd) { return found }
            guard !isAtEnd, changed.wait(until: Date(timeIntervalSinceNow: deadline.seconds)) else {
                throw HarnessError("no such line before the deadline: \(text.suffix(2_000))")
            }
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, isAtEnd: Bool) {
        changed.lock()
        state.withLock {
            $0.bytes += bytes
            $0.isAtEnd = isAtEnd
        }
        changed.broadcast()
        changed.unlock()
    }
}
