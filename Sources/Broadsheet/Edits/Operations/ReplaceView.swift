/// Replaces the data of the header or the footer of a section; JSON cannot name it.
///
/// It is that of the last part that has one, in which a view of its own takes precedence over those
/// of units.
struct ReplaceView: AppliedOperation {
    static let changesPlaces = false

    let section: UpdateTarget
    let view: UpdateOperation.View
    let data: JSONValue

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let role: PlacementRole = view == .header ? .header : .footer
        for part in try editor.parts(of: section).reversed()
        where editor.mayHave(view.rawValue, part) {
            let page = try editor.page(part.page)
            if let own = try editor.member([view.rawValue], of: part),
                let path = try page.analyze(own, ofSection: part.section).dataPath(of: role)
            {
                try page.touchView(role, ofSection: part.section, before: own)
                try page.edit(
                    editor.edited(data), at: [JSONPathStep(member: view.rawValue)] + path,
                    ofSection: part.section)
                return try page.readView(role, ofSection: part.section)
            }
            let units = page.sections[part.section].units
            if let unit = units.indices.last(where: { units[$0].makes(role) }) {
                let placement = units[unit].placements.lastIndex { $0.role == role && $0.isMade }
                let item = PageItem(
                    section: part.section, unit: unit, placement: placement ?? 0, element: 0)
                return try editor.setData(of: .init(page: part.page, item: item), to: data)
            }
        }
        throw EditFailure("The section has no \(view.rawValue).", at: "/section")
    }
}

extension EditedUnit {
    /// Returns the path from the posted unit to the data of the last header or footer that it
    /// makes; `nil` if it makes none of its data.
    fileprivate func dataPath(of role: PlacementRole) -> [JSONPathStep]? {
        placements.last { $0.role == role && $0.isMade }?.path.map { dataPath + $0 }
    }
}
