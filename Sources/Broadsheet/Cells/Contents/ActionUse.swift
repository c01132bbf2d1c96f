/// The use of an action of its cell type by a box of a content.
struct ActionUse {
    private let action: JSONValue?
    private let input: JSONValue?
    private let path: JSONPath

    init(_ members: Members, _ path: JSONPath) {
        action = members.object["action"]
        input = members.object["input"].flatMap { $0.isNull ? nil : $0 }
        self.path = path
    }

    /// Reports an unknown action, and an input that its schema refuses; an absent one is null.
    func check(
        among actions: [Identifier: CellAction], _ cost: inout SchemaCost,
        _ collector: inout ViolationCollector
    ) {
        guard let action, let name = action.string else { return }
        let current = collector.path
        defer { collector.path = current }
        collector.path = path
        guard let found = actions[Identifier(name)] else {
            let names = actions.keys.map(\.text).sorted()
            collector.report(
                "names no entry of actions" + NearestName.question(about: name, among: names),
                at: action, below: "/action")
            return
        }
        guard let schema = found.input else { return }
        let value = input ?? JSONDocument.null.root
        var judge = SchemaJudge(value.document, cost)
        let violation = judge.violations(of: value.node, by: schema, keeping: 1).first.first
        cost = judge.cost
        guard let violation else { return }
        let place = violation.pointer.isEmpty ? "" : "at \(violation.pointer) "
        collector.report(
            input == nil
                ? "sends null without an \"input\", which the schema of the action refuses: "
                    + violation.detail
                : "is refused by the schema of the action: \(place)\(violation.detail)",
            at: input ?? action, below: input == nil ? "/action" : "/input")
    }
}
