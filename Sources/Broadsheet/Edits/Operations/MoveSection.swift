/// Moves the first part of a section, and all its parts before the new place, there.
struct MoveSection: UpdateForm {
    static let name = "moveSection", changesPlaces = true
    static let members: [UpdateMember] = [.section] + UpdateMember.place

    let section: UpdateTarget
    let place: UpdatePlace

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let section = members.target()
        guard let place = members.place(), let section else { return nil }
        return .moveSection(section: section, place)
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let parts = try editor.parts(of: section)
        var position = try editor.sectionPosition(place, moving: parts)
        let moved = [parts[0]] + parts.dropFirst().filter { $0 < position }
        var removed: [(element: EditedArray.Element, section: EditedSection)] = []
        for part in moved.reversed() {
            removed.append(try editor.page(part.page).removeSection(part.section))
            position = position.without(part)
        }
        let page = try editor.page(position.page)
        for (index, part) in removed.reversed().enumerated() {
            try page.insert(part.element, part.section, at: position.section + index)
        }
        editor.sectionsChanged()
    }
}
