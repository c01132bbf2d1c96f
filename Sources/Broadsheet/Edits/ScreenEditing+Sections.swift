// MARK: - Sections

extension ScreenEditing {
    /// Appends a section with a new id, or without one, to the last page.
    public mutating func appendSection(
        _ section: any ServerStateSectionRepresentable
    ) throws(EditError) { try insert([section], .end) }

    /// Appends sections with new ids, or without ids, to the last page.
    public mutating func appendSections(
        contentsOf sections: [any ServerStateSectionRepresentable]
    ) throws(EditError) { try insert(sections, .end) }

    /// Inserts a section at an index; at the number of sections is the end.
    public mutating func insertSection(
        _ section: any ServerStateSectionRepresentable, at index: Int
    ) throws(EditError) { try insert([section], .before(.index(index))) }

    private mutating func insert(
        _ sections: [any ServerStateSectionRepresentable], _ place: UpdatePlace
    ) throws(EditError) {
        try edit { names throws(ModelError) in
            let encoded = sections.map { EncodedSection(section: $0, names: names) }
            return [.insertSections(Array(try ModelCoding.value(of: encoded).elements), place)]
        }
    }

    /// Replaces the section with the same id in its place, or appends the section to the last page.
    public mutating func replaceSection(
        _ section: any ServerStateSectionRepresentable
    ) throws(EditError) {
        try edit { names throws(ModelError) in
            let encoded = EncodedSection(section: section, names: names)
            return [.replaceSection(try ModelCoding.value(of: encoded), nil)]
        }
    }

    /// Removes a section from all pages.
    public mutating func deleteSection(at index: Int) throws(EditError) {
        try edit { _ in [.deleteSections([.index(index)])] }
    }

    /// Removes the section with an id from all pages.
    public mutating func deleteSection(firstSectionIdentifier id: String) throws(EditError) {
        try edit { _ in [.deleteSections([.id(id)])] }
    }

    /// Moves a section to the index that it then has.
    public mutating func moveSection(at index: Int, to destination: Int) throws(EditError) {
        let (section, other) = (UpdateTarget.index(index), UpdateTarget.index(destination))
        try edit { _ in
            // An empty insertion changes nothing, and fails where there is no such section.
            if index == destination { return [.insertSections([], .after(section))] }
            return [
                .moveSection(
                    section: section, index < destination ? .after(other) : .before(other))
            ]
        }
    }

    /// Collapses a section, or expands it.
    public mutating func toggleSection(_ index: Int) throws(EditError) {
        try edit { _ in [.toggleSection(section: .index(index))] }
    }

    /// Collapses the section with an id, or expands it.
    public mutating func toggleSection(firstSectionIdentifier id: String) throws(EditError) {
        try edit { _ in [.toggleSection(section: .id(id))] }
    }
}

// MARK: - Headers and footers

extension ScreenEditing {
    /// Replaces the data of a section's header, which it must have.
    public mutating func reconfigureHeader(
        _ data: some Encodable, at section: Int
    ) throws(EditError) { try reconfigure(.header, of: .index(section), with: data) }

    /// Replaces the data of the header of the section with an id, which it must have.
    public mutating func reconfigureHeader(
        _ data: some Encodable, firstSectionIdentifier id: String
    ) throws(EditError) { try reconfigure(.header, of: .id(id), with: data) }

    /// Replaces the data of a section's footer, which it must have.
    public mutating func reconfigureFooter(
        _ data: some Encodable, at section: Int
    ) throws(EditError) { try reconfigure(.footer, of: .index(section), with: data) }

    /// Replaces the data of the footer of the section with an id, which it must have.
    public mutating func reconfigureFooter(
        _ data: some Encodable, firstSectionIdentifier id: String
    ) throws(EditError) { try reconfigure(.footer, of: .id(id), with: data) }

    private mutating func reconfigure(
        _ view: UpdateOperation.View, of section: UpdateTarget, with data: some Encodable
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            [.replaceView(section: section, view, data: try ModelCoding.value(of: data))]
        }
    }
}
