/// Appends sections to the last page; a known id takes on the items.
struct ExtendSections: UpdateForm {
    static let name = "extendSections", changesPlaces = true
    static let members: [UpdateMember] = ["sections"]

    let sections: [JSONValue]

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        members.sections().map { .extendSections($0) }
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        var position = try editor.sectionPosition(.end)
        for value in sections {
            try editor.insertSection(
                EditedArray.Element(value: editor.edited(value)), try editor.analyze(value),
                at: position)
            position = position.next
        }
    }
}
