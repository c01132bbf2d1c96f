import Broadsheet

/// What a compose request's body says it is to be laid out for.
enum ComposedViewports: Sendable, Hashable {
    /// `viewport`, or nothing: one tree.
    case one(LayoutQuery)
    /// `viewports`: a tree for each.
    case many([LayoutQuery])

    /// The most viewports of one request.
    static let maxCount = 16

    /// Reads a body's `viewport` or `viewports`, noting what does not fit; null says nothing.
    init(_ body: JSONValue, _ faults: inout ComposeFaults) {
        let one = body["viewport"].flatMap { $0.isNull ? nil : $0 }
        guard let many = body["viewports"], !many.isNull else {
            self = .one(LayoutQuery(viewport: one, at: "/viewport", &faults))
            return
        }
        self = .many([])
        if one != nil {
            faults.note("/viewports", "cannot be given together with viewport", at: many)
        } else if many.kind != .array || !(1...Self.maxCount ~= many.count) {
            faults.note(
                "/viewports", "must be an array of 1 to \(Self.maxCount) viewports", at: many)
        } else {
            let queries = many.elements.enumerated().map { index, viewport in
                LayoutQuery(
                    viewport: viewport, at: JSONPointer.appending("/viewports", index), &faults)
            }
            self = .many(queries)
        }
    }
}

extension LayoutQuery {
    /// Reads the viewport at `pointer` of a compose request's body as the parameters that it stands
    /// for, noting what does not fit; a viewport, or a member of it, that is null says nothing.
    fileprivate init(
        viewport: JSONValue?, at pointer: String, _ faults: inout ComposeFaults
    ) {
        self.init()
        guard let viewport, !viewport.isNull else { return }
        guard viewport.kind == .object else {
            faults.note(pointer, "must be an object", at: viewport)
            return
        }
        func member<Value>(
            _ name: String, _ requirement: String, _ read: (JSONValue) -> Value?
        ) -> Value? {
            guard let value = viewport[name], !value.isNull else { return nil }
            guard let result = read(value) else {
                faults.note(JSONPointer.appending(pointer, name), requirement, at: value)
                return nil
            }
            return result
        }
        let length = "must be a number above 0 and at most 100000"
        width = member("width", length) { $0.double.flatMap(ParameterReader.asLength) }
        height = member("height", length) { $0.double.flatMap(ParameterReader.asLength) }
        scale = member("scale", "must be one of 1, 1.5, 2, 3, 4") {
            $0.double.flatMap(ParameterReader.asScale)
        }
        direction = member("direction", "must be ltr or rtl") {
            $0.string.flatMap(LayoutDirection.init(rawValue:))
        }
    }
}
