/// The members of one object, read by name and type; what does not fit goes to the findings.
///
/// A member that is null counts as unset, an unknown one is ignored, and of duplicates the last
/// counts. Every read is O(members).
struct Members {
    let object: JSONValue

    /// Takes `value` as an object, or reports that it is none.
    init?(_ value: JSONValue, _ findings: inout Findings) {
        guard value.kind == .object else {
            findings.report("must be an object\(value.insteadOf)", at: value)
            return nil
        }
        object = value
    }

    /// The last member called `name`, null or not; notes when there are several.
    func posted(_ name: String, _ findings: inout Findings) -> JSONValue? {
        var found: JSONValue?
        for member in object.members where member.name.equals(name) {
            if found != nil { findings.reportDuplicate(name) }
            found = member.value
        }
        return found
    }

    /// The value of the member called `name`; nil when it is absent or null.
    func value(_ name: String, _ findings: inout Findings) -> JSONValue? {
        guard let value = posted(name, &findings), !value.isNull else { return nil }
        return value
    }

    /// What `read` makes of the member called `name`, at whose path it is called; nil when the
    /// member is absent or null.
    func read<Value>(
        _ name: String, _ findings: inout Findings,
        _ read: (JSONValue, inout Findings) -> Value?
    ) -> Value? {
        guard let value = value(name, &findings) else { return nil }
        findings.path.descend(to: name)
        defer { findings.path.ascend() }
        return read(value, &findings)
    }

    /// What `read` makes of the member called `name`; reports it when it is absent or null.
    func required<Value>(
        _ name: String, _ findings: inout Findings,
        _ read: (JSONValue, inout Findings) -> Value?
    ) -> Value? {
        let value = posted(name, &findings)
        findings.path.descend(to: name)
        defer { findings.path.ascend() }
        guard let value else {
            findings.report("is missing", at: object)
            return nil
        }
        return read(value, &findings)
    }

    /// What `read` makes of the member called `name`, an object; nil when it is unset or none.
    func object<Value>(
        _ name: String, _ findings: inout Findings,
        _ read: (Members, inout Findings) -> Value?
    ) -> Value? {
        self.read(name, &findings) { value, findings in
            guard let members = Members(value, &findings) else { return nil }
            return read(members, &findings)
        }
    }
}
