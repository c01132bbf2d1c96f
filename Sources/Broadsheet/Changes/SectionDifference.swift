/// The members of a section that differ, besides its items.
struct SectionDifference: Sendable {
    let index: Int
    /// The members that differ, in the order of a tree.
    let members: [SectionMember]

    /// Compares the members of a section as they are written.
    init(_ pair: SectionPair, from old: TreeWriter, to new: TreeWriter) {
        index = pair.new
        let before = SectionContents(of: old, at: pair.old, new.options)
        let after = SectionContents(of: new, at: pair.new, new.options)
        let candidates = SectionMember.allCases.filter {
            !after.isKnownToBeSame(as: before, in: $0)
        }
        guard !candidates.isEmpty else {
            members = []
            return
        }
        let (one, other) = (after.writer(of: new), before.writer(of: old))
        members = candidates.filter { !one.writesAlike(other, $0) }
    }
}

/// A section with its frames, before anything of it is written.
private struct SectionContents {
    let section: MergedSection
    let frames: SectionFrames
    let conditions: ContentConditions
    let options: TreeOptions
    /// The items of a window; `nil` in any other tree.
    let share: ScreenWindow.Share?

    init(of tree: TreeWriter, at index: Int, _ options: TreeOptions) {
        section = tree.screen.sections[index]
        frames = tree.frames.sections[index]
        conditions = tree.frames.conditions
        self.options = options
        share = tree.share(ofSection: index)
    }

    private var origin: Frame { options.origin(of: frames) }

    func writer(of tree: TreeWriter) -> SectionWriter {
        SectionWriter(
            section: section, frames: frames, conditions: tree.frames.conditions,
            options: options, pieces: tree.pieces, shown: ShownElements(allOf: frames),
            share: share)
    }

    /// Returns whether a member is known to be the same without being written.
    func isKnownToBeSame(as other: SectionContents, in member: SectionMember) -> Bool {
        switch member {
        case .firstItem: share?.firstItem == other.share?.firstItem
        case .itemCount: share?.itemCount == other.share?.itemCount
        case .frame: frames.frame == other.frames.frame
        case .collapsed: section.collapsed == other.section.collapsed
        case .header:
            origin == other.origin && frames.header == other.frames.header
                && frames.headerZIndex == other.frames.headerZIndex
                && frames.isHeaderPinned == other.frames.isHeaderPinned
                && frames.exactSizes.header == other.frames.exactSizes.header
                && conditions == other.conditions
                && MergedView.areSame(section.header, other.section.header)
        case .footer:
            origin == other.origin && frames.footer == other.frames.footer
                && frames.footerZIndex == other.frames.footerZIndex
                && frames.isFooterPinned == other.frames.isFooterPinned
                && frames.exactSizes.footer == other.frames.exactSizes.footer
                && conditions == other.conditions
                && MergedView.areSame(section.footer, other.section.footer)
        case .decorations:
            frames.decorations == other.frames.decorations
                && (frames.decorations.isEmpty || origin == other.origin)
        case .scroll: frames.scroll == other.frames.scroll
        case .paging: frames.paging == other.frames.paging
        case .data: !options.writesData || MergedData.areSame(section.data, other.section.data)
        }
    }
}

extension SectionWriter {
    /// Returns whether a member is written alike for two sections; absent members are.
    fileprivate func writesAlike(_ other: SectionWriter, _ member: SectionMember) -> Bool {
        let isPresent = has(member)
        guard isPresent == other.has(member) else { return false }
        guard isPresent else { return true }
        return written(member).withUnsafeBufferPointer { one in
            other.written(member).withUnsafeBufferPointer { two in
                DataEquality.areEqual(one, two)
            }
        }
    }

    /// Returns a member as it is written, as an object of its own.
    private func written(_ member: SectionMember) -> [UInt8] {
        var output = StructuredJSONWriter()
        output.object { write(member, to: &$0) }
        return output.bytes
    }
}

extension MergedView {
    /// Returns whether two views are of one page and have the same type and data, or both are
    /// absent.
    static func areSame(_ one: MergedView?, _ other: MergedView?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.page === other.page && one.info.kind == other.info.kind
            && one.info.dataRange == other.info.dataRange
    }
}
