import Broadsheet
package import BroadsheetIO

/// How log lines look.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON object a line, for machines.
    case json
    /// One line of words, for people.
    case text
}

/// The daemon's log: what to say, when it was, how it looks, and where it goes.
package struct Log: Sendable {
    private let format: LogFormat
    private let sink: any LogSink
    private let clock: TimeSource

    /// A log of lines in `format` into `sink`.
    package init(format: LogFormat, sink: any LogSink, clock: TimeSource = .system) {
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    /// A log that says nothing.
    package static let silent = Log(format: .json, sink: SilentLogSink())

    /// Says one thing.
    ///
    /// Safe from any thread; does not wait for whoever reads the log.
    package func write(_ record: LogRecord) {
        let time = Timestamp(unixMilliseconds: clock.unixMilliseconds)
        sink.line { line in
            switch format {
            case .json: record.writeJSON(at: time, into: &line)
            case .text: record.writeText(at: time, into: &line)
            }
        }
    }

    /// How many lines were dropped so far, since nobody read them fast enough.
    var droppedLines: UInt64 { sink.droppedLines }
}
