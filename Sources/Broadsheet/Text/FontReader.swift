/// A reader of the `fonts` of a catalog, which opens them (docs/catalog.md, "Fonts").
struct FontReader {
    private let source: FontSource

    init(_ source: FontSource) {
        self.source = source
    }

    /// Reads and opens the fonts of a catalog.
    ///
    /// - Returns: The valid fonts; those of the active catalog for a catalog of a request.
    func table(
        _ catalog: Members, _ limits: CatalogLimits, _ collector: inout ViolationCollector
    ) -> FontTable {
        var table = FontTable()
        if case .active(let fonts) = source { table = fonts }
        var count = 0
        catalog.table("fonts", &collector) { name, value, collector in
            count += 1
            guard count <= limits.maxFonts else { return }
            collector.checkName(name, of: value)
            if let font = font(name, value, limits: limits, &collector) {
                table.add(font)
            } else {
                table.addInvalid(name)
            }
        }
        if count > limits.maxFonts {
            _ = catalog.read("fonts", &collector) { value, collector -> Void? in
                collector.report(
                    "has \(count) fonts, of which a catalog may have at most \(limits.maxFonts)",
                    at: value)
            }
        }
        return table
    }

    private func font(
        _ name: String, _ value: JSONValue, limits: CatalogLimits,
        _ collector: inout ViolationCollector
    ) -> CatalogFont? {
        let total = collector.total
        guard let members = Members(value, &collector),
            let declaration = FontDeclaration(members, limits, &collector),
            collector.total == total
        else { return nil }
        switch source {
        case .none:
            collector.report("cannot be opened: the program has no text measurer", at: value)
            return nil
        case .active(let fonts):
            guard let font = fonts[name], font.declaration == declaration else {
                collector.report(
                    "is not a font of the active catalog; a catalog of a request has no others",
                    at: value)
                return nil
            }
            return font
        case .measurer(let measurer):
            return open(name, declaration, by: measurer, at: value, &collector)
        }
    }

    private func open(
        _ name: String, _ declaration: FontDeclaration, by measurer: any TextMeasurer,
        at value: JSONValue, _ collector: inout ViolationCollector
    ) -> CatalogFont? {
        do throws(FontFailure) {
            return CatalogFont(name: name, declaration, try measurer.open(declaration))
        } catch {
            let pointer = try? JSONPointer(error.pointer)
            collector.report(
                error.detail, at: pointer?.evaluate(on: value) ?? value,
                below: pointer == nil ? "" : error.pointer)
            return nil
        }
    }
}

extension FontDeclaration {
    fileprivate init?(
        _ members: Members, _ limits: CatalogLimits, _ collector: inout ViolationCollector
    ) {
        members.reportUnknown(
            among: ["files", "size", "lineHeight", "letterSpacing", "features", "scales"],
            &collector)
        let files = members.required("files", &collector) { value, collector in
            Self.files(value, limits: limits, &collector)
        }
        let lengths = 1...CatalogLimits.maxFontLength
        let size = members.required("size", &collector) { $0.number(in: lengths, &$1) }
        let lineHeight = members.read("lineHeight", &collector) { $0.number(in: lengths, &$1) }
        let letterSpacing = members.read("letterSpacing", &collector) { value, collector in
            value.number(
                in: -CatalogLimits.maxLetterSpacing...CatalogLimits.maxLetterSpacing, &collector)
        }
        let features = members.read("features", &collector) { value, collector in
            Self.features(value, limits: limits, &collector)
        }
        let scales = members.bool("scales", &collector)
        guard let files, let size else { return nil }
        self.init(
            files: files, size: size, lineHeight: lineHeight, letterSpacing: letterSpacing ?? 0,
            features: features ?? [], scales: scales ?? true)
    }

    private static func files(
        _ value: JSONValue, limits: CatalogLimits, _ collector: inout ViolationCollector
    ) -> [File]? {
        guard value.kind == .array, 1...limits.maxFontFiles ~= value.count else {
            return value.expecting("an array of 1 to \(limits.maxFontFiles) files", nil, &collector)
        }
        return value.eachOrSelf(&collector) { value, collector in
            File(value, limits, &collector).map { [$0] } ?? []
        }
    }

    private static func features(
        _ value: JSONValue, limits: CatalogLimits, _ collector: inout ViolationCollector
    ) -> [String]? {
        guard value.kind == .array, value.count <= limits.maxFontFeatures else {
            return value.expecting(
                "an array of at most \(limits.maxFontFeatures) features", nil, &collector)
        }
        return value.eachOrSelf(&collector) { value, collector in
            let feature = value.string.flatMap { $0.isFeature ? $0 : nil }
            let expected = #"a feature such as "tnum", "liga=0" or "ss01=2""#
            return value.expecting(expected, feature, &collector).map { [$0] } ?? []
        }
    }
}

extension FontDeclaration.File {
    /// Reads a file: a path, or an object.
    fileprivate init?(
        _ value: JSONValue, _ limits: CatalogLimits, _ collector: inout ViolationCollector
    ) {
        if value.kind == .string {
            guard let path = Self.path(value, &collector) else { return nil }
            self.init(path: path)
            return
        }
        guard value.kind == .object, let members = Members(value, &collector) else {
            _ = value.expecting("a path or an object", nil as Void?, &collector)
            return nil
        }
        members.reportUnknown(among: ["file", "index", "axes"], &collector)
        let path = members.required("file", &collector, Self.path)
        let index = members.read("index", &collector) { value, collector in
            value.integer(in: 0...CatalogLimits.maxFontIndex, &collector)
        }
        let axes = members.read("axes", &collector) { value, collector in
            Self.axes(value, limits: limits, &collector)
        }
        guard let path else { return nil }
        self.init(path: path, index: index ?? 0, axes: axes ?? [])
    }

    /// Reads a path below the folder of fonts: relative, and without steps to the folder above.
    private static func path(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> String? {
        guard let path = value.expecting("a path", value.string, &collector) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isBelow = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        guard isBelow, !path.utf8.contains(0), path.utf8.count <= CatalogLimits.maxPathBytes else {
            collector.report(
                "must be a path below the folder of fonts, without \"..\", of at most "
                    + "\(CatalogLimits.maxPathBytes) bytes", at: value)
            return nil
        }
        return path
    }

    private static func axes(
        _ value: JSONValue, limits: CatalogLimits, _ collector: inout ViolationCollector
    ) -> [FontDeclaration.AxisValue]? {
        guard let members = Members(value, &collector) else { return nil }
        let entries = members.entries
        guard entries.count <= limits.maxFontAxes else {
            collector.report("may have at most \(limits.maxFontAxes) axes", at: value)
            return nil
        }
        var axes: [FontDeclaration.AxisValue] = []
        for entry in entries {
            collector.path.descend(to: entry.name)
            defer { collector.path.ascend() }
            let range = -CatalogLimits.maxAxisValue...CatalogLimits.maxAxisValue
            guard entry.name[...].isTag else {
                collector.report("must have a name of four characters, such as wght", at: value)
                continue
            }
            if let value = entry.value.number(in: range, &collector) {
                axes.append(FontDeclaration.AxisValue(tag: entry.name, value: value))
            }
        }
        return axes.sorted { $0.tag.utf8.lexicographicallyPrecedes($1.tag.utf8) }
    }
}

extension String {
    /// A Boolean value that indicates whether the text is a tag, or one with a number up to 65535.
    fileprivate var isFeature: Bool {
        let parts = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let tag = parts.first, tag.isTag else { return false }
        return parts.count == 1 || UInt16(parts[1]) != nil
    }
}

extension Substring {
    /// A Boolean value that indicates whether the text is a tag of OpenType: four printable ASCII
    /// characters.
    fileprivate var isTag: Bool { utf8.count == 4 && utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}

extension JSONValue {
    func number(
        in range: ClosedRange<Double>, _ collector: inout ViolationCollector
    ) -> Double? {
        expecting(
            "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))",
            double.flatMap { range.contains($0) ? $0 : nil }, &collector)
    }
}
