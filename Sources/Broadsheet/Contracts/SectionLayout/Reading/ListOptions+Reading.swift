extension ListOptions {
    /// Reads the list members of a section's layout.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        appearance = members.choice("appearance", &collector)
        showsSeparators = members.bool("showsSeparators", &collector)
        headerMode = members.choice("headerMode", &collector)
        footerMode = members.choice("footerMode", &collector)
        headerTopPadding = members.length("headerTopPadding", &collector)
    }
}
