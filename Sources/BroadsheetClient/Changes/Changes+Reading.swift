extension Changes {
    /// Reads a changes document from JSON.
    ///
    /// - Throws: The first byte that is not JSON, or that the JSON is not a changes document.
    public init(json: some Sequence<UInt8>) throws(TreeError) {
        guard let changes = Self(try TreeValue(json: json)) else {
            throw .shape("the JSON is not a changes document")
        }
        self = changes
    }
}

extension Changes: Decodable {
    /// Reads a changes document; `nil` if the value is not one.
    public init?(_ value: TreeValue) {
        guard let from = Version(value["from"]), let to = Version(value["to"]),
            let isReset = value["reset"]?.bool, let tree = value["tree"]
        else { return nil }
        self.init(screen: value["screen"]?.text, from: from, to: to, content: .update(.empty))
        if isReset {
            guard let tree = Tree(tree) else { return nil }
            content = .reset(tree)
        } else {
            guard let members = tree.members,
                let stages = value["stages"]?.list(Stage.init),
                let sections = value["sections"]?.list(SectionUpdate.init),
                let frames = value["frames"]?.list(FrameRun.init)
            else { return nil }
            content = .update(
                Update(members: members, stages: stages, sections: sections, frames: frames))
        }
    }

    /// Decodes a changes document.
    public init(from decoder: any Decoder) throws {
        guard let changes = Self(try TreeValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a changes document"))
        }
        self = changes
    }
}

extension Changes.Update {
    fileprivate static let empty = Self(members: [:])
}

extension Changes.Version {
    fileprivate init?(_ value: TreeValue?) {
        guard let value, value.members != nil else { return nil }
        self.init(
            revision: value["revision"]?.integer(UInt64.self),
            page: value["page"]?.integer, tag: value["tag"]?.text)
    }
}

extension Changes.Stage {
    fileprivate init?(_ value: TreeValue) {
        self.init()
        guard let deletedSections = value.list("deleteSections", \.integer),
            let insertedSections = value.list("insertSections", Self.sectionInsertion),
            let movedSections = value.list("moveSections", Self.sectionMove),
            let deleted = value.list("deleteItems", Changes.ItemPlace.init),
            let inserted = value.list("insertItems", Self.itemInsertion),
            let moved = value.list("moveItems", Self.itemMove),
            let reloaded = value.list("reloadItems", Self.itemInsertion)
        else { return nil }
        deleteSections = deletedSections
        insertSections = insertedSections
        moveSections = movedSections
        deleteItems = deleted
        insertItems = inserted
        moveItems = moved
        reloadItems = reloaded
    }

    private static func sectionInsertion(
        _ value: TreeValue
    ) -> Changes.Insertion<Int, TreeSection>? {
        guard let index = value["index"]?.integer,
            let section = value["value"].flatMap(TreeSection.init)
        else { return nil }
        return .init(place: index, value: section)
    }

    private static func sectionMove(_ value: TreeValue) -> Changes.Move<Int>? {
        guard let from = value["from"]?.integer, let to = value["to"]?.integer else { return nil }
        return .init(from: from, to: to)
    }

    private static func itemInsertion(
        _ value: TreeValue
    ) -> Changes.Insertion<Changes.ItemPlace, TreeItem>? {
        guard let place = Changes.ItemPlace(value), let item = value["value"].flatMap(TreeItem.init)
        else { return nil }
        return .init(place: place, value: item)
    }

    private static func itemMove(_ value: TreeValue) -> Changes.Move<Changes.ItemPlace>? {
        guard let from = value["from"].flatMap(Changes.ItemPlace.init),
            let to = value["to"].flatMap(Changes.ItemPlace.init)
        else { return nil }
        return .init(from: from, to: to)
    }
}

extension Changes.ItemPlace {
    fileprivate init?(_ value: TreeValue) {
        guard let section = value["section"]?.integer, let item = value["item"]?.integer else {
            return nil
        }
        self.init(section: section, item: item)
    }
}

extension Changes.SectionUpdate {
    fileprivate init?(_ value: TreeValue) {
        guard var members = value.members,
            let index = members.removeValue(forKey: "index")?.integer
        else { return nil }
        self.init(index: index, members: members)
    }
}

extension Changes.FrameRun {
    fileprivate init?(_ value: TreeValue) {
        guard let place = Changes.ItemPlace(value),
            let frames = value["frames"]?.list(TreeFrame.init(list:))
        else { return nil }
        self.init(place: place, frames: frames)
        guard let list = value["separators"]?.elements else { return }
        guard list.count == frames.count else { return nil }
        var separators: [TreeFrame?] = []
        for separator in list {
            let frame = TreeFrame(list: separator)
            guard frame != nil || separator == .null else { return nil }
            separators.append(frame)
        }
        self.separators = separators
    }
}

extension TreeValue {
    /// Reads the elements of an array; `nil` if it is not an array, or one cannot be read.
    fileprivate func list<Element>(_ read: (TreeValue) -> Element?) -> [Element]? {
        guard let elements else { return nil }
        var list: [Element] = []
        list.reserveCapacity(elements.count)
        for element in elements {
            guard let element = read(element) else { return nil }
            list.append(element)
        }
        return list
    }

    /// Reads the elements of a member, none if it is absent; `nil` if it cannot be read.
    fileprivate func list<Element>(
        _ name: String, _ read: (TreeValue) -> Element?
    ) -> [Element]? {
        guard members != nil else { return nil }
        guard let member = self[name] else { return [] }
        return member.list(read)
    }
}
