/// The changes from one tree to another: the sections and items to insert, delete, move, reload
/// and place again (docs/changes.md).
public struct Changes: Sendable, Hashable {
    /// The tree that the changes lead from or to.
    public struct Version: Sendable, Hashable {
        /// The revision; `nil` for pages that are not stored.
        public var revision: UInt64?
        /// The highest page; `nil` if the daemon does not know the tree.
        public var page: Int?
        /// The entity tag of the tree, without quotes; only of the tree that the changes lead to.
        public var tag: String?

        /// Creates a version.
        public init(revision: UInt64? = nil, page: Int? = nil, tag: String? = nil) {
            self.revision = revision
            self.page = page
            self.tag = tag
        }
    }

    /// The whole new tree, or the changes that make it of the earlier one.
    public enum Content: Sendable, Hashable {
        /// A whole tree, which replaces the one that the client has.
        case reset(Tree)
        /// The changes of the tree that the client has.
        case update(Update)
    }

    /// The name of the screen; `nil` for pages that are not stored.
    public var screen: String?
    /// The tree that the client has.
    public var from: Version
    /// The tree that the client then has.
    public var to: Version
    /// The changes, or the whole tree.
    public var content: Content

    /// Creates changes.
    public init(screen: String? = nil, from: Version, to: Version, content: Content) {
        self.screen = screen
        self.from = from
        self.to = to
        self.content = content
    }
}

extension Changes {
    /// The changes of a tree, in the order in which a client applies them.
    public struct Update: Sendable, Hashable {
        /// The members of the tree before its sections, all of them, and `diagnostics` if they
        /// differ.
        public var members: [String: TreeValue]
        /// The stages, at most three.
        public var stages: [Stage]
        /// The members of sections that differ after the stages.
        public var sections: [SectionUpdate]
        /// The frames that differ after the stages.
        public var frames: [FrameRun]

        /// Creates the changes of a tree.
        public init(
            members: [String: TreeValue], stages: [Stage] = [], sections: [SectionUpdate] = [],
            frames: [FrameRun] = []
        ) {
            self.members = members
            self.stages = stages
            self.sections = sections
            self.frames = frames
        }
    }

    /// The changes of one batch update of a collection view.
    ///
    /// Places of deletions, reloads and `from` are those before the stage; places of insertions and
    /// `to` are those after it.
    public struct Stage: Sendable, Hashable {
        /// The sections to delete.
        public var deleteSections: [Int] = []
        /// The sections to insert.
        public var insertSections: [Insertion<Int, TreeSection>] = []
        /// The sections to move.
        public var moveSections: [Move<Int>] = []
        /// The items to delete.
        public var deleteItems: [ItemPlace] = []
        /// The items to insert.
        public var insertItems: [Insertion<ItemPlace, TreeItem>] = []
        /// The items to move, within a section or from one to another.
        public var moveItems: [Move<ItemPlace>] = []
        /// The items to reload.
        public var reloadItems: [Insertion<ItemPlace, TreeItem>] = []

        /// Creates an empty stage.
        public init() {}
    }

    /// The place of an item: its section and its index there.
    public struct ItemPlace: Sendable, Hashable {
        /// The index of the section.
        public var section: Int
        /// The index of the item in its section.
        public var item: Int

        /// Creates a place.
        public init(section: Int, item: Int) {
            self.section = section
            self.item = item
        }
    }

    /// A new value at a place.
    public struct Insertion<Place: Sendable & Hashable, Value: Sendable & Hashable>: Sendable,
        Hashable
    {
        /// The place.
        public var place: Place
        /// The value.
        public var value: Value

        /// Creates an insertion.
        public init(place: Place, value: Value) {
            self.place = place
            self.value = value
        }
    }

    /// A move from one place to another.
    public struct Move<Place: Sendable & Hashable>: Sendable, Hashable {
        /// The place before the stage.
        public var from: Place
        /// The place after the stage.
        public var to: Place

        /// Creates a move.
        public init(from: Place, to: Place) {
            self.from = from
            self.to = to
        }
    }

    /// The members of a section that differ.
    public struct SectionUpdate: Sendable, Hashable {
        /// The index of the section.
        public var index: Int
        /// The members by name; `.null` takes a member away.
        public var members: [String: TreeValue]

        /// Creates an update.
        public init(index: Int, members: [String: TreeValue]) {
            self.index = index
            self.members = members
        }
    }

    /// The frames of consecutive items of a section.
    public struct FrameRun: Sendable, Hashable {
        /// The place of the first item.
        public var place: ItemPlace
        /// The frame of each item.
        public var frames: [TreeFrame]
        /// The separator of each item; `nil` if no item of the run has or had one.
        public var separators: [TreeFrame?]?

        /// Creates a run.
        public init(place: ItemPlace, frames: [TreeFrame], separators: [TreeFrame?]? = nil) {
            self.place = place
            self.frames = frames
            self.separators = separators
        }
    }
}
