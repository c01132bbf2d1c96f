/// An error of a statement or of a connection.
enum PostgresFailure: Error, Hashable, Sendable {
    /// There is no connection, or it was lost; a statement that was sent may have been performed.
    case lost(String)
    /// The connection was lost after a batch was sent, which may have been applied.
    case unanswered(String)
    case server(state: String, message: String)
    /// A commit has succeeded with a warning: replicas may not have it.
    case warned
    /// A reply, or what is stored, is malformed.
    case malformed(String)

    /// The effect of a failure on a statement that was sent.
    enum Effect: Sendable {
        /// Nothing was done; it may be sent again.
        case nothing
        /// Nothing was done; it may be sent again on another connection.
        case nothingHere
        /// It may have been done; it may be sent again on another connection.
        case unknown
        case final
    }

    /// The effect (PostgreSQL manual, appendix A).
    var effect: Effect {
        switch self {
        case .lost, .unanswered: .unknown
        case .warned, .malformed: .final
        case .server(let state, _):
            switch state {
            // Serialization failure, deadlock, lock not available, query canceled.
            case "40001", "40P01", "55P03", "57014": .nothing
            // Read-only transaction: the server is a replica.
            case "25006": .nothingHere
            case _ where state.hasPrefix("08") || state.hasPrefix("57P"): .unknown
            default: .final
            }
        }
    }

    var storeError: StoreError {
        switch self {
        case .server("53100", let message), .server("53200", let message): .full(message)
        case .malformed(let what): .corrupt(what)
        case .unanswered(let reason): .unknown(reason)
        case .lost, .server, .warned: .unavailable(description)
        }
    }
}

extension PostgresFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .lost(let reason), .unanswered(let reason), .malformed(let reason): reason
        case .server("42501", let message):
            "\(message) (SQLSTATE 42501); \(PostgresSchema.rightsRemedy)"
        case .server(let state, let message): "\(message) (SQLSTATE \(state))"
        case .warned: "replicas may not have the write, which the server reported with a warning"
        }
    }
}
