/// A gesture that clients offer for the items of a cell type (docs/catalog.md, "Actions").
public enum CellCapability: String, Sendable, Hashable, CaseIterable {
    /// Items can be moved.
    case move
    /// Items can be deleted.
    case delete
    /// Items can be selected.
    case select
    /// Items can be dragged to other views.
    case drag
}

extension [CellCapability] {
    /// Reads the member `can` of a cell type; `nil` for a type that restricts nothing.
    init?(of type: Members, _ collector: inout ViolationCollector) {
        let names = type.read("can", &collector) { value, collector -> [CellCapability]? in
            guard value.kind == .array else {
                return value.expecting("an array", nil, &collector)
            }
            var read: [CellCapability] = []
            for (index, element) in value.elements.enumerated() {
                collector.path.descend(to: index)
                defer { collector.path.ascend() }
                let choice = element.string.flatMap(CellCapability.init)
                let names = CellCapability.allCases.map(\.rawValue)
                guard let choice = element.expecting(names.alternatives, choice, &collector) else {
                    continue
                }
                if read.contains(choice) { collector.report("is repeated", at: element) }
                read.append(choice)
            }
            return read
        }
        guard let names else { return nil }
        self = names
    }
}
