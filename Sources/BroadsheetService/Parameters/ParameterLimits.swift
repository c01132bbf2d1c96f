/// How much may be asked for in a query.
package struct ParameterLimits: Sendable, Hashable {
    /// The ids of `collapsed` altogether, and the commas between them, in bytes.
    ///
    /// They travel in page tokens, each with its length, four bytes for three, and a token must fit
    /// into a request target again.
    package var maxCollapsedBytes = 4096
    /// Screens in one answer of the list, when nobody says.
    package var defaultPageSize = 100
    /// Screens in one answer of the list, at most.
    package var maxPageSize = 1000

    /// The defaults.
    package init() {}
}
