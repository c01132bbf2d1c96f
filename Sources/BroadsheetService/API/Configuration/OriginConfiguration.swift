/// The configuration of pages on demand; the defaults are those of docs/cli.md, "serve".
package struct OriginConfiguration: Sendable, Hashable {
    /// The maximum time for a page, both tries included.
    package var timeout = Duration.seconds(2)
    /// The time for which the origin is not asked after failures in a row.
    package var rest = Duration.seconds(5)
    package var maxFetches = 32
    /// A Boolean value that indicates whether the page after one that is asked for is requested,
    /// too.
    package var prefetches = false
}
