import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// The origins of web pages that have sent requests although no setting allows them, which are
/// logged once a minute and origin.
final class ForeignOrigins: Sendable {
    /// The largest number of origins that are distinguished in a minute; fixed.
    ///
    /// Further ones have one record together.
    static let maxOrigins = 100
    /// The time for which an origin is not logged again.
    static let interval = Duration.seconds(60)

    /// The time from which an origin is logged again; that of further origins is under `nil`.
    private let ends = Mutex<[String?: MonotonicInstant]>([:])

    /// Returns the record of a request of a page of an origin, unless there was one in the last
    /// minute.
    ///
    /// - Complexity: O(1); O(``maxOrigins``) for a new origin beyond these.
    func record(
        of origin: String, _ method: String, _ path: String, at now: MonotonicInstant
    ) -> LogRecord? {
        let subject = ends.withLock { ends -> Subject? in
            if ends[origin] == nil, ends.count >= Self.maxOrigins {
                ends = ends.filter { now < $0.value }
            }
            let isKnown = ends[origin] != nil || ends.count < Self.maxOrigins
            let key = isKnown ? origin : nil
            if let end = ends[key], now < end { return nil }
            ends[key] = now.advanced(by: Self.interval)
            return isKnown ? .one : .many
        }
        guard let subject else { return nil }
        let request = "\(method) \(path)"
        let detail =
            switch subject {
            case .one:
                "a web page of \"\(origin)\" has sent \(request); --cors-origin allows an origin"
            case .many:
                "web pages of more than \(Self.maxOrigins) origins have sent requests in a minute, "
                    + "this one \(request)"
            }
        return LogRecord(.info, "origin not allowed", detail: detail)
    }

    /// The subject of a record.
    private enum Subject {
        case one
        /// The origins beyond those that are distinguished.
        case many
    }
}
