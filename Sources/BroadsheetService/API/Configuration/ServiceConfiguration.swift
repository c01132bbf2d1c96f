package import Broadsheet
package import BroadsheetIO
package import BroadsheetStores

/// The configuration of the service; the defaults are those of docs/cli.md, "serve".
package struct ServiceConfiguration: Sendable, Hashable {
    package var limits = ScreenLimits()
    package var parameters = ParameterLimits()
    /// A Boolean value that indicates whether all writes and compositions are strict.
    package var isStrict = false
    /// A Boolean value that indicates whether clients may load the files of fonts.
    package var servesFonts = false
    package var inspector = InspectorAccess.direct
    /// The lifetime of a screen whose write specifies none.
    package var screenLifetime = ScreenLifetime.unchanged
    /// The maximum size of the resolved screens in memory, in bytes.
    ///
    /// A screen of more than half of that size is not kept. `nil` for the share of the memory
    /// budget (``MemoryKind``).
    package var screenCacheBytes: Int?

    /// The maximum size of the cached layouts and responses, in bytes; 0 disables the cache
    /// (docs/architecture.md, "The layout cache").
    ///
    /// `nil` for the share of the memory budget.
    package var layoutCacheBytes: Int?

    /// The maximum size of the earlier revisions of all screens that are kept to compute changes,
    /// in bytes; 0 keeps none (docs/api.md, "Changes").
    ///
    /// `nil` for the share of the memory budget.
    package var historyBytes: Int?

    /// The bounds of the history of each screen in the store (docs/operations.md, "History").
    package var history = HistoryBounds()

    /// The bounds of the feed of each screen in the store (docs/api.md, "Events of clients").
    package var feeds = FeedBounds()

    /// The maximum number of requests that wait for changes at one time.
    package var maxWaiters = 5000

    package var maxStreams = 5000

    /// The maximum numbers of items and of pages in the journey of a screen.
    package var journeyItems = 10_000

    /// The maximum size of the pages of a screen together, in bytes.
    package var maxScreenBytes = 64 << 20

    /// The maximum size of a stored page that is read, in bytes: that of a request's body.
    package var maxPageBytes = 16 << 20

    /// The maximum size to which an action can make the data of an item grow, in bytes.
    package var maxItemBytes = 1 << 20

    /// The maximum size of a tree or a picture, in bytes.
    package var maxResponseBytes = 64 << 20
    /// The addresses of proxies whose `X-Forwarded-For` names the client
    /// (docs/operations.md, "Expensive requests").
    package var trustedProxies: [AddressRange] = []

    /// The time that the requests of a write to the store may take together, from the arrival of
    /// the write on, its wait for the lock of the screen included; `nil` for a store that is on no
    /// server (`--store-timeout`).
    package var storeTimeout: Duration?

    package var origin = OriginConfiguration()

    package var access = AccessConfiguration()

    package init() {}

    var editLimits: EditLimits {
        EditLimits(maxPageBytes: maxPageBytes, page: limits, maxItemBytes: maxItemBytes)
    }

    /// The limits above which stored screens and pages are not read.
    var readLimits: ReadLimits {
        ReadLimits(
            screen: ScreenSize(
                pageCount: limits.maxPages, byteCount: maxScreenBytes,
                counts: ContentCounts(sections: limits.maxSections, items: limits.maxItems)),
            pageBytes: maxPageBytes)
    }
}

/// The requests that receive the inspector (docs/inspector.md).
package enum InspectorAccess: Sendable, Hashable {
    case none
    /// Those that no proxy has forwarded.
    case direct
    case all
}
