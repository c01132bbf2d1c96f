/// Replaces the data of an item.
struct ReplaceItem: UpdateForm {
    static let name = "replaceItem", changesPlaces = false
    static let members: [UpdateMember] = [.section, .item, "data"]

    let section: UpdateTarget
    let item: UpdateTarget
    let data: JSONValue

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let (section, item) = (members.target(), members.target("item"))
        let data = members.required("data") { value, collector in
            value.expecting("a value", value.isNull ? nil : value, &collector)
        }
        guard let section, let item, let data else { return nil }
        return .replaceItem(section: section, item: item, data: data)
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        try editor.setData(of: editor.item(item, ofSection: section), to: data)
    }
}
