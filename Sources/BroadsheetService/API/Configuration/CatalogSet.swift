package import Broadsheet
import BroadsheetStores

/// The name of a catalog, which is of the form of a screen's name.
package struct CatalogName: Sendable, Hashable {
    /// The characters of the name, ASCII only.
    package let text: String

    /// The name of the file of the catalog that has no name, without its extension.
    package static let fileOfUnnamed = "default"
    package static let form = "1 to \(ScreenName.maxLength) of A-Z a-z 0-9 . _ ~ -"

    /// Creates a name from text; `nil` if the text is not of the form, and for `default`.
    package init?(_ text: String) {
        guard text != Self.fileOfUnnamed, ScreenName(text) != nil else { return nil }
        self.text = text
    }
}

extension CatalogName: Comparable {
    /// Orders names by their bytes.
    package static func < (left: CatalogName, right: CatalogName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// The catalogs of a daemon: one for requests that name none, and those that requests name.
package struct CatalogSet: Sendable {
    package let unnamed: Catalog
    package let named: [CatalogName: Catalog]

    /// The maximum number of catalogs, the one without a name included; fixed.
    package static let maxCount = 100
    /// The maximum size of all catalogs that have names, with the one that has none, in bytes;
    /// fixed.
    package static let maxBytes = 64 << 20

    package init(_ unnamed: Catalog, named: [CatalogName: Catalog] = [:]) {
        self.unnamed = unnamed
        self.named = named
    }
}
