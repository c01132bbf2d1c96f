package import Broadsheet

/// Where log lines go.
package protocol LogSink: Sendable {
    /// Takes one line: `write` puts it, without a line's end, into a buffer that the sink reuses.
    ///
    /// Never blocks for long; a sink that cannot keep up drops lines and counts them.
    func line(_ write: (inout JSONWriter) -> Void)

    /// How many lines were dropped so far.
    var droppedLines: UInt64 { get }
}

/// A sink that keeps nothing.
package struct SilentLogSink: LogSink {
    /// Makes one.
    package init() {}
    /// Takes nothing.
    package func line(_ write: (inout JSONWriter) -> Void) {}
    /// Silence on purpose is nothing dropped.
    package var droppedLines: UInt64 { 0 }
}
