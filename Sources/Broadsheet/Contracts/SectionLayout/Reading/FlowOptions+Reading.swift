import BroadsheetClient

extension FlowOptions {
    /// Reads the flow members of a section's layout.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        inset = members.insets("inset", &collector)
        minimumLineSpacing = members.length("minimumLineSpacing", &collector)
        minimumInteritemSpacing = members.length("minimumInteritemSpacing", &collector)
        gridColumnCount = members.integer("gridColumnCount", &collector)
        paging = members.object("paging", &collector, PagingOptions.init)
    }
}
