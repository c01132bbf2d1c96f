import Broadsheet
import Synchronization

@testable import BroadsheetService

/// A sink that keeps log lines in memory.
final class MemoryLogSink: LogSink {
    private let kept = Mutex<[String]>([])

    /// The lines so far.
    var lines: [String] { kept.withLock { $0 } }

    func line(_ write: (inout JSONWriter) -> Void) {
        var line = JSONWriter()
        write(&line)
        kept.withLock { [bytes = line.bytes] in $0.append(String(decoding: bytes, as: UTF8.self)) }
    }

    var droppedLines: UInt64 { 0 }
}
