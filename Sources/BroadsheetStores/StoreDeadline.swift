package import BroadsheetIO

/// The time at which the requests to a store of one task fail for their caller, if it is before
/// the end of the store's own timeout.
///
/// The timeout of a store then counts for all that a request does, not for each of its parts.
package enum StoreDeadline {
    /// The fraction of the timeout that each request to the store has in any case: a healthy store
    /// replies within it, also to a request that has computed for a long time.
    package static let minPart = 5

    @TaskLocal private static var current: MonotonicInstant?

    /// Runs `body` while requests to a store have a deadline; without one if that is `nil`.
    package static func binding<Value: Sendable, Failure: Error>(
        _ deadline: MonotonicInstant?, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let deadline else { return try await body() }
        return try await $current.binding(deadline, body)
    }

    /// Returns the time at which a request to a store fails that begins now.
    static func end(of timeout: Duration, from now: MonotonicInstant) -> MonotonicInstant {
        let end = now.advanced(by: timeout)
        guard let current else { return end }
        return min(end, max(current, now.advanced(by: timeout / minPart)))
    }
}
