/// An essential section that a page cannot make for an audience, so that the screen is of no use.
package struct MissingSection: Sendable {
    let location: UnitLocation
    /// A Boolean value that indicates whether the app is too old for a cell type.
    package let isClientTooOld: Bool
    /// The first reason; `nil` if the section is without items for several.
    let reason: UnitDiagnostic?

    package func pointer(_ names: ContractNames) -> String { location.pointer(names) }

    /// Returns a sentence about the section, for the author of the page.
    package func detail(page: Int, _ names: ContractNames) -> String {
        let start = "is essential and cannot be shown"
        guard let reason else { return start }
        let diagnostic = reason.diagnostic(page: page, names: names)
        return "\(start): \(diagnostic.pointer): \(diagnostic.detail)"
    }
}
