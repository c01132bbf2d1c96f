extension CompositionalOptions {
    /// Reads the compositional members of a section's layout.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        direction = Axis(members, &collector)
        itemSize = members.read("itemSize", &collector, ItemSize.init)
        scrolling = members.choice("scrolling", &collector)
        itemSpacing = members.length("itemSpacing", &collector)
        lineSpacing = members.length("lineSpacing", &collector)
        sectionInset = members.insets("sectionInset", &collector)
        contentInsetsReference = members.choice("contentInsetsReference", &collector)
        orthogonalScrollingProperties = members.object(
            "orthogonalScrollingProperties", &collector, ScrollProperties.init)
        isUniformAcrossSiblings = members.bool("isUniformAcrossSiblings", &collector)
        uniformEstimatedHeight = members.length("uniformEstimatedHeight", &collector)
    }
}

extension CompositionalOptions.ItemSize {
    /// Reads `"dynamic"` or `{"uniform": {…}}`.
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        if value.kind == .string, value.text?.equals("dynamic") == true {
            self = .dynamic
            return
        }
        guard value.kind == .object, let members = Members(value, &collector) else {
            collector.report(
                "must be \"dynamic\" or an object with \"uniform\"\(value.insteadOf)", at: value)
            return nil
        }
        let uniform: Self? = members.required("uniform", &collector) { value, collector in
            guard let slots = Members(value, &collector) else { return nil }
            return .uniform(
                columns: slots.integer("columns", &collector),
                width: slots.length("width", &collector),
                height: slots.length("height", &collector))
        }
        guard let uniform else { return nil }
        self = uniform
    }
}

extension CompositionalOptions.ScrollProperties {
    /// Reads the hints for the client's scroller, a rate by name or by number.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        self.init()
        decelerationRate = members.read("decelerationRate", &collector) { value, collector in
            value.expecting("a string or a number", value.text, &collector).map { _ in
                String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
            }
        }
        bounce = members.bool("bounce", &collector)
    }
}

extension Axis {
    /// Reads the member `direction`; nil when it is unset or no direction.
    init?(_ members: Members, _ collector: inout ViolationCollector) {
        /// The axes by their names in JSON.
        enum Direction: String, CaseIterable {
            case horizontal
            case vertical
        }
        guard let direction: Direction = members.choice("direction", &collector) else { return nil }
        self = direction == .vertical ? .vertical : .horizontal
    }
}
