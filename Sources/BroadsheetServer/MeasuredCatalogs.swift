package import BroadsheetService
package import BroadsheetText

/// The catalogs of a server, and the measurer that has opened their fonts.
package struct MeasuredCatalogs: Sendable {
    package let catalogs: CatalogSet
    /// The measurer of all their fonts; `nil` if they have none.
    package var measurer: FontMeasurer?

    package init(catalogs: CatalogSet, measurer: FontMeasurer? = nil) {
        self.catalogs = catalogs
        self.measurer = measurer
    }
}
