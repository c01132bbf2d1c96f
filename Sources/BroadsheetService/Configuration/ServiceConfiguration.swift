package import Broadsheet

/// What the service may be told; the defaults are those of docs/cli.md.
package struct ServiceConfiguration: Sendable, Hashable {
    /// How much a page and a screen may hold.
    package var limits = ScreenLimits()
    /// How much may be asked for in a query.
    package var parameters = ParameterLimits()

    /// How much memory laid-out screens and their answers may take between requests, in bytes; 0
    /// keeps none (docs/architecture.md, "The layout cache").
    package var cacheBytes = 256 << 20

    /// The defaults.
    package init() {}
}
