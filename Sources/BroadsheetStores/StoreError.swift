/// Why a store did not do what it was asked.
///
/// Whatever the case, nothing was changed, but for ``unavailable(_:)``, whose write may or may not
/// have arrived.
package enum StoreError: Error, Hashable, Sendable {
    /// The screen is not at the revision that the write expected, but at `current`; nil when there
    /// is no such screen. Load it again and decide anew.
    case conflict(current: UInt64?)
    /// The store cannot be reached or is too busy; it may be back soon. The text says what is wrong,
    /// for the operator.
    case unavailable(String)
    /// The store has no room left. The text says of what, for the operator.
    case full(String)
    /// What the store holds cannot be right, and so is not answered. The text says where.
    case corrupt(String)
}

extension StoreError {
    /// What is wrong, for the operator; may name places that are nobody else's to know.
    package var reason: String {
        switch self {
        case .conflict(let current?): "the screen is at revision \(current) by now"
        case .conflict(nil): "there is no such screen by now"
        case .unavailable(let reason), .full(let reason), .corrupt(let reason): reason
        }
    }
}
