/// The source of the spans of a cell type's items.
enum SpanRule: Sendable {
    case fixed(ItemSpan)
    /// The value at a pointer in an item's data, or else a default.
    case value(JSONPointer, default: ItemSpan)
    /// A Swift type decides by an item's data.
    case byCode(any CellType<JSONValue>.Type)
    /// A Swift type decides by the model that an item's data is decoded as.
    case byModel(any CellType.Type)

    var dependsOnData: Bool {
        switch self {
        case .fixed: false
        case .value, .byCode, .byModel: true
        }
    }

    var fixed: ItemSpan? {
        if case .fixed(let span) = self { span } else { nil }
    }
}

extension SpanRule {
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard value.kind == .object, let members = Members(value, &collector) else {
            let expected = #"a whole number from 1, "all", or an object with "value""#
            guard let span = value.expecting(expected, ItemSpan(value), &collector) else {
                return nil
            }
            self = .fixed(span)
            return
        }
        members.reportUnknown(among: ["value", "default"], &collector)
        let pointer = members.requiredPointer("value", &collector)
        let fallback = members.read("default", &collector) { ItemSpan($0, &$1) }
        guard let pointer else { return nil }
        self = .value(pointer, default: fallback ?? .one)
    }
}

extension SpanRule {
    /// Reports a span that reads one value more than the size, or the content, may read.
    func check(
        beside size: SizeRules?, _ contents: ContentTree?, _ limits: CatalogLimits,
        _ type: JSONValue, _ collector: inout ViolationCollector
    ) {
        guard case .value(let pointer, _) = self else { return }
        size?.checkSpan(limits, type, &collector)
        let pointers = contents?.pointers ?? []
        guard pointers.count == limits.maxContentPointers, !pointers.contains(pointer) else {
            return
        }
        collector.report(
            "has a pointer beside the \(pointers.count) different ones of the content, of which "
                + "both together may have at most \(limits.maxContentPointers)", at: type,
            below: "/span")
    }
}
