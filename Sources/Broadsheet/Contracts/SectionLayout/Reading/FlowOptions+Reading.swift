import BroadsheetClient

extension FlowOptions {
    /// Reads the flow members of a section's layout.
    init(_ members: Members, _ findings: inout Findings) {
        inset = members.insets("inset", &findings)
        minimumLineSpacing = members.length("minimumLineSpacing", &findings)
        minimumInteritemSpacing = members.length("minimumInteritemSpacing", &findings)
        gridColumnCount = members.integer("gridColumnCount", &findings)
        paging = members.object("paging", &findings, PagingOptions.init)
    }
}
