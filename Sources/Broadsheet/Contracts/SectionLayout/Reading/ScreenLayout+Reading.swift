extension ScreenLayout {
    /// Reads a catalog's `screen` (docs/layout.md, J).
    init(_ members: Members, _ findings: inout Findings) {
        direction = Axis(members, &findings)
        itemSize = members.object("itemSize", &findings) { size, findings in
            Size(
                width: size.length("width", &findings) ?? Self.defaultItemLength,
                height: size.length("height", &findings) ?? Self.defaultItemLength)
        }
        inset = members.insets("inset", &findings)
        minimumLineSpacing = members.length("minimumLineSpacing", &findings)
        minimumInteritemSpacing = members.length("minimumInteritemSpacing", &findings)
        interSectionSpacing = members.length("interSectionSpacing", &findings)
        pinHeaders = members.bool("pinHeaders", &findings)
        pinFooters = members.bool("pinFooters", &findings)
    }

    /// What an item measures on an axis that nobody speaks of, in points (rule F1).
    private static let defaultItemLength: Double = 50
}
