package import Broadsheet

/// What the service may be told; the defaults are those of docs/cli.md.
package struct ServiceConfiguration: Sendable, Hashable {
    /// How much a page and a screen may hold.
    package var limits = ScreenLimits()
    /// How much may be asked for in a query.
    package var parameters = ParameterLimits()

    /// The defaults.
    package init() {}
}
