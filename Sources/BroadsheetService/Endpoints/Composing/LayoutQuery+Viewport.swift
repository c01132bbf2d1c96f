import Broadsheet

extension LayoutQuery {
    /// Reads the `viewport` of a compose request's body as the parameters that it stands for, noting
    /// what does not fit; a viewport, or a member of it, that is null says nothing.
    init(viewport: JSONValue?, _ faults: inout ComposeFaults) {
        self.init()
        guard let viewport, !viewport.isNull else { return }
        guard viewport.kind == .object else {
            faults.note("/viewport", "must be an object", at: viewport)
            return
        }
        let length = "must be a number above 0 and at most 100000"
        width = viewport.member("width", length, &faults) {
            $0.double.flatMap(ParameterReader.asLength)
        }
        height = viewport.member("height", length, &faults) {
            $0.double.flatMap(ParameterReader.asLength)
        }
        scale = viewport.member("scale", "must be one of 1, 1.5, 2, 3, 4", &faults) {
            $0.double.flatMap(ParameterReader.asScale)
        }
        direction = viewport.member("direction", "must be ltr or rtl", &faults) {
            $0.string.flatMap(LayoutDirection.init(rawValue:))
        }
    }
}

extension JSONValue {
    /// The viewport's member `name` as `read` has it; nil when it is not there, null, or does not
    /// fit, which is noted.
    fileprivate func member<Value>(
        _ name: String, _ requirement: String, _ faults: inout ComposeFaults,
        _ read: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let result = read(value) else {
            faults.note(JSONPointer.appending("/viewport", name), requirement, at: value)
            return nil
        }
        return result
    }
}
