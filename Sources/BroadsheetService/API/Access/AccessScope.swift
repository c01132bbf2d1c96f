/// A right of a key (docs/operations.md, "Keys"); no right includes another one.
package enum AccessScope: String, Sendable, Hashable, CaseIterable {
    /// Reading screens, and laying out pages.
    case read
    /// Everything that stores or removes.
    case write
    /// Posting what clients report.
    case events
    /// The list of all screens, the catalog, and the metrics.
    case admin
}

/// The right that an operation requires, declared with it (``Operation``).
enum OperationAccess: Sendable, Hashable {
    /// None: the operation is open to any client.
    case open
    /// A right that does not concern a stored screen.
    case daemon(AccessScope)
    /// A right to the screen in the operation's path.
    case screen(AccessScope)
    /// `admin` for the list of all screens, or `read` for the list of those that the key may read.
    case list
    /// `admin`, or none if the metrics are open (`--metrics-open`).
    case metrics

    var permitsWriting: Bool { scopes.contains(.write) || scopes.contains(.events) }

    /// The rights of which a key needs one; none for an operation that is open.
    var scopes: [AccessScope] {
        switch self {
        case .open: []
        case .daemon(let scope), .screen(let scope): [scope]
        case .list: [.read, .admin]
        case .metrics: [.admin]
        }
    }
}
