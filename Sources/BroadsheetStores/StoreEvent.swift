/// An event in the background of a store, for the operator's log.
package enum StoreEvent: Hashable, Sendable {
    /// The file of the store is open; the text is its location.
    case opened(String)
    /// The connection to the server is established, for the first time or again.
    case connected(String)
    /// The connection to the server is lost or cannot be established; the store retries
    /// indefinitely. Reported once for each reason, not at every attempt.
    case unreachable(String)
    /// Writes of other daemons are not received, for the given reason. Reads query the server one
    /// by one until the subscription is restored: slower, but as consistent. Reported once for each
    /// reason.
    case subscriptionLost(String)
    /// No Sentinel names the primary; the connection to it stays. Reported once, until one does.
    case sentinelsSilent(String)
    /// The server, or the connection to it, is not as safe as it could be. Reported once for each
    /// reason.
    case insecure(String)
    /// The server has lost its keys; new screens have revisions above the given one, so that none
    /// is assigned again.
    case emptied(floor: String)
    /// A file of the store was removed or replaced; writes are refused until the store is opened
    /// again. Reported once.
    case filesLost(String)
    /// Stored data is damaged and is not returned.
    case damaged(String)
    /// A number of screens have expired and were removed.
    case expired(Int)
    /// All screens that were stored when the store was opened have been read once; `damaged` of
    /// them were damaged.
    case inspected(screens: Int, damaged: Int)
    /// Background work did not succeed; requests are not affected. The text specifies what failed.
    case maintenanceFailed(String)
    case closed

    /// A function that receives a store's events.
    ///
    /// It is called on any thread and must not block it.
    package typealias Handler = @Sendable (StoreEvent) -> Void
}

extension StoreEvent: CustomStringConvertible {
    /// A sentence for the log.
    package var description: String {
        switch self {
        case .opened(let location): "the store at \(location) is open"
        case .connected(let location): "the store is connected to \(location)"
        case .unreachable(let reason): "the store cannot be reached: \(reason)"
        case .subscriptionLost(let reason):
            "subscription lost, each read queries the server: \(reason)"
        case .sentinelsSilent(let reason):
            "the connection to the primary stays, although \(reason)"
        case .insecure(let what): what
        case .emptied(let floor):
            "the server has lost all screens; the revisions of new ones are above \(floor)"
        case .filesLost(let what): "the store refuses writes until a restart: \(what)"
        case .damaged(let what): "the store is damaged: \(what)"
        case .expired(let count): "\(count) screens expired"
        case .inspected(let screens, let damaged):
            "all \(screens) stored screens were inspected, \(damaged) are damaged"
        case .maintenanceFailed(let what): "store maintenance failed: \(what)"
        case .closed: "the store is closed"
        }
    }
}
