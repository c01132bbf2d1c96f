/// Collapses a section, or expands it.
struct ToggleSection: UpdateForm {
    static let name = "toggleSection", changesPlaces = false
    static let members: [UpdateMember] = [.section]

    let section: UpdateTarget

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        members.target().map { .toggleSection(section: $0) }
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let parts = try editor.parts(of: section)
        let isCollapsed = try editor.member(["collapsed"], of: parts)?.bytes == Array("true".utf8)
        guard let last = parts.last,
            let document = try? JSONDocument(Array((isCollapsed ? "false" : "true").utf8))
        else { return }
        try editor.page(last.page).setMember(
            ["collapsed"], ofSection: last.section, to: editor.edited(document.root))
    }
}
