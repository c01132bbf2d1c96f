/// A changes document: the changes from one tree to another, or the whole new tree where that is
/// shorter or the earlier one is not known (docs/changes.md).
package enum ChangesDocument: Sendable {
    case changes(ChangesParts)
    case reset(TreeParts)

    /// The greatest length of changes, in hundredths of the length of the new tree.
    ///
    /// Longer ones are a reset; docs/changes.md allows one from 80 % on and requires it above
    /// 110 %.
    package static let maxPercentage = 110

    /// The least number of bytes of an item in a tree, whatever its id, type and data.
    private static let minItemByteCount = 60

    /// Creates a document without an earlier tree: a reset.
    package init(to new: TreeWriter, envelope: ChangesEnvelope) {
        self = .reset(TreeParts(reset: new, envelope))
    }

    /// Creates the document from one tree to another.
    ///
    /// - Parameters:
    ///   - old: The earlier tree.
    ///   - new: The new tree, with whose options both are written.
    ///   - envelope: The source of the trees.
    ///   - isSame: A Boolean value that indicates whether both are known to be the same tree, of
    ///     which the changes are never a reset.
    ///   - comparison: The differences of the trees, if they are known.
    /// - Complexity: That of ``ScreenComparison``, and O(bytes of the changes).
    package init(
        from old: TreeWriter, to new: TreeWriter, envelope: ChangesEnvelope = ChangesEnvelope(),
        isSame: Bool = false, comparison: ScreenComparison? = nil
    ) {
        var envelope = envelope
        envelope.page = old.screen.page
        let parts = ChangesParts(
            comparison ?? ScreenComparison(from: old, to: new), to: new, envelope)
        if !isSame, Self.isTooLong(parts, for: new) {
            self = .reset(TreeParts(reset: new, envelope))
        } else {
            self = .changes(parts)
        }
    }

    private static func isTooLong(_ parts: ChangesParts, for tree: TreeWriter) -> Bool {
        // An upper bound that needs no second pass over the tree: most changes are far below it.
        let enough = minItemByteCount * tree.screen.itemCount
        guard parts.byteCount(upTo: enough) == nil else { return false }
        guard let length = TreeParts(tree).byteCount(upTo: .max) else { return false }
        let (product, overflow) = length.multipliedReportingOverflow(by: maxPercentage)
        return !overflow && parts.byteCount(upTo: product / 100) == nil
    }
}

extension ChangesDocument: PayloadParts {
    package var isFinished: Bool {
        switch self {
        case .changes(let parts): parts.isFinished
        case .reset(let parts): parts.isFinished
        }
    }

    package mutating func next(byteCount: Int) -> [UInt8]? {
        switch self {
        case .changes(var parts):
            // The parts move out and back, so that their buffer is not copied.
            self = .reset(TreeParts.none)
            defer { self = .changes(parts) }
            return parts.next(byteCount: byteCount)
        case .reset(var parts):
            self = .reset(TreeParts.none)
            defer { self = .reset(parts) }
            return parts.next(byteCount: byteCount)
        }
    }

    package func byteCount(upTo limit: Int) -> Int? {
        switch self {
        case .changes(let parts): parts.byteCount(upTo: limit)
        case .reset(let parts): parts.byteCount(upTo: limit)
        }
    }
}
