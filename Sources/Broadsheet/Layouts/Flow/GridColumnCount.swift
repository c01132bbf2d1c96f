import BroadsheetCollections

/// The number of columns of a flow section's grid (rules F5-F7, F18 and F19).
public enum GridColumnCount: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// A number; 0 spans the viewport (F6), and a negative number means the item size (F7).
    case fixed(Int)
    /// As many columns of at least `minItemWidth` points as fit, at most `max` (F18).
    case fitting(minItemWidth: Double, max: Int?)
    /// A number that depends on the viewport's width (F19).
    case breakpoints(GridBreakpoints)

    /// Creates a fixed number.
    public init(integerLiteral count: Int) {
        self = .fixed(count)
    }

    /// Returns the number in a viewport whose width is `width` points; `nil` if it depends on the
    /// length of the lines.
    func count(forViewportWidth width: Double) -> Int? {
        switch self {
        case .fixed(let count): count
        case .fitting: nil
        case .breakpoints(let breakpoints): breakpoints.count(forViewportWidth: width)
        }
    }

    /// Returns the number in lines of `length` points; `nil` if it does not depend on them.
    ///
    /// F18: CSS counts tracks below 1 px as 1 px. A step below 1, which only a negative spacing
    /// gives, counts as 1 here, so that the number has a bound.
    func count(forLineLength length: Double, spacing: Double) -> Int? {
        guard case .fitting(let width, let limit) = self else { return nil }
        let step = max(1, max(1, width) + spacing)
        let count = ((length + spacing + FitTest.tolerance) / step).rounded(.down)
        return max(1, min(Int(count), limit ?? .max))
    }
}

/// Numbers of columns by the viewport's width (rule F19).
public struct GridBreakpoints: Sendable, Hashable {
    /// The number of columns from a width on.
    struct Entry: Sendable, Hashable {
        let width: Double
        let count: Int
    }

    /// The number below the least width.
    let fallback: Int
    /// The entries, ascending by width.
    let entries: [Entry]

    /// Creates breakpoints.
    ///
    /// - Parameters:
    ///   - fallback: The number below all widths.
    ///   - counts: The number from each width on, in points.
    public init(default fallback: Int, _ counts: [Double: Int] = [:]) {
        self.fallback = fallback
        entries = counts.map { Entry(width: $0.key, count: $0.value) }
            .sorted { $0.width < $1.width }
    }

    /// Returns the number of columns in a viewport whose width is `width` points.
    ///
    /// - Complexity: O(log n) for n widths, because each section of a screen may have many.
    func count(forViewportWidth width: Double) -> Int {
        let next = entries.partitioningIndex { $0.width > width }
        return next > 0 ? entries[next - 1].count : fallback
    }
}

extension GridColumnCount {
    /// Reads the number at the collector's path: a whole number, or an object (J).
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard value.kind == .object, let members = Members(value, &collector) else {
            guard let count = value.integer(&collector) else { return nil }
            self = .fixed(count)
            return
        }
        let isPresent = { (name: String) in value[name].map { !$0.isNull } == true }
        let isPatch = collector.isMergePatch
        let isFitting = isPresent("minItemWidth") || isPatch && isPresent("max")
        guard isFitting != isPresent("default") || isPatch && !isFitting else {
            collector.report(#"must have either "minItemWidth" or "default""#, at: value)
            return nil
        }
        let count =
            isFitting
            ? Self.fitting(members, &collector) : Self.breakpoints(members, &collector)
        guard let count else { return nil }
        self = count
    }

    private static func fitting(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> GridColumnCount? {
        members.reportUnknown(among: ["minItemWidth", "max"], &collector)
        let width = members.read("minItemWidth", &collector) { value, collector in
            let width = value.length(&collector)
            return value.expecting(
                "a number above 0", width.flatMap { $0 > 0 ? $0 : nil }, &collector)
        }
        let limit = members.read("max", &collector) { value, collector in
            value.integer(in: 1...JSONValue.integers.upperBound, &collector)
        }
        return width.map { .fitting(minItemWidth: $0, max: limit) }
    }

    private static func breakpoints(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> GridColumnCount? {
        var fallback: Int?
        var counts: [Double: Int] = [:]
        for entry in members.entries {
            collector.path.descend(to: entry.name)
            defer { collector.path.ascend() }
            let count = entry.value.integer(&collector)
            if entry.name == "default" {
                fallback = count
                continue
            }
            guard let width = JSONNumber.value(of: entry.name), (0...Length.limit).contains(width)
            else {
                collector.report(
                    #"has a name that is neither "default" nor a width"#, at: entry.value)
                continue
            }
            if counts.updateValue(count ?? 0, forKey: width) != nil {
                collector.report("is the same width as an earlier one", at: entry.value)
            }
        }
        return fallback.map { .breakpoints(GridBreakpoints(default: $0, counts)) }
    }
}
