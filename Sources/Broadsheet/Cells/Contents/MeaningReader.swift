/// A reader of the members by which a box says what it is: its meaning, and the URL of an image
/// (docs/catalog.md, "Meaning").
struct MeaningReader {
    let members: Members
    let kind: ContentKind
    let isRoot: Bool
    let isInControl: Bool

    /// The members that need a `name`, the `label` of the root excepted.
    private static let named = ["label", "role", "action", "link", "url", "placeholder"]

    /// A Boolean value that indicates whether the box is a control, if its link is there.
    var isControl: Bool { hasAction || hasLink }

    private var hasAction: Bool { reads("action") }
    private var hasLink: Bool { reads("link") }

    /// Returns whether a member is there that has an effect on a box of the kind.
    private func reads(_ name: String) -> Bool {
        members.has(name)
            && ContentMember.all.contains { $0.name == name && $0.kinds.contains(kind) }
    }

    /// The `rules` receive the inputs of the label and the link.
    func meaning(
        _ rules: inout SizeRuleReader, _ collector: inout ViolationCollector
    ) -> ContentMeaning {
        reportMissingName(&collector)
        reportControls(&collector)
        var meaning = ContentMeaning()
        if reads("label"), let label = members.read("label", &collector, ContentLabel.init) {
            meaning.label = Int32(truncatingIfNeeded: rules.input(.label(label)))
        }
        if hasLink, let link = members.pointer("link", &collector) {
            meaning.link = Int32(truncatingIfNeeded: rules.input(.link(link)))
        }
        meaning.role = role(&collector)
        meaning.level = level(meaning.role, &collector)
        if !isRoot { meaning.isHidden = members.bool("hidden", &collector) ?? false }
        meaning.action = action(&collector)
        return meaning
    }

    private func reportMissingName(_ collector: inout ViolationCollector) {
        guard !members.has("name") else { return }
        for name in Self.named where reads(name) && !(isRoot && name == "label") {
            _ = members.read(name, &collector) { value, collector -> Void? in
                collector.report("needs a \"name\" of the box beside it", at: value)
            }
        }
        if reads("style") {
            collector.reportWithoutEffect("style", "has no effect on a box without a name")
        }
    }

    /// Reports a control in a control, and a link beside an action.
    private func reportControls(_ collector: inout ViolationCollector) {
        for name in ["action", "link"] where reads(name) {
            _ = members.read(name, &collector) { value, collector -> Void? in
                if isInControl {
                    collector.report("makes a control of a box that is in a control", at: value)
                } else if name == "link", hasAction {
                    collector.report("cannot be beside \"action\"", at: value)
                }
                return nil
            }
        }
    }

    private func role(_ collector: inout ViolationCollector) -> ContentMeaning.Role? {
        guard reads("role") else { return nil }
        let possible = possibleRoles
        let role = members.read("role", &collector) { value, collector -> ContentMeaning.Role? in
            let role = value.string.flatMap(ContentMeaning.Role.init(rawValue:))
                .flatMap { possible.contains($0) ? $0 : nil }
            if possible.isEmpty {
                collector.report("is for \(kind.withArticle) with a \"label\"", at: value)
                return nil
            }
            let names = possible.map(\.rawValue).alternatives
            return value.expecting("\(names) for this box", role, &collector)
        }
        if isRoot, reads("label"), !isControl {
            collector.reportWithoutEffect(
                "role", "has no effect on a root with a label, which is read as one element")
        }
        return role
    }

    private var possibleRoles: [ContentMeaning.Role] {
        if hasAction { return [.button, .link] }
        if hasLink { return [.link] }
        switch kind {
        case .text: return [.heading]
        case .image, .box: return [.image, .nothing]
        case .column, .row, .overlay: return reads("label") ? [.heading, .image] : []
        case .space, .choice: return []
        }
    }

    private func level(
        _ role: ContentMeaning.Role?, _ collector: inout ViolationCollector
    ) -> Int {
        guard reads("level") else { return ContentMeaning.defaultLevel }
        if members.object["role"]?.string != ContentMeaning.Role.heading.rawValue {
            collector.reportWithoutEffect(
                "level", "has no effect without \"role\": \"heading\"")
        }
        return members.read("level", &collector) { value, collector in
            value.integer(in: ContentMeaning.levels, &collector)
        } ?? ContentMeaning.defaultLevel
    }

    private func action(_ collector: inout ViolationCollector) -> ContentMeaning.Action? {
        var input: [UInt8]?
        if reads("input") {
            if !hasAction {
                collector.reportWithoutEffect("input", "has no effect without \"action\"")
            }
            input = members.read("input", &collector) { value, collector in
                guard value.byteRange.count <= CatalogLimits.maxActionInputBytes else {
                    collector.report(
                        "has more than \(CatalogLimits.maxActionInputBytes) bytes", at: value)
                    return nil
                }
                return Array(value.document.bytes[value.byteRange])
            }
        }
        guard hasAction, let name = members.string("action", &collector) else { return nil }
        return ContentMeaning.Action(name: name, input: input)
    }
}

/// The URL of an image.
extension MeaningReader {
    func url(_ collector: inout ViolationCollector) -> ImageURL? {
        guard kind == .image else { return nil }
        let template = members.read("url", &collector, ImageURL.init)
        let widths = members.read("widths", &collector, ImageURL.widths)
        // A template with a violation may have been meant to have them.
        if members.has("widths"), !(template?.hasLengths ?? members.has("url")) {
            collector.reportWithoutEffect(
                "widths", "has no effect without \"{width}\" or \"{height}\" in \"url\"")
        }
        return template?.with(widths: widths ?? [])
    }

    /// Reads a pointer that only clients follow; `nil` without one.
    func placeholder(_ collector: inout ViolationCollector) -> JSONPointer? {
        kind == .image ? members.pointer("placeholder", &collector) : nil
    }
}

extension ContentLabel {
    package static let maxConstantBytes = 256
    package static let maxParts = 32

    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard value.kind == .object, value["join"].map({ !$0.isNull }) == true else {
            guard let part = Self.part(value, among: ["constant", "join"], &collector) else {
                return nil
            }
            self.init(parts: [part], separator: "")
            return
        }
        guard let members = Members(value, &collector) else { return nil }
        members.reportUnknown(among: ["join", "by"], &collector)
        let separator = members.string("by", &collector) ?? ""
        if separator.utf8.count > CatalogLimits.maxNameBytes {
            collector.report(
                "has a \"by\" of more than \(CatalogLimits.maxNameBytes) bytes", at: value)
        }
        let parts = members.read("join", &collector) { value, collector -> [Part]? in
            guard value.kind == .array, 1...Self.maxParts ~= value.count else {
                return value.expecting(
                    "an array of 1 to \(Self.maxParts) JSON Pointers and constants", nil,
                    &collector)
            }
            return value.eachOrSelf(&collector) { value, collector in
                Self.part(value, among: ["constant"], &collector).map { [$0] } ?? []
            }
        }
        guard let parts else { return nil }
        self.init(parts: parts, separator: separator)
    }

    private static func part(
        _ value: JSONValue, among forms: [String], _ collector: inout ViolationCollector
    ) -> Part? {
        if value.kind == .string, let text = value.string {
            guard text.isEmpty || text.hasPrefix("/") else {
                var constant = JSONWriter()
                constant.string(ReportedText.cut(text))
                let json = String(decoding: constant.bytes, as: UTF8.self)
                collector.report(
                    "must be a JSON Pointer, or a constant: {\"constant\": \(json)}", at: value)
                return nil
            }
            return Members.pointer(value, &collector).map { .value($0) }
        }
        guard value.kind == .object, value["constant"] != nil,
            let members = Members(value, &collector)
        else {
            return value.expecting(
                "a JSON Pointer or an object with \(forms.alternatives)", nil, &collector)
        }
        members.reportUnknown(among: ["constant"], &collector)
        return members.required("constant", &collector) { value, collector in
            let text = value.string.flatMap { 1...maxConstantBytes ~= $0.utf8.count ? $0 : nil }
            return value.expecting(
                "a text of 1 to \(maxConstantBytes) bytes", text, &collector
            ).map { .constant($0) }
        }
    }
}
