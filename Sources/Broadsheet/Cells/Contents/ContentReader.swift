/// A reader of the content of a cell type (docs/catalog.md, "Contents").
struct ContentReader {
    private var boxes: [ContentBox] = []
    private var lengths: [SizeRule] = []
    private var names: [PartName] = []
    private var description = ContentDescription()
    /// The uses of actions of the cell type, which are read later.
    private(set) var actions: [ActionUse] = []
    /// The number of boxes so far that are controls.
    private var controls = 0
    /// The reader of rules, which also counts the boxes and collects all inputs.
    private var rules: SizeRuleReader
    private let limits: CatalogLimits

    /// A name of a box, and its place in the document.
    private struct PartName {
        let text: String
        let value: JSONValue
        let path: JSONPath
    }

    init(_ limits: CatalogLimits, _ fonts: FontTable, _ forms: [SizeRuleForm]) {
        var own = limits
        own.maxRules = limits.maxContentBoxes
        own.maxInputs = limits.maxContentPointers
        self.limits = limits
        rules = SizeRuleReader(
            own, fonts, forms.filter { !ContentMember.excludedRules.contains($0.name) })
    }

    mutating func tree(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> ContentTree? {
        read(value, at: Place(parent: nil), &collector)
        reportRepeatedNames(&collector)
        if rules.isOverfull {
            collector.report(
                "has more than \(limits.maxContentBoxes) boxes and rules, all cases included",
                at: value)
        }
        let pointers = description.placeholders.union(rules.inputs.flatMap(\.pointers)).count
        if pointers > limits.maxContentPointers {
            collector.report(
                "has \(pointers) different pointers, of which a content may have at most "
                    + "\(limits.maxContentPointers)", at: value)
        }
        guard !boxes.isEmpty else { return nil }
        return ContentTree(
            boxes, rules: lengths,
            names: names.map { ($0.text, location: $0.path.pointerFromBase) },
            inputs: rules.inputs, description,
            json: Array(value.document.bytes[value.byteRange]))
    }

    /// A content, if there is one, and its uses of actions of the cell type.
    typealias Content = (tree: ContentTree?, actions: [ActionUse])

    static func content(
        of type: Members, _ limits: CatalogLimits, _ fonts: FontTable, _ forms: [SizeRuleForm],
        _ collector: inout ViolationCollector
    ) -> Content {
        type.read("content", &collector) { value, collector -> Content? in
            if type.has("size") {
                collector.report("cannot be beside \"size\", which follows from it", at: value)
            }
            if type.has("picture") {
                let path = collector.path
                collector.path.ascend()
                collector.reportWithoutEffect(
                    "picture", "has no effect beside \"content\", which pictures show")
                collector.path = path
            }
            var reader = ContentReader(limits, fonts, forms)
            return (reader.tree(value, &collector), reader.actions)
        } ?? (nil, [])
    }

    private mutating func read(
        _ value: JSONValue, at place: Place, _ collector: inout ViolationCollector
    ) {
        guard rules.takeBox() else { return }
        guard place.depth <= limits.maxContentDepth else {
            collector.report(
                "is within \(limits.maxContentDepth) other boxes, of which it may be within at "
                    + "most \(limits.maxContentDepth - 1)", at: value)
            return
        }
        guard let kind = kind(of: value, &collector), let members = Members(value, &collector)
        else { return }
        report(members, without: kind, in: place.parent, &collector)
        if kind == .space, place.parent == nil || place.parent == .overlay {
            collector.report(
                "is for columns and rows", at: value, below: "/\(ContentKind.space.rawValue)")
        }
        let index = boxes.count
        boxes.append(ContentBox(kind: .space))
        description.meanings.append(ContentMeaning())
        let box = box(kind, members, place, index, &collector)
        boxes[index] = box
        boxes[index].end = Int32(truncatingIfNeeded: boxes.count)
    }

    /// The place of a box that is being read.
    private struct Place {
        /// The kind of box that it is in; `nil` for the root.
        let parent: ContentKind?
        /// The number of boxes within each other, this one included.
        var depth = 1
        var isInControl = false
    }

    /// Returns the kind of a box; reports a box that has none, or several.
    private func kind(
        of value: JSONValue, _ collector: inout ViolationCollector
    ) -> ContentKind? {
        let names = ContentKind.allCases.map(\.rawValue)
        guard value.kind == .object else {
            return value.expecting("an object with \(names.alternatives)", nil, &collector)
        }
        let present = ContentKind.allCases.filter {
            value[$0.rawValue].map { !$0.isNull } == true
        }
        guard present.count > 1 else {
            return value.expecting(
                "a box, an object with \(names.alternatives)", present.first, &collector)
        }
        let found = present.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
        collector.report("must be one box, not \(found)", at: value)
        return nil
    }

    /// Reports the members of a box that are unknown, or have no effect on it.
    private func report(
        _ members: Members, without kind: ContentKind, in parent: ContentKind?,
        _ collector: inout ViolationCollector
    ) {
        members.reportUnknown(among: Self.known, &collector)
        for member in ContentMember.all
        where !member.hasEffect(on: kind, in: parent) && members.has(member.name) {
            let place = parent.map { " in \($0.withArticle)" } ?? " that is the root"
            collector.reportWithoutEffect(
                member.name, "has no effect on \(kind.withArticle)\(place)")
        }
    }

    private static let known = KnownNames(ContentMember.all.map(\.name))

    private func reportRepeatedNames(_ collector: inout ViolationCollector) {
        var taken: Set<String> = []
        let path = collector.path
        for name in names.sorted(by: {
            $0.value.byteRange.lowerBound < $1.value.byteRange.lowerBound
        }) where !taken.insert(name.text).inserted {
            collector.path = name.path
            collector.report("is the name of another box of this content", at: name.value)
        }
        collector.path = path
    }
}

/// The members of boxes.
extension ContentReader {
    private mutating func box(
        _ kind: ContentKind, _ members: Members, _ place: Place, _ index: Int,
        _ collector: inout ViolationCollector
    ) -> ContentBox {
        var box = ContentBox(kind: .space)
        let meaning = MeaningReader(
            members: members, kind: kind, isRoot: place.parent == nil,
            isInControl: place.isInControl)
        let earlierControls = controls
        if meaning.isControl { controls += 1 }
        switch kind {
        case .column, .row, .overlay:
            box.kind = kind == .column ? .column : kind == .row ? .row : .overlay
            let inside = Place(
                parent: kind, depth: place.depth + 1,
                isInControl: place.isInControl || meaning.isControl)
            readBoxes(of: kind, members, at: inside, &collector)
        case .text:
            if case .text(let input, let rule)? = rules.text(members, .vertical, &collector) {
                box.kind = .text(input: Int32(truncatingIfNeeded: input), rule)
            }
        case .image, .box:
            let url = meaning.url(&collector)
            let value = input(kind.rawValue, members, &collector) { pointer in
                if kind == .box { return .presence(pointer) }
                return url.map { .url(pointer, $0) } ?? .image(pointer)
            }
            box.kind = .image(input: value, isView: kind == .box)
            if url != nil { box.url = value }
            if let pointer = meaning.placeholder(&collector) {
                description.placeholders.insert(pointer)
            }
        case .space:
            box.fill = weight(kind.rawValue, members, &collector)
        case .choice:
            readCases(members, place, &box, &collector)
            return box
        }
        let reads = { (name: String) in
            ContentMember.all.contains {
                $0.name == name && $0.hasEffect(on: kind, in: place.parent)
            }
        }
        if reads("if") { box.condition = input("if", members, &collector, SizeInput.presence) }
        guard kind != .space else { return box }
        readLengths(members, isRoot: place.parent == nil, &box, &collector)
        if reads("fill") { box.fill = weight("fill", members, &collector) }
        if reads("shrink") { box.shrinks = members.bool("shrink", &collector) ?? true }
        if reads("horizontal") { box.horizontal = members.choice("horizontal", &collector) }
        if reads("vertical") { box.vertical = members.choice("vertical", &collector) }
        if reads("align") { box.align = members.choice("align", &collector) ?? .stretch }
        if reads("justify") { box.justify = members.choice("justify", &collector) ?? .start }
        if reads("spacing") { box.spacing = members.read("spacing", &collector, Self.points) ?? 0 }
        if reads("padding") {
            box.padding =
                members.read("padding", &collector) { $0.insets(&$1, Self.points) } ?? .zero
        }
        box.name = name(members, &collector)
        let found = meaning.meaning(&rules, &collector)
        description.meanings[index] = found
        if found.isHidden, controls > earlierControls { reportHiddenControl(members, &collector) }
        if found.action != nil { actions.append(ActionUse(members, collector.path)) }
        description.styles.formUnion(members.read("style", &collector, StyleNames.read) ?? [])
        return box
    }

    private func reportHiddenControl(
        _ members: Members, _ collector: inout ViolationCollector
    ) {
        _ = members.read("hidden", &collector) { value, collector -> Void? in
            collector.report("hides a control, which this box is or has in it", at: value)
        }
    }

    private mutating func readBoxes(
        of kind: ContentKind, _ members: Members, at place: Place,
        _ collector: inout ViolationCollector
    ) {
        _ = members.read(kind.rawValue, &collector) { value, collector -> Void? in
            guard value.kind == .array, value.count > 0 else {
                return value.expecting("an array of one or more boxes", nil, &collector)
            }
            for (index, element) in value.elements.enumerated() where !rules.isOverfull {
                collector.path.descend(to: index)
                read(element, at: place, &collector)
                collector.path.ascend()
            }
            return nil
        }
    }

    /// Reads a choice; each case, and the default, stands where the choice is.
    private mutating func readCases(
        _ members: Members, _ place: Place, _ box: inout ContentBox,
        _ collector: inout ViolationCollector
    ) {
        let pointer = members.pointer(ContentKind.choice.rawValue, &collector)
        var place = place
        place.depth += 1
        let cases = members.cases(upTo: rules.maxRules, &collector) { value, collector in
            read(value, at: place, &collector)
        }
        _ = members.read("default", &collector) { value, collector -> Void? in
            read(value, at: place, &collector)
            return nil
        }
        guard let pointer, let cases else { return }
        box.kind = .choice(
            input: Int32(truncatingIfNeeded: rules.input(.choice(pointer, cases.keys))))
    }

    /// Reads a pointer to a value on which the presence of the box depends, and returns the index
    /// of its input; -1 without one.
    private mutating func input(
        _ name: String, _ members: Members, _ collector: inout ViolationCollector,
        _ input: (JSONPointer) -> SizeInput
    ) -> Int32 {
        guard let pointer = members.pointer(name, &collector) else { return -1 }
        return Int32(truncatingIfNeeded: rules.input(input(pointer)))
    }

    private func weight(
        _ name: String, _ members: Members, _ collector: inout ViolationCollector
    ) -> Double {
        members.read(name, &collector) { value, collector in
            value.number(in: CatalogLimits.contentWeights, &collector)
        } ?? 0
    }

    /// Reads a number of points that is not negative.
    private static func points(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> Double? {
        let points = value.length(&collector).flatMap { $0 >= 0 ? $0 : nil }
        return value.expecting("a number of 0 or more", points, &collector)
    }

    /// Reads the name of a box, and returns its index; -1 without one.
    private mutating func name(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> Int32 {
        let found = members.read("name", &collector) { value, collector -> PartName? in
            let text = value.string.flatMap { Self.isName($0) ? $0 : nil }
            let expected = "1 to \(CatalogLimits.maxPartNameBytes) of A-Z a-z 0-9 _ -"
            return value.expecting(expected, text, &collector).map {
                PartName(text: $0, value: value, path: collector.path)
            }
        }
        guard let found else { return -1 }
        names.append(found)
        return Int32(truncatingIfNeeded: names.count - 1)
    }

    private static func isName(_ text: String) -> Bool {
        1...CatalogLimits.maxPartNameBytes ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private mutating func readLengths(
        _ members: Members, isRoot: Bool, _ box: inout ContentBox,
        _ collector: inout ViolationCollector
    ) {
        rules.refusals["fraction"] = nil
        box.width = length("width", .horizontal, members, &collector)
        box.widthBounds.lower = length("minWidth", .horizontal, members, &collector)
        box.widthBounds.upper = length("maxWidth", .horizontal, members, &collector)
        if !isRoot { rules.refusals["fraction"] = "is for widths, and for both of the root" }
        box.height = length("height", .vertical, members, &collector)
        box.heightBounds.lower = length("minHeight", .vertical, members, &collector)
        box.heightBounds.upper = length("maxHeight", .vertical, members, &collector)
    }

    /// Reads a rule; of a length that is not a bound also `"natural"`.
    private mutating func length(
        _ name: String, _ axis: ScreenAxis, _ members: Members,
        _ collector: inout ViolationCollector
    ) -> ContentLength {
        members.read(name, &collector) { value, collector -> ContentLength? in
            let isLength = name == "width" || name == "height"
            if isLength, value.kind == .string, value.string == "natural" { return .natural }
            guard let rule = rules.rule(value, axis, &collector) else { return nil }
            if case .points(let points) = rule { return .points(points) }
            lengths.append(rule)
            return .rule(
                Int32(truncatingIfNeeded: lengths.count - 1), hasFraction: rule.hasFraction)
        } ?? .none
    }
}
