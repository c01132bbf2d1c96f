extension CompositionalOptions {
    /// Reads the compositional members of a section's layout.
    init(_ members: Members, _ findings: inout Findings) {
        direction = Axis(members, &findings)
        itemSize = members.read("itemSize", &findings, ItemSize.init)
        scrolling = members.choice("scrolling", &findings)
        itemSpacing = members.length("itemSpacing", &findings)
        lineSpacing = members.length("lineSpacing", &findings)
        sectionInset = members.insets("sectionInset", &findings)
        contentInsetsReference = members.choice("contentInsetsReference", &findings)
        orthogonalScrollingProperties = members.object(
            "orthogonalScrollingProperties", &findings, ScrollProperties.init)
        isUniformAcrossSiblings = members.bool("isUniformAcrossSiblings", &findings)
        uniformEstimatedHeight = members.length("uniformEstimatedHeight", &findings)
    }
}

extension CompositionalOptions.ItemSize {
    /// Reads `"dynamic"` or `{"uniform": {…}}`.
    init?(_ value: JSONValue, _ findings: inout Findings) {
        if value.kind == .string, value.text?.equals("dynamic") == true {
            self = .dynamic
            return
        }
        guard value.kind == .object, let members = Members(value, &findings) else {
            findings.report(
                "must be \"dynamic\" or an object with \"uniform\"\(value.insteadOf)", at: value)
            return nil
        }
        let uniform: Self? = members.required("uniform", &findings) { value, findings in
            guard let slots = Members(value, &findings) else { return nil }
            return .uniform(
                columns: slots.integer("columns", &findings),
                width: slots.length("width", &findings),
                height: slots.length("height", &findings))
        }
        guard let uniform else { return nil }
        self = uniform
    }
}

extension CompositionalOptions.ScrollProperties {
    /// Reads the hints for the client's scroller, a rate by name or by number.
    init(_ members: Members, _ findings: inout Findings) {
        self.init()
        decelerationRate = members.read("decelerationRate", &findings) { value, findings in
            value.expecting("a string or a number", value.text, &findings).map { _ in
                String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
            }
        }
        bounce = members.bool("bounce", &findings)
    }
}

extension Axis {
    /// Reads the member `direction`; nil when it is unset or no direction.
    init?(_ members: Members, _ findings: inout Findings) {
        /// The axes by their names in JSON.
        enum Direction: String, CaseIterable {
            case horizontal
            case vertical
        }
        guard let direction: Direction = members.choice("direction", &findings) else { return nil }
        self = direction == .vertical ? .vertical : .horizontal
    }
}
