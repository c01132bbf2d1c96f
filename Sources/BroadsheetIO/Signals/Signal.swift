import Glibc

/// A signal by its number.
package struct Signal: Hashable, Sendable, RawRepresentable {
    /// The number, as in `<signal.h>`.
    package let rawValue: Int32

    /// Names the signal of this number.
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `SIGHUP`: read the configuration again.
    package static let hangup = Signal(rawValue: SIGHUP)
    /// `SIGINT`: the person at the terminal wants it to end.
    package static let interrupt = Signal(rawValue: SIGINT)
    /// `SIGTERM`: the machine wants it to end.
    package static let terminate = Signal(rawValue: SIGTERM)

    /// Lets a write fail that would end the process: into a pipe whose reader has gone (`EPIPE`), or
    /// beyond the longest file that the process may make (`EFBIG`).
    ///
    /// Sockets never raise `SIGPIPE` here; standard output and standard error would.
    package static func ignoreFailedWrites() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}
