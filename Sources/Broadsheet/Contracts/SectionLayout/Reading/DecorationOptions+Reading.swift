extension DecorationOptions {
    /// Reads a background; its kind is required.
    init?(_ members: Members, _ collector: inout ViolationCollector) {
        let kind = members.required("kind", &collector) { value, collector in
            value.expecting("a string", value.string, &collector)
        }
        let mode: Mode? = members.choice("mode", &collector)
        let inset = members.insets("inset", &collector)
        let zIndex = members.integer("zIndex", &collector)
        let data = members.posted("data", &collector).map { value in
            Array(value.document.bytes[value.byteRange])
        }
        guard let kind else { return nil }
        self.init(kind: kind, mode: mode, inset: inset ?? .zero, zIndex: zIndex, data: data)
    }
}
