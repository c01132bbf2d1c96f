public import BroadsheetClient

/// An operation on the sections and items of a screen (docs/edits.md, "Updates").
///
/// All indexes in an operation mean the state before it.
public enum UpdateOperation: Sendable {
    /// The values that are inserted beside an item.
    public enum Content: Sendable {
        /// Units of the contract.
        case units([JSONValue])
        /// Elements of the array that the neighbour is an element of.
        case data([JSONValue])
    }

    /// The items of a section that an operation is about.
    public enum Items: Sendable, Hashable {
        /// These items.
        case some([UpdateTarget])
        /// All items.
        case all
    }

    /// A view of a section beside its items.
    public typealias View = SectionView

    /// Inserts items.
    case insertItems(section: UpdateTarget, Content, UpdatePlace)
    /// Replaces the items of the ids of these elements, and appends the others.
    case upsertItems(section: UpdateTarget, unitType: String, data: [JSONValue])
    /// Replaces the data of an item.
    case replaceItem(section: UpdateTarget, item: UpdateTarget, data: JSONValue)
    /// Applies a merge patch (RFC 7396) to the data of an item.
    case patchItem(section: UpdateTarget, item: UpdateTarget, patch: JSONValue)
    /// Removes items.
    case deleteItems(section: UpdateTarget, Items)
    /// Moves items, which end up side by side in this order.
    case moveItems(
        section: UpdateTarget, items: [UpdateTarget], toSection: UpdateTarget?, UpdatePlace)
    /// Inserts sections with new ids.
    case insertSections([JSONValue], UpdatePlace)
    /// Replaces the parts of the section of the same id by this section, in their place or at
    /// another one; inserts it if there are none, by default at the end.
    case replaceSection(JSONValue, UpdatePlace?)
    /// Appends sections to the last page.
    case extendSections([JSONValue])
    /// Removes sections from all pages.
    case deleteSections([UpdateTarget])
    /// Moves a section.
    case moveSection(section: UpdateTarget, UpdatePlace)
    /// Applies a merge patch to the section's members other than its units.
    case patchSection(section: UpdateTarget, patch: JSONValue)
    /// Replaces the data of the header or the footer that a section has.
    case replaceView(section: UpdateTarget, View, data: JSONValue)
    /// Collapses a section, or expands it.
    case toggleSection(section: UpdateTarget)
}

extension UpdateForms {
    /// All forms, in the order in which messages and documents list them.
    static let all: [any UpdateForm.Type] = [
        InsertItems.self, UpsertItems.self, ReplaceItem.self, PatchItem.self, DeleteItems.self,
        MoveItems.self, InsertSections.self, ReplaceSection.self, ExtendSections.self,
        DeleteSections.self, MoveSection.self, PatchSection.self, ToggleSection.self,
    ]
}

extension UpdateOperation {
    var form: any AppliedOperation {
        switch self {
        case .insertItems(let section, let content, let place):
            InsertItems(section: section, content: content, place: place)
        case .upsertItems(let section, let unitType, let data):
            UpsertItems(section: section, unitType: unitType, data: data)
        case .replaceItem(let section, let item, let data):
            ReplaceItem(section: section, item: item, data: data)
        case .patchItem(let section, let item, let patch):
            PatchItem(section: section, item: item, patch: patch)
        case .deleteItems(let section, let items): DeleteItems(section: section, items: items)
        case .moveItems(let section, let items, let toSection, let place):
            MoveItems(section: section, items: items, toSection: toSection, place: place)
        case .insertSections(let sections, let place):
            InsertSections(sections: sections, place: place)
        case .replaceSection(let section, let place):
            ReplaceSection(section: section, place: place)
        case .extendSections(let sections): ExtendSections(sections: sections)
        case .deleteSections(let sections): DeleteSections(sections: sections)
        case .moveSection(let section, let place): MoveSection(section: section, place: place)
        case .patchSection(let section, let patch): PatchSection(section: section, patch: patch)
        case .replaceView(let section, let view, let data):
            ReplaceView(section: section, view: view, data: data)
        case .toggleSection(let section): ToggleSection(section: section)
        }
    }

    package var name: String {
        // The views of a section are replaced by the form of items.
        (type(of: form) as? any UpdateForm.Type)?.name ?? ReplaceItem.name
    }

    var changesPlaces: Bool { type(of: form).changesPlaces }
}
