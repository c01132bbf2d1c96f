extension ScreenLayout {
    /// Reads a catalog's `screen` (docs/layout.md, J).
    init(_ members: Members, _ collector: inout ViolationCollector) {
        direction = Axis(members, &collector)
        itemSize = members.object("itemSize", &collector) { size, collector in
            Size(
                width: size.length("width", &collector) ?? Self.defaultItemLength,
                height: size.length("height", &collector) ?? Self.defaultItemLength)
        }
        inset = members.insets("inset", &collector)
        minimumLineSpacing = members.length("minimumLineSpacing", &collector)
        minimumInteritemSpacing = members.length("minimumInteritemSpacing", &collector)
        interSectionSpacing = members.length("interSectionSpacing", &collector)
        pinHeaders = members.bool("pinHeaders", &collector)
        pinFooters = members.bool("pinFooters", &collector)
    }

    /// What an item measures on an axis that nobody speaks of, in points (rule F1).
    private static let defaultItemLength: Double = 50
}
