/// Writes the origins of sections and elements, the members `from` of an explained tree, on one
/// line in both styles.
struct OriginWriter {
    private let origins: ScreenOrigins
    private let style: StructuredJSONWriter.Style

    /// The bytes by which an item with its origin is expected to be longer.
    static let expectedByteCount = 200

    init(_ origins: ScreenOrigins, _ style: StructuredJSONWriter.Style) {
        self.origins = origins
        self.style = style
    }

    /// Writes the member of the item at `index`, which is inside of `depth` containers, after its
    /// other members.
    func writeItem(
        at index: Int, of section: MergedSection, depth: Int, to writer: inout JSONWriter
    ) {
        guard let origin = origins.item(at: index, of: section) else { return }
        writer.raw(",")
        writer.raw(style.lineBreak(depth + 1))
        writer.raw(style.key("from"))
        write(origin, to: &writer)
    }

    func write(
        _ view: MergedView, as role: PlacementRole, to output: inout StructuredJSONWriter
    ) {
        guard let origin = origins.view(view, as: role) else { return }
        output.member("from")
        write(origin, to: &output.writer)
    }

    func write(_ section: MergedSection, to output: inout StructuredJSONWriter) {
        output.member("from")
        let posted = origins.posted(section)
        let entry = origins.entry(of: section)
        object(to: &output.writer) { members in
            members.add("posted") { writer in
                list(posted.posted, to: &writer) { location, writer in
                    object(to: &writer) { members in
                        members.add("page") { $0.integer(location.page.number) }
                        members.add("pointer") { $0.string(ReportedText.cut(location.pointer)) }
                    }
                }
            }
            members.add("entry") { $0.orNull(entry.map { ReportedText.cut($0.pointer) }) }
            members.add("layout") { writer in
                let layouts = posted.withLayout.compactMap(origins.layout)
                write(LayoutMembers([entry?.json].compactMap(\.self) + layouts), to: &writer)
            }
        }
    }

    private func write(_ origin: ElementOrigin, to writer: inout JSONWriter) {
        object(to: &writer) { members in
            members.add("page") { $0.integer(origin.page) }
            members.add("pointer") { $0.string(ReportedText.cut(origin.pointer)) }
            members.add("unit") { $0.string(ReportedText.cut(origin.unit)) }
            members.add("unitType") { $0.string(ReportedText.cut(origin.unitType)) }
            members.add("placement") { $0.orNull(origin.placement.map(ReportedText.cut)) }
        }
    }

    private func write(_ layout: LayoutMembers, to writer: inout JSONWriter) {
        writer.raw("{")
        for (index, member) in layout.members.enumerated() {
            if index > 0 { writer.raw(style.inlineComma) }
            writer.string(member.name)
            writer.raw(":")
            if style == .pretty { writer.raw(" ") }
            writer.raw(Array(member.json))
        }
        writer.raw("}")
    }

    // MARK: Containers on one line

    private struct MemberWriter {
        var writer: JSONWriter
        let style: StructuredJSONWriter.Style
        var isFirst = true

        mutating func add(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
            if !isFirst { writer.raw(style.inlineComma) }
            isFirst = false
            writer.raw(style.key(name))
            value(&writer)
        }
    }

    private func object(to writer: inout JSONWriter, _ body: (inout MemberWriter) -> Void) {
        // Moved there and back, so that the bytes are not copied.
        var members = MemberWriter(writer: JSONWriter(), style: style)
        swap(&members.writer, &writer)
        members.writer.raw("{")
        body(&members)
        members.writer.raw("}")
        swap(&members.writer, &writer)
    }

    private func list<Element>(
        _ elements: [Element], to writer: inout JSONWriter,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        writer.raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.raw(style.inlineComma) }
            write(element, &writer)
        }
        writer.raw("]")
    }
}

extension JSONWriter {
    fileprivate mutating func orNull(_ text: String?) {
        if let text { string(text) } else { raw("null") }
    }
}

/// The members of layouts that override each other, as they were written.
private struct LayoutMembers {
    /// The members, in the order in which their names appear first.
    private(set) var members: [(name: String, json: ArraySlice<UInt8>)] = []

    /// Creates the members of some objects, of which later ones take precedence; null is as no
    /// member.
    init(_ objects: [ArraySlice<UInt8>]) {
        var places: [Identifier: Int] = [:]
        for object in objects {
            // They were read before, so that they are valid.
            guard let document = try? JSONDocument(Array(object), maxDepth: .max) else { continue }
            var own: [Identifier: JSONValue] = [:]
            var names: [Identifier] = []
            for (name, value) in document.root.members {
                let name = Identifier(name.string)
                // The last of repeated members applies.
                if own.updateValue(value, forKey: name) == nil { names.append(name) }
            }
            for name in names {
                guard let value = own[name], !value.isNull else { continue }
                let json = document.bytes[value.byteRange]
                if let place = places[name] {
                    members[place].json = json
                } else {
                    places[name] = members.count
                    members.append((name.text, json))
                }
            }
        }
    }
}
