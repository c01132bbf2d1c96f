/// Both lengths of a cell type as a catalog specifies them, and the inputs that they read.
struct SizeRules: Sendable, Hashable {
    /// The width; `nil` if the layout decides.
    var width: SizeRule?
    /// The height; `nil` if the layout decides.
    var height: SizeRule?
    /// The distinct inputs from a cell's data, in the order of the indexes in the rules.
    var inputs: [SizeInput]

    /// Returns the size in points for a cell whose numbers `scope` holds; sets the scope's lengths.
    ///
    /// Sizing many cells in one scope retains nothing for each.
    func size(_ request: SizeRequest, in scope: inout SizeScope) -> Size {
        let available = request.container.available
        scope.length = available.width
        scope.width = 0
        let width = length(.horizontal, width, request, in: &scope)
        scope.length = available.height
        scope.width = width
        return Size(width: width, height: length(.vertical, height, request, in: &scope))
    }

    /// Returns the size as ``size(_:in:)`` does, and notes in the scope the lines of the height's
    /// texts, or of the width's if the height has none.
    func measuredSize(_ request: SizeRequest, in scope: inout SizeScope) -> Size {
        let available = request.container.available
        scope.lines = .none
        scope.length = available.width
        scope.width = 0
        let width = length(.horizontal, width, request, in: &scope)
        let (linesAcross, margin) = (scope.lines, scope.lintMargin)
        // A text that determines the width of its item is always close to another number of lines.
        if linesAcross.isMeasured { scope.lintMargin = 0 }
        scope.lines = .none
        scope.length = available.height
        scope.width = width
        var height = length(.vertical, height, request, in: &scope)
        scope.lintMargin = margin
        if scope.lines.isMeasured {
            height = scope.roundedUp(height)
            if linesAcross.isFragile { scope.lines.isFragile = true }
        } else {
            scope.lines = linesAcross
        }
        return Size(width: width, height: height)
    }

    @inline(__always)
    private func length(
        _ axis: ScreenAxis, _ rule: SizeRule?, _ request: SizeRequest, in scope: inout SizeScope
    ) -> Double {
        if request.container.axis.cross == axis, let fixed = request.fixedCross { return fixed }
        guard let rule else { return request.absent[axis] }
        return max(0, rule.length(in: &scope))
    }
}

extension SizeRules {
    /// Returns the indexes of the inputs that the size depends on, in the order of evaluation.
    ///
    /// - Complexity: O(rules).
    func inputs(in scope: SizeScope) -> [Int] {
        var indexes: [Int] = []
        width?.appendInputs(in: scope, to: &indexes)
        height?.appendInputs(in: scope, to: &indexes)
        return indexes
    }
}

/// The lengths, the numbers and the texts that rules are evaluated with.
struct SizeScope {
    /// The container's length on the rule's axis, in points.
    var length = 0.0
    /// The resolved width in points; only rules of heights read it.
    var width = 0.0
    /// The numbers of a page's cells, those of one cell after those of another.
    let inputs: [Double]
    /// The texts of a page's cells, to which inputs refer by index.
    let texts: [any ShapedText]
    /// The index of the cell's first number, in the order of `SizeRules.inputs`.
    var start: Int
    let textScale: Double
    /// The number of device pixels per point; 0 if texts are not rounded up.
    let pixelScale: Double
    /// Lint: the difference of a width that may not change a number of lines; 0 without lint.
    var lintMargin: Double
    var lines = ItemLines.none

    init(
        _ container: Container = Container(viewport: .zero, available: .zero), inputs: [Double],
        texts: [any ShapedText] = [], start: Int = 0
    ) {
        self.inputs = inputs
        self.texts = texts
        self.start = start
        textScale = container.textScale
        pixelScale = container.pixelScale
        lintMargin = container.lintMargin
    }

    func input(_ index: Int) -> Double {
        let position = start &+ index
        return inputs.indices.contains(position) ? inputs[position] : 0
    }

    @inline(__always)
    func text(_ index: Int) -> (any ShapedText)? {
        let position = Int(input(index))
        return texts.indices.contains(position) ? texts[position] : nil
    }

    /// Returns a length of measured text, rounded up to a device pixel (T4).
    @inline(__always)
    func roundedUp(_ length: Double) -> Double {
        guard pixelScale > 0 else { return length }
        return PixelGrid.up(length, pixelScale)
    }
}

extension SizeRules {
    /// Reads a cell type's `size`.
    ///
    /// - Complexity: O(bytes).
    init(
        _ members: Members, _ limits: CatalogLimits, _ fonts: FontTable, _ forms: [SizeRuleForm],
        _ collector: inout ViolationCollector
    ) {
        members.reportUnknown(among: ["width", "height"], &collector)
        var reader = SizeRuleReader(limits, fonts, forms)
        width = members.read("width", &collector) { reader.rule($0, .horizontal, &$1) }
        height = members.read("height", &collector) { reader.rule($0, .vertical, &$1) }
        inputs = reader.inputs
        if reader.isOverfull {
            collector.report(
                "has more than \(limits.maxRules) rules, the nested ones included",
                at: members.object)
        }
        if valueCount > limits.maxInputs {
            collector.report(
                "reads \(valueCount) values of a cell's data, of which a size may read at most "
                    + "\(limits.maxInputs)", at: members.object)
        }
    }

    private var valueCount: Int { inputs.reduce(0) { $0 + $1.pointers.count } }

    /// Reports a span that reads one value more than a size may read.
    func checkSpan(
        _ limits: CatalogLimits, _ type: JSONValue, _ collector: inout ViolationCollector
    ) {
        guard valueCount == limits.maxInputs else { return }
        collector.report(
            "reads a value of a cell's data beside the \(valueCount) of the size, of which both "
                + "together may read at most \(limits.maxInputs)", at: type, below: "/span")
    }
}

/// A reader of the rules of one size, which collects the inputs that they read.
///
/// It stops at the limit on rules, which also bounds its recursion.
struct SizeRuleReader {
    private(set) var inputs: [SizeInput] = []
    private var count = 0
    /// The forms of rules that are not possible where the next rule is, with the reasons.
    var refusals: [String: String] = [:]
    private let limits: CatalogLimits
    private let fonts: FontTable
    private let forms: [SizeRuleForm]

    init(_ limits: CatalogLimits, _ fonts: FontTable, _ forms: [SizeRuleForm]) {
        self.limits = limits
        self.fonts = fonts
        self.forms = forms
    }

    /// Counts a box of a content, which counts as a rule does.
    ///
    /// - Returns: `false` if it is beyond the limit.
    mutating func takeBox() -> Bool {
        count += 1
        return !isOverfull
    }

    var maxRules: Int { limits.maxRules }

    var isOverfull: Bool { count > maxRules }

    /// Reads the rule at the collector's path, for a length along `axis`.
    ///
    /// - Returns: `nil` if the value is not a rule, or beyond the limit.
    mutating func rule(
        _ value: JSONValue, _ axis: ScreenAxis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        count += 1
        if isOverfull { return nil }
        if let points = value.length(&collector) { return .points(points) }
        guard let form = form(of: value, &collector), let members = Members(value, &collector)
        else { return nil }
        members.reportUnknown(among: form.members.map(\.name), &collector)
        let refusal =
            axis == .horizontal && form.isForHeightsOnly
            ? "is for heights only" : refusals[form.name]
        if let refusal {
            _ = members.read(form.name, &collector) { value, collector -> Void? in
                collector.report(refusal, at: value)
            }
            return nil
        }
        return form.read(&self, members, axis, &collector)
    }

    /// Reads the member `name`, an array of rules for lengths along `axis`.
    ///
    /// - Returns: The valid rules in order, or `nil` if the member is not an array.
    mutating func rules(
        _ name: String, in members: Members, _ axis: ScreenAxis,
        _ collector: inout ViolationCollector
    ) -> [SizeRule]? {
        members.read(name, &collector) { value, collector in
            guard value.kind == .array else {
                return value.expecting("an array of rules", nil, &collector)
            }
            var rules: [SizeRule] = []
            for (index, element) in value.elements.enumerated() where !isOverfull {
                collector.path.descend(to: index)
                if let rule = rule(element, axis, &collector) { rules.append(rule) }
                collector.path.ascend()
            }
            return rules
        }
    }

    /// Reads a ratio at the collector's path: a number, or an object that refers to the data.
    mutating func ratio(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        if let ratio = value.length(&collector) { return .ratio(ratio) }
        let expected = #"a number or an object with "value", or with "width" and "height""#
        guard value.kind == .object, let members = Members(value, &collector) else {
            return value.expecting(expected, nil, &collector)
        }
        let hasLengths = members.has("width") || members.has("height")
        guard members.has("value") != hasLengths else {
            return value.expecting(expected, nil, &collector)
        }
        let names = hasLengths ? ["width", "height"] : ["value"]
        members.reportUnknown(among: names + ["default"], &collector)
        let fallback = members.length("default", &collector) ?? 0
        if !hasLengths {
            let pointer = members.pointer("value", &collector)
            return pointer.map { .ratioInput(input(.number($0, default: fallback))) }
        }
        let width = members.requiredPointer("width", &collector)
        let height = members.requiredPointer("height", &collector)
        guard let width, let height else { return nil }
        return .ratioInput(input(.ratio(height: height, width: width, default: fallback)))
    }

    /// Reads a product at the collector's path: an array of a rule and a number.
    mutating func product(
        _ value: JSONValue, _ axis: ScreenAxis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        let parts = Array(value.elements)
        guard parts.count == 2 else {
            return value.expecting("an array of a rule and a number", nil, &collector)
        }
        collector.path.descend(to: 0)
        let rule = rule(parts[0], axis, &collector)
        collector.path.ascend()
        collector.path.descend(to: 1)
        let factor = parts[1].expecting("a number", parts[1].length(&collector), &collector)
        collector.path.ascend()
        guard let rule, let factor else { return nil }
        return .product(rule, factor)
    }

    mutating func text(
        _ members: Members, _ axis: ScreenAxis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        let reader = self
        let source = members.read("text", &collector) { reader.textParts($0, &$1) }
        let font = members.required("font", &collector) { reader.font($0, &$1) }
        let maxLines = members.lines("maxLines", from: 1, &collector)
        let minLines = members.lines("minLines", from: 0, &collector)
        if let maxLines, let minLines, minLines > maxLines {
            collector.path.descend(to: "minLines")
            collector.reportUnusable(
                "is above \"maxLines\", so that a height has space for lines that no text has")
            collector.path.ascend()
        }
        let overflow: TextRequest.Overflow? = members.choice("overflow", &collector)
        let hangul: ShapingOptions.Hangul? = members.choice("hangul", &collector)
        guard let source, let font else { return nil }
        let text = TextSource(
            parts: source.parts, separator: source.separator, font: font,
            options: ShapingOptions(hangul: hangul ?? .syllable))
        let rule = TextRule(
            font: font.metrics, axis: axis, maxLines: maxLines, minLines: minLines ?? 0,
            overflow: overflow ?? .anywhere)
        return .text(input: input(.text(text)), rule)
    }

    /// Reads the source of a text: a pointer, or an object of several and their separator.
    private func textParts(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> (parts: [JSONPointer], separator: [UInt8])? {
        if value.kind == .string {
            return Members.pointer(value, &collector).map { ([$0], []) }
        }
        guard value.kind == .object, let members = Members(value, &collector) else {
            return value.expecting(#"a JSON Pointer or an object with "join""#, nil, &collector)
        }
        members.reportUnknown(among: ["join", "by"], &collector)
        let separator = members.string("by", &collector) ?? ""
        let parts = members.required("join", &collector) { value, collector -> [JSONPointer]? in
            // One more than the limit of values suffices for its violation.
            guard value.kind == .array, 1...limits.maxInputs + 1 ~= value.count else {
                return value.expecting(
                    "an array of 1 to \(limits.maxInputs) JSON Pointers", nil, &collector)
            }
            return value.eachOrSelf(&collector) { value, collector in
                Members.pointer(value, &collector).map { [$0] } ?? []
            }
        }
        guard separator.utf8.count <= CatalogLimits.maxNameBytes else {
            collector.report(
                "has a \"by\" of more than \(CatalogLimits.maxNameBytes) bytes", at: value)
            return nil
        }
        return parts.map { ($0, Array(separator.utf8)) }
    }

    private func font(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> CatalogFont? {
        guard let name = value.expecting("a string", value.string, &collector) else { return nil }
        if !fonts.isDeclared(name) {
            collector.report(
                "names no entry of fonts"
                    + NearestName.question(about: name, among: fonts.contents.map(\.name)),
                at: value)
        }
        return fonts[name]
    }

    /// Returns the form of an object; reports an object that has none, or several.
    private func form(
        of value: JSONValue, _ collector: inout ViolationCollector
    ) -> SizeRuleForm? {
        let isPresent = { (name: String) in value[name].map { !$0.isNull } == true }
        let present = forms.filter { isPresent($0.name) }
        if present.count > 1 {
            let names = present.map { "\"\($0.name)\"" }.joined(separator: " and ")
            collector.report("must be one rule, not \(names)", at: value)
            return nil
        }
        if let form = present.first { return form }
        if let form = forms.first(where: { $0.impliedBy.contains(where: isPresent) }) {
            return form
        }
        let names = forms.map(\.name).alternatives
        return value.expecting("a number or an object with \(names)", nil, &collector)
    }

    /// Returns the index of an input among those of the size; equal inputs share one index.
    mutating func input(_ input: SizeInput) -> Int {
        if let index = inputs.firstIndex(of: input) { return index }
        inputs.append(input)
        return inputs.count - 1
    }
}

extension Members {
    fileprivate func lines(
        _ name: String, from least: Int, _ collector: inout ViolationCollector
    ) -> Int32? {
        read(name, &collector) { value, collector in
            value.integer(in: least...CatalogLimits.maxTextLines, &collector)
                .flatMap(Int32.init(exactly:))
        }
    }
}
