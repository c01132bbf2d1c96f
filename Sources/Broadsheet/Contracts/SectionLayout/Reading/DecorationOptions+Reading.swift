extension DecorationOptions {
    /// Reads a background; its kind is required.
    init?(_ members: Members, _ findings: inout Findings) {
        let kind = members.required("kind", &findings) { value, findings in
            value.expecting("a string", value.string, &findings)
        }
        let mode: Mode? = members.choice("mode", &findings)
        let inset = members.insets("inset", &findings)
        let zIndex = members.integer("zIndex", &findings)
        let data = members.posted("data", &findings).map { value in
            Array(value.document.bytes[value.byteRange])
        }
        guard let kind else { return nil }
        self.init(kind: kind, mode: mode, inset: inset ?? .zero, zIndex: zIndex, data: data)
    }
}
