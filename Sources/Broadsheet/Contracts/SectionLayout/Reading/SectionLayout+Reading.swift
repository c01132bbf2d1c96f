extension SectionLayout {
    /// Reads a section's `layout` (docs/layout.md, J); what does not fit goes to `collector`.
    ///
    /// Members of every kind are read whatever `kind` says, since another page may say it.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        kind = members.choice("kind", &collector)
        flow = FlowOptions(members, &collector)
        compositional = CompositionalOptions(members, &collector)
        list = ListOptions(members, &collector)
        decoration = members.object("decoration", &collector, DecorationOptions.init)
        pinHeader = members.bool("pinHeader", &collector)
        pinFooter = members.bool("pinFooter", &collector)
    }
}
