/// Removes sections from all pages.
struct DeleteSections: UpdateForm {
    static let name = "deleteSections", changesPlaces = true
    static let members: [UpdateMember] = ["sections"]

    let sections: [UpdateTarget]

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        members.targets("sections").map { .deleteSections($0) }
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        var parts: Set<ScreenEditor.Part> = []
        for (index, target) in sections.enumerated() {
            let pointer = "/sections/\(index)"
            for part in try editor.parts(of: target, at: pointer) {
                guard parts.insert(part).inserted else {
                    throw EditFailure("The section is named twice.", at: pointer)
                }
            }
        }
        for part in parts.sorted().reversed() {
            if editor.record.isActing {
                try editor.require(.delete, of: editor.items(of: part), at: "/sections")
            }
            try editor.removeSection(part)
        }
    }
}
