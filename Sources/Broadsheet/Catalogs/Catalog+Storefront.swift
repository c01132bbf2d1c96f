extension Catalog {
    /// The JSON of the built-in catalog, that of a shop's home screen.
    ///
    /// The bytes equal those of `Fixtures/storefront/catalog.json`.
    public static let storefrontBytes = Array(
        #"""
        {
          "screen": {"direction": "vertical"},
          "contract": {"sections": "sections", "sectionId": "sectionId", "units": "units", "unitType": "unitType", "unitData": "unitData"},
          "sections": {
            "MyFavorites": {"inset": {"top": 12, "left": 15, "bottom": 20, "right": 15}, "minimumLineSpacing": 15, "minimumInteritemSpacing": 10},
            "ProductList": {"inset": {"top": 20, "left": 15, "bottom": 20, "right": 15}, "minimumLineSpacing": 15, "minimumInteritemSpacing": 15, "gridColumnCount": 2},
            "TripleItems": {"inset": {"top": 20, "left": 10, "bottom": 20, "right": 10}, "minimumLineSpacing": 10, "minimumInteritemSpacing": 1},
            "*":           {"inset": 0, "minimumLineSpacing": 0, "minimumInteritemSpacing": 0}
          },
          "units": {
            "SS_TOP_BANNER":    {"cell":   {"type": "TopBannerCell"}},
            "SS_PRODUCT_LIST":  {"cells":  {"type": "ProductCell"}},
            "SS_SECTION_TITLE": {"header": {"type": "SectionHeaderView"}},
            "SS_MY_FAVORITES":  {"header": {"type": "MyFavoriteHeaderView", "data": "/titleInfo"},
                                 "cells":  {"type": "ProductCell", "data": "/productList"}}
          },
          "cellTypes": {
            "TopBannerCell":        {"size": {"height": 200}, "picture": {"title": "/title", "subtitle": "/titleEn", "image": "/image"}},
            "ProductCell":          {"id": "/id", "size": {"width": 110, "height": {"stack": [{"ratio": 1}, 8, 36, 4, 16], "padding": {"top": 0, "bottom": 12}}},
                                     "picture": {"title": "/title", "subtitle": "/brand", "image": "/image"}},
            "SectionHeaderView":    {"size": {"height": 48}, "picture": {"title": "/title"}},
            "MyFavoriteHeaderView": {"size": {"height": 48}, "picture": {"title": "/title"}}
          }
        }

        """#.utf8)

    /// The built-in catalog, compiled; a test verifies that it has no violations.
    public static let storefront: Catalog =
        (try? Catalog(storefrontBytes))
        ?? Catalog(bytes: storefrontBytes, registry: CellRegistry())
}
