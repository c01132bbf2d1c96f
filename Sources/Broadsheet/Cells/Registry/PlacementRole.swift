/// What a unit's data may become.
package enum PlacementRole: String, Sendable, Hashable, CaseIterable {
    /// One item of the data.
    case cell
    /// One item for each element of an array.
    case cells
    /// The section's header.
    case header
    /// The section's footer.
    case footer
}
