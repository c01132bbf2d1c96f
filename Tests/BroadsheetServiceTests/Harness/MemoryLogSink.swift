import Broadsheet
import Synchronization

@testable import BroadsheetService

/// Keeps log lines for tests to look at.
final class MemoryLogSink: LogSink {
    private let taken = Mutex<[String]>([])

    /// The lines so far.
    var lines: [String] { taken.withLock { $0 } }

    func line(_ write: (inout JSONWriter) -> Void) {
        var line = JSONWriter()
        write(&line)
        taken.withLock { [bytes = line.bytes] in $0.append(String(decoding: bytes, as: UTF8.self)) }
    }

    var droppedLines: UInt64 { 0 }
}
