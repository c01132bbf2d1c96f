/// What happens in a store that an operator wants to read in the log, and nobody asked for.
package enum StoreEvent: Hashable, Sendable {
    /// The store is open; the text says where it is.
    case opened(String)
    /// The connection to the server stands, or stands again.
    case connected(String)
    /// The connection to the server is lost, or cannot be made; it is tried again without end. Told
    /// once for each reason, not at every attempt.
    case unreachable(String)
    /// What other daemons write is not heard of; the reason why, told once for each. Reads ask the
    /// server one by one until it is again, which is slower and nothing worse.
    case subscriptionLost(String)
    /// Something that is stored is damaged, and is not answered.
    case damaged(String)
    /// So many screens have expired and were removed.
    case expired(Int)
    /// All that is stored has been read through since the store was opened; so many screens of so
    /// many were damaged.
    case inspected(screens: Int, damaged: Int)
    /// Housekeeping failed, which harms nobody yet; the text says what.
    case maintenanceFailed(String)
    /// The store is closed.
    case closed

    /// A function that receives a store's events.
    ///
    /// It is called on any thread and must not block it.
    package typealias Handler = @Sendable (StoreEvent) -> Void
}

extension StoreEvent: CustomStringConvertible {
    /// One sentence for the log.
    package var description: String {
        switch self {
        case .opened(let place): "the store at \(place) is open"
        case .connected(let place): "the store is connected to \(place)"
        case .unreachable(let reason): "the store cannot be reached: \(reason)"
        case .subscriptionLost(let reason):
            "subscription lost, each read queries the server: \(reason)"
        case .damaged(let what): "the store is damaged: \(what)"
        case .expired(let count): "\(count) screens expired"
        case .inspected(let screens, let damaged):
            "all \(screens) stored screens were inspected, \(damaged) are damaged"
        case .maintenanceFailed(let what): "store maintenance failed: \(what)"
        case .closed: "the store is closed"
        }
    }
}
