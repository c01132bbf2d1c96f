extension SectionLayout {
    /// Reads a section's `layout` (docs/layout.md, J); what does not fit goes to `findings`.
    ///
    /// Members of every kind are read whatever `kind` says, since another page may say it.
    init(_ members: Members, _ findings: inout Findings) {
        kind = members.choice("kind", &findings)
        flow = FlowOptions(members, &findings)
        compositional = CompositionalOptions(members, &findings)
        list = ListOptions(members, &findings)
        decoration = members.object("decoration", &findings, DecorationOptions.init)
        pinHeader = members.bool("pinHeader", &findings)
        pinFooter = members.bool("pinFooter", &findings)
    }
}
