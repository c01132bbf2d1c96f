/// Removes items.
struct DeleteItems: UpdateForm {
    static let name = "deleteItems", changesPlaces = true
    static let members: [UpdateMember] = [.section, .items, "all"]

    let section: UpdateTarget
    let items: UpdateOperation.Items

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let section = members.target()
        guard let items = items(&members), let section else { return nil }
        return .deleteItems(section: section, items)
    }

    private static func items(_ members: inout UpdateMembers) -> UpdateOperation.Items? {
        guard let name = members.either("items", "all") else { return nil }
        if name == "items" { return members.targets(name).map { .some($0) } }
        return members.required(name) { value, collector in
            value.expecting("true", value.bool == true ? .all : nil, &collector)
        }
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let parts = try editor.parts(of: section)
        var all: [ScreenEditor.Item] = []
        switch items {
        case .some(let targets): all = try editor.items(targets, of: parts)
        case .all:
            for part in parts where editor.itemCount(of: part) > 0 {
                all += try editor.items(of: part)
            }
        }
        try editor.require(.delete, of: all)
        _ = try editor.take(all)
    }
}
