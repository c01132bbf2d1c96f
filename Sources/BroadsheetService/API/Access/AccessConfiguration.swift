package import BroadsheetHTTP

/// The configuration of the access to a service; the defaults allow everything to any client.
package struct AccessConfiguration: Sendable, Hashable {
    /// The keys that clients need; `nil` for a service that any client may use.
    package var keys: KeyRing?
    /// A Boolean value that indicates whether the metrics need no key.
    package var isMetricsOpen = false
    /// The names of hosts that requests may be for; `nil` for any.
    ///
    /// An address is always allowed.
    package var allowedHosts: [HostName]?
    package var corsOrigins: [WebOrigin] = []

    /// Creates a configuration that allows everything.
    package init() {}
}
