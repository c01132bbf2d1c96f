/// A use of memory that draws on a budget.
///
/// A kind is declared here and nowhere else: by a case, and by a row of ``definition``.
package enum MemoryKind: Int, Sendable, Hashable, CaseIterable {
    /// Requests while they arrive and until they are handled: heads, bodies, and pipelined bytes.
    case requests
    /// Documents, pages and layouts that requests in progress make.
    case work
    /// Responses, and parts of large ones, that their clients have not read.
    case responses
    /// Open streams: their connections and their sources, without the parts that are due.
    case streams
    /// Resolved pages of stored screens: those in the screen cache, and those in use.
    case screens
    /// Layouts, trees and pictures: those in the layout cache, and those in use.
    case layouts
    /// Earlier revisions of screens: the pages that later ones replaced, and their layouts.
    case history
    /// The pages of a store in memory; requests to a server of the Redis protocol that it has not
    /// accepted, and its replies while they arrive; writes to PostgreSQL, pages while they are read
    /// from it, and its connections.
    case store
    /// The heads of responses that event loops repeat, and of their requests.
    case repetitions
    /// Shaped texts that may be used again; those that a page uses are part of the page.
    case texts
    /// Reports of clients: journeys of screens, and the events that a backend may still receive.
    case events
    case tokens

    private struct Definition {
        let label: String
        /// The largest part of the budget for the kind, in eighths.
        let maxEighths: Int
        /// The default size of the kind's cache, in 64ths of the budget; 0 without a cache.
        let cacheShare: Int

        init(_ label: String, maxEighths: Int, cacheShare: Int = 0) {
            self.label = label
            self.maxEighths = maxEighths
            self.cacheShare = cacheShare
        }
    }

    /// Requests and responses whose clients are slow, and a store in memory, never have all of the
    /// budget, so that requests that have arrived can be handled.
    private var definition: Definition {
        switch self {
        case .requests: Definition("requests", maxEighths: 2)
        case .work: Definition("work", maxEighths: 8)
        case .responses: Definition("responses", maxEighths: 2)
        case .streams: Definition("streams", maxEighths: 1)
        case .screens: Definition("screens", maxEighths: 8, cacheShare: 16)
        case .layouts: Definition("layouts", maxEighths: 8, cacheShare: 8)
        case .history: Definition("history", maxEighths: 8, cacheShare: 8)
        case .store: Definition("store", maxEighths: 2)
        case .repetitions: Definition("repetitions", maxEighths: 1)
        case .texts: Definition("texts", maxEighths: 1, cacheShare: 2)
        case .events: Definition("events", maxEighths: 1, cacheShare: 2)
        case .tokens: Definition("tokens", maxEighths: 1, cacheShare: 1)
        }
    }

    package var label: String { definition.label }

    package func maxBytes(of limit: Int) -> Int { limit / 8 * definition.maxEighths }

    package func cacheBytes(of limit: Int) -> Int { limit / 32 * definition.cacheShare / 2 }
}
