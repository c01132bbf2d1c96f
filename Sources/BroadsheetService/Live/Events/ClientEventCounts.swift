import Broadsheet
import Synchronization

/// The events that clients reported, by their type and by the type of the cell that they are about.
///
/// Only names of cell types of a catalog become labels, so clients cannot make any up.
final class ClientEventCounts: Metric {
    private static let name = "broadsheet_client_events_total"
    private static let kinds = ClientEvent.Kind.allCases
    private static let zeros = [UInt64](repeating: 0, count: kinds.count)
    private static let indices = Dictionary(
        uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })

    /// The maximum number of cell types with counts of their own.
    ///
    /// Those of earlier catalogs are included; events of others are counted without a cell type.
    /// Fixed.
    static let maxCellTypes = 1_000

    /// The counts of each cell type, in the order of ``kinds``; of "" for events that are about no
    /// item, or about one that is gone.
    private let counts = Mutex<[String: [UInt64]]>([:])

    func add(_ events: [PostedEvent], of items: NamedItems) {
        counts.withLock { counts in
            for (index, event) in events.enumerated() {
                let known = items.cellType(ofEvent: index) ?? ""
                let isCounted = counts[known] != nil || counts.count < Self.maxCellTypes
                counts[isCounted ? known : "", default: Self.zeros][
                    Self.indices[event.type] ?? 0] += 1
            }
        }
    }

    /// Writes the samples of the types that have occurred, in the order of the cell types.
    func write(to text: inout MetricsText) {
        text.begin(
            Self.name, .counter,
            help: "Events that clients reported, by their type and by that of the cell.")
        for (type, counts) in counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            for (kind, count) in zip(Self.kinds, counts) where count > 0 {
                text.sample(
                    Self.name, [("type", kind.rawValue), ("cell_type", type)], count: count)
            }
        }
    }
}
