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
        let moved = [parts[0]] + parts.dropFirst().prefix { $0 < position }
        var removed: [(element: EditedArray.Element, section: EditedSection, page: Int)] = []
        for part in moved.reversed() {
            let (element, section) = try editor.removeSection(part)
            removed.append((element, section, part.page))
            position = position.without(part)
        }
        for part in removed.reversed() {
            try editor.insertSection(part.element, part.section, at: position, from: part.page)
            position = position.next
        }
    }
}
