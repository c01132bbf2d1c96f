extension ListOptions {
    /// Reads the list members of a section's layout.
    init(_ members: Members, _ findings: inout Findings) {
        appearance = members.choice("appearance", &findings)
        showsSeparators = members.bool("showsSeparators", &findings)
        headerMode = members.choice("headerMode", &findings)
        footerMode = members.choice("footerMode", &findings)
        headerTopPadding = members.length("headerTopPadding", &findings)
    }
}
