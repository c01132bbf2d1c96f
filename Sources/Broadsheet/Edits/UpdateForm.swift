/// An update operation as it is applied.
protocol AppliedOperation: Sendable {
    /// A Boolean value that indicates whether indexes may mean other items or sections afterwards.
    static var changesPlaces: Bool { get }

    /// Applies the operation to an editor, which is to be discarded after a failure.
    func apply(to editor: ScreenEditor) throws(EditFailure)
}

/// An update operation that has a JSON form: its name, its members, how they are read, and how the
/// operation is applied (docs/edits.md, "Updates").
protocol UpdateForm: AppliedOperation {
    /// The value of the member `op`.
    static var name: String { get }
    /// The other members, in the order in which a misspelt one is compared with them.
    static var members: [UpdateMember] { get }

    /// Reads the members, and returns the operation, or `nil` if they have violations.
    static func read(_ members: inout UpdateMembers) -> UpdateOperation?
}

/// A member that operations can have.
struct UpdateMember: Sendable, ExpressibleByStringLiteral {
    let name: String
    /// The value in the operation of an action that leaves the member out; none if an event does
    /// not supply it.
    var valueOfEvent: [ActionOperation.Piece] = []
    /// The member beside which an event does not supply this one.
    var alternative: String?

    static let section = UpdateMember(name: "section", valueOfEvent: [.section])
    static let item = UpdateMember(name: "item", valueOfEvent: [.item])
    static let items = UpdateMember(
        name: "items",
        valueOfEvent: [.bytes(Array("[".utf8)), .item, .bytes(Array("]".utf8))],
        alternative: "all")
    /// The members of which one can name a place.
    static let place: [UpdateMember] = ["before", "after"]
}

extension UpdateMember {
    /// Creates a member that events do not supply.
    init(stringLiteral name: String) { self.init(name: name) }

    /// Returns the JSON by which an event continues an operation without the member; empty if it
    /// does not supply it.
    func suppliedPieces(unless has: (String) -> Bool) -> [ActionOperation.Piece] {
        guard !valueOfEvent.isEmpty, !has(name), !(alternative.map(has) ?? false) else { return [] }
        // An operation has the member "op", so another one follows a comma.
        return [.bytes(Array(",\"\(name)\":".utf8))] + valueOfEvent
    }
}

/// The forms of the operations that JSON can name.
package enum UpdateForms {
    package static let names = all.map { $0.name }

    /// The names of the members of each operation, without `op`, in the order of ``names``.
    package static let memberNames = all.map { $0.members.map(\.name) }

    static func form(named name: String) -> (any UpdateForm.Type)? {
        let name = Identifier(name)
        return all.first { Identifier($0.name) == name }
    }

    static func operation(
        _ value: JSONValue, _ names: ContractNames, _ collector: inout ViolationCollector
    ) -> UpdateOperation? {
        guard let object = Members(value, &collector) else { return nil }
        let form = object.required("op", &collector) { value, collector in
            value.expecting(
                Self.names.alternatives, value.string.flatMap(Self.form(named:)), &collector)
        }
        guard let form else { return nil }
        object.refuseMisspelt(among: KnownNames(["op"] + form.members.map(\.name)), &collector)
        var members = UpdateMembers(object, names)
        // Moved, so that its path is not copied.
        swap(&collector, &members.collector)
        defer { swap(&collector, &members.collector) }
        return form.read(&members)
    }
}
