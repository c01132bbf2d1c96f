package import BroadsheetService
package import BroadsheetText

/// The catalogs of a server, and the measurer that has opened their fonts.
package struct MeasuredCatalogs: Sendable {
    /// The catalogs.
    package let catalogs: CatalogSet
    /// The measurer of all their fonts; `nil` if they have none.
    package var measurer: FontMeasurer?

    /// Creates compiled catalogs.
    package init(catalogs: CatalogSet, measurer: FontMeasurer? = nil) {
        self.catalogs = catalogs
        self.measurer = measurer
    }
}
