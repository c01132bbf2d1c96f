import BroadsheetIO

/// The progress of a body or a response while its bytes are due, in windows of a fixed length.
///
/// A window with some bytes, but fewer than the minimum rate, ends the transfer: a peer that sends
/// or reads a byte now and then would otherwise keep its memory as long as it likes. A window
/// without any byte is left to the timeouts.
struct TransferProgress {
    /// The length of a window; a burst counts only in its own.
    static let window = Duration.seconds(10)

    /// The end of the window; never if no bytes are due.
    private(set) var end = MonotonicInstant.distantFuture
    /// The smallest number of bytes in a window with any.
    private var minimum = 0
    private var bytes = 0

    /// Begins the first window, unless one has begun.
    ///
    /// - Parameter minRate: The minimum rate in bytes a second; 0 for none.
    mutating func begin(at now: MonotonicInstant, minRate: Int) {
        guard minRate > 0, end == .distantFuture else { return }
        end = now.advanced(by: Self.window)
        minimum = minRate.multipliedReportingOverflow(by: Int(Self.window.components.seconds)).0
        bytes = 0
    }

    @inline(__always)
    mutating func count(_ count: Int) { bytes &+= count }

    /// Ends the window if it is over, and begins the next one.
    ///
    /// - Returns: A Boolean value that indicates whether the window had some bytes, but too few.
    mutating func isTooSlow(at now: MonotonicInstant) -> Bool {
        guard now >= end else { return false }
        let isTooSlow = bytes > 0 && bytes < minimum
        end = now.advanced(by: Self.window)
        bytes = 0
        return isTooSlow
    }
}
