/// Inserts sections with new ids.
struct InsertSections: UpdateForm {
    static let name = "insertSections", changesPlaces = true
    static let members: [UpdateMember] = ["sections"] + UpdateMember.place

    let sections: [JSONValue]
    let place: UpdatePlace

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let sections = members.sections()
        guard let place = members.place(), let sections else { return nil }
        return .insertSections(sections, place)
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        var position = try editor.sectionPosition(place)
        var names: Set<Identifier> = []
        for (index, value) in sections.enumerated() {
            let section = try editor.analyze(value)
            if let name = section.identifier {
                guard editor.parts(of: name).isEmpty, names.insert(name).inserted else {
                    throw EditFailure(
                        "The screen has a section with the id \"\(name.text)\" already.",
                        at: "/sections/\(index)/\(editor.registry.names.sectionId)")
                }
            }
            try editor.insertSection(
                EditedArray.Element(value: editor.edited(value)), section, at: position)
            position = position.next
        }
    }
}
