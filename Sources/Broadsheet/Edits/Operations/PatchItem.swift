/// Applies a merge patch (RFC 7396) to the data of an item.
struct PatchItem: UpdateForm {
    static let name = "patchItem", changesPlaces = false
    static let members: [UpdateMember] = [.section, .item, "patch"]

    let section: UpdateTarget
    let item: UpdateTarget
    let patch: JSONValue

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let (section, item) = (members.target(), members.target("item"))
        let patch = members.required("patch") { Members($0, &$1)?.object }
        guard let section, let item, let patch else { return nil }
        return .patchItem(section: section, item: item, patch: patch)
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let item = try editor.item(item, ofSection: section)
        let source = editor.source(of: patch)
        try editor.page(item.page).edit(item.item, by: patch) { item throws(EditFailure) in
            try editor.change(&item) { $0.merge(source, patch.node) }
        }
    }
}
