package import Broadsheet
package import BroadsheetStores

/// What the service may be told; the defaults are those of docs/cli.md.
package struct ServiceConfiguration: Sendable, Hashable {
    /// How much a page and a screen may hold.
    package var limits = ScreenLimits()
    /// How much may be asked for in a query.
    package var parameters = ParameterLimits()
    /// How long a screen lives that is written without a word about it.
    package var screenLifetime = ScreenLifetime.unchanged
    /// How much memory screens may take that are held ready to be laid out, in bytes; one that
    /// takes more than half of that is not held.
    package var screenCacheBytes = defaultScreenCacheBytes

    /// The default of ``screenCacheBytes``: 512 MiB.
    package static let defaultScreenCacheBytes = 512 << 20

    /// How much memory laid-out screens and their answers may take between requests, in bytes; 0
    /// keeps none (docs/architecture.md, "The layout cache").
    package var cacheBytes = 256 << 20

    /// The defaults.
    package init() {}
}
