package import Broadsheet
package import BroadsheetIO

/// The format of log lines.
public enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON object a line.
    case json
    /// Words separated by spaces, one record a line.
    case text
}

/// The log of the daemon: it adds the time to a record, formats it, and passes it to a sink.
package struct Log: Sendable {
    private let format: LogFormat
    private let sink: any LogSink
    private let clock: TimeSource

    package init(format: LogFormat, sink: any LogSink, clock: TimeSource = .system) {
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    package static let silent = Log(format: .json, sink: SilentLogSink())

    /// Safe to call from any thread; it does not wait for the reader of the log.
    package func write(_ record: LogRecord) {
        let time = Timestamp(unixMilliseconds: clock.unixMilliseconds)
        sink.line { line in
            switch format {
            case .json: record.writeJSON(at: time, into: &line)
            case .text: record.writeText(at: time, into: &line)
            }
        }
    }

    var droppedLines: UInt64 { sink.droppedLines }
}

/// The destination of log lines.
package protocol LogSink: Sendable {
    /// Accepts one line: `write` appends it, without a line break, to a buffer that the sink
    /// reuses.
    ///
    /// Does not block. A sink whose reader is too slow drops lines and counts them.
    func line(_ write: (inout JSONWriter) -> Void)

    var droppedLines: UInt64 { get }
}

/// A sink that discards its lines and does not count them as dropped.
private struct SilentLogSink: LogSink {
    func line(_ write: (inout JSONWriter) -> Void) {}

    var droppedLines: UInt64 { 0 }
}
