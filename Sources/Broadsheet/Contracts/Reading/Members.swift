/// The members of one object, read by name and type; what does not fit goes to the collector.
///
/// A member that is null counts as unset, an unknown one is ignored, and of duplicates the last
/// counts. Every read is O(members).
struct Members {
    let object: JSONValue

    /// Takes `value` as an object, or reports that it is none.
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard value.kind == .object else {
            collector.report("must be an object\(value.insteadOf)", at: value)
            return nil
        }
        object = value
    }

    /// The last member called `name`, null or not; notes when there are several.
    func posted(_ name: String, _ collector: inout ViolationCollector) -> JSONValue? {
        var found: JSONValue?
        for member in object.members where member.name.equals(name) {
            if found != nil { collector.reportDuplicate(name) }
            found = member.value
        }
        return found
    }

    /// The value of the member called `name`; nil when it is absent or null.
    func value(_ name: String, _ collector: inout ViolationCollector) -> JSONValue? {
        guard let value = posted(name, &collector), !value.isNull else { return nil }
        return value
    }

    /// What `read` makes of the member called `name`, at whose path it is called; nil when the
    /// member is absent or null.
    func read<Value>(
        _ name: String, _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> Value? {
        guard let value = value(name, &collector) else { return nil }
        collector.path.descend(to: name)
        defer { collector.path.ascend() }
        return read(value, &collector)
    }

    /// What `read` makes of the member called `name`; reports it when it is absent or null.
    func required<Value>(
        _ name: String, _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> Value? {
        let value = posted(name, &collector)
        collector.path.descend(to: name)
        defer { collector.path.ascend() }
        guard let value else {
            collector.report("is missing", at: object)
            return nil
        }
        return read(value, &collector)
    }

    /// What `read` makes of the member called `name`, an object; nil when it is unset or none.
    func object<Value>(
        _ name: String, _ collector: inout ViolationCollector,
        _ read: (Members, inout ViolationCollector) -> Value?
    ) -> Value? {
        self.read(name, &collector) { value, collector in
            guard let members = Members(value, &collector) else { return nil }
            return read(members, &collector)
        }
    }
}
