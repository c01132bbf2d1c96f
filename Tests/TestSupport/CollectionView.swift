package import BroadsheetClient

/// A model of a collection view that holds a tree and applies changes documents.
///
/// It is written from docs/changes.md alone, over plain JSON values, and refuses whatever a
/// collection view of UIKit raises an exception on, and every entry that changes nothing.
package struct CollectionView {
    /// The reason why an update is refused.
    package struct Exception: Error, CustomStringConvertible {
        /// The rule that the update breaks.
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// The tree: its members, its sections without items, and the items of each section.
    private var members: [String: TreeValue]
    private var sections: [(head: [String: TreeValue], items: [[String: TreeValue]])] = []
    /// The number of items and sections that moved in the last update.
    package private(set) var moveCount = 0

    /// Creates a view of a tree.
    package init(_ tree: TreeValue) throws {
        members = try tree.object("the tree")
        for section in try members.take("sections").array("sections") {
            sections.append(try Self.section(section))
        }
    }

    private static func section(
        _ value: TreeValue
    ) throws -> (head: [String: TreeValue], items: [[String: TreeValue]]) {
        var head = try value.object("a section")
        head["index"] = nil
        let items = try head.take("items").array("items").map { try $0.object("an item") }
        return (head, items)
    }

    /// The tree as JSON.
    package var tree: TreeValue {
        var tree = members
        tree["sections"] = .array(
            sections.enumerated().map { index, section in
                var head = section.head
                head["index"] = .number(TreeNumber(index))
                head["items"] = .array(section.items.map { .object($0) })
                return .object(head)
            })
        return .object(tree)
    }

    /// Applies a changes document.
    package mutating func apply(_ changes: TreeValue) throws {
        var changes = try changes.object("the document")
        let reset = try changes.take("reset")
        let tree = try changes.take("tree")
        for name in ["screen", "from", "to"] { changes[name] = nil }
        if reset == .bool(true) {
            try require(changes.isEmpty, "a reset has \(changes.keys)")
            self = try CollectionView(tree)
            return
        }
        try require(reset == .bool(false), "reset is \(reset)")
        let stages = try changes.take("stages").array("stages")
        try require(stages.count <= 3, "there are \(stages.count) stages")
        moveCount = 0
        for stage in stages { try perform(stage.object("a stage")) }
        for section in try changes.take("sections").array("sections") { try update(section) }
        try place(changes.take("frames").array("frames"))
        try require(changes.isEmpty, "unknown members \(changes.keys)")
        try replaceMembers(tree.object("tree"))
    }

    private mutating func replaceMembers(_ new: [String: TreeValue]) throws {
        try require(new["sections"] == nil, "tree has sections")
        try require(
            new["diagnostics"] == nil || new["diagnostics"] != members["diagnostics"],
            "the diagnostics are the same")
        let diagnostics = members["diagnostics"]
        members = new
        if members["diagnostics"] == nil { members["diagnostics"] = diagnostics }
    }
}

/// A batch update.
extension CollectionView {
    private struct Place: Hashable {
        var section: Int
        var item: Int
    }

    /// The lists of a stage, each entry with its places.
    private struct Batch {
        var deletedSections: [Int] = []
        var insertedSections: [(Int, TreeValue)] = []
        var movedSections: [(from: Int, to: Int)] = []
        var deleted: [Place] = []
        var inserted: [(Place, TreeValue)] = []
        var moved: [(from: Place, to: Place)] = []
        var reloaded: [(Place, TreeValue)] = []
    }

    private func read(_ stage: [String: TreeValue]) throws -> Batch {
        var stage = stage
        try require(!stage.isEmpty, "an empty stage")
        for (name, list) in stage {
            try require(!(try list.array(name).isEmpty), "\(name) is empty")
        }
        func list(_ name: String) throws -> [TreeValue] {
            try stage.removeValue(forKey: name)?.array(name) ?? []
        }
        func place(_ value: TreeValue) throws -> Place {
            Place(section: try value.index("section"), item: try value.index("item"))
        }
        var batch = Batch()
        batch.deletedSections = try list("deleteSections").map { try $0.wholeNumber() }
        batch.insertedSections = try list("insertSections").map {
            (try $0.index("index"), try $0.member("value"))
        }
        batch.movedSections = try list("moveSections").map {
            (try $0.index("from"), try $0.index("to"))
        }
        batch.deleted = try list("deleteItems").map(place)
        batch.inserted = try list("insertItems").map { (try place($0), try $0.member("value")) }
        batch.moved = try list("moveItems").map {
            (try place($0.member("from")), try place($0.member("to")))
        }
        batch.reloaded = try list("reloadItems").map { (try place($0), try $0.member("value")) }
        try require(stage.isEmpty, "unknown lists \(stage.keys)")
        return batch
    }

    private mutating func perform(_ stage: [String: TreeValue]) throws {
        let batch = try read(stage)
        moveCount += batch.moved.count + batch.movedSections.count
        guard batch.reloaded.isEmpty else {
            try require(stage.count == 1, "reloads beside other changes")
            return try reload(batch.reloaded)
        }
        // Items and sections that leave their places, by the places before the update.
        let goneSections = batch.deletedSections + batch.movedSections.map(\.from)
        try require(Set(goneSections).count == goneSections.count, "a section leaves twice")
        for index in goneSections {
            try require(sections.indices ~= index, "no section \(index)")
        }
        let gone = batch.deleted + batch.moved.map(\.from)
        try require(Set(gone).count == gone.count, "an item leaves twice")
        for place in gone {
            try require(sections.indices ~= place.section, "no section \(place.section)")
            try require(
                sections[place.section].items.indices ~= place.item, "no item \(place)")
            try require(
                !goneSections.contains(place.section), "items leave section \(place.section)")
        }
        var lists = sections.enumerated().map { index, section in
            section.items.enumerated().filter { item, _ in
                !gone.contains(Place(section: index, item: item))
            }.map(\.element)
        }
        try rearrange(batch, goneSections, &lists)
    }

    private mutating func rearrange(
        _ batch: Batch, _ goneSections: [Int], _ lists: inout [[[String: TreeValue]]]
    ) throws {
        // Slots by the places after the update; those that nothing comes to keep their order.
        let count = sections.count - batch.deletedSections.count + batch.insertedSections.count
        var slots = [(head: [String: TreeValue], items: [[String: TreeValue]])?](
            repeating: nil, count: count)
        var isSettled = [Bool](repeating: false, count: count)
        for (from, to) in batch.movedSections {
            try require(slots.indices ~= to, "no place \(to) for a section")
            try require(slots[to] == nil, "two sections come to \(to)")
            slots[to] = (sections[from].head, lists[from])
            isSettled[to] = true
        }
        for (index, value) in batch.insertedSections {
            try require(slots.indices ~= index, "no place \(index) for a section")
            try require(slots[index] == nil, "two sections come to \(index)")
            try require(value["index"] == .number(TreeNumber(index)), "index of section \(index)")
            slots[index] = try Self.section(value)
            isSettled[index] = true
        }
        var rest = sections.indices.filter { !goneSections.contains($0) }[...]
        for index in slots.indices where slots[index] == nil {
            guard let next = rest.popFirst() else { throw Exception("no section for \(index)") }
            slots[index] = (sections[next].head, lists[next])
        }
        try require(rest.isEmpty, "sections are left over")
        var after = slots.compactMap { $0 }
        try bring(batch, isSettled, into: &after)
        sections = after
    }

    /// Puts items at their places after the update.
    private func bring(
        _ batch: Batch, _ isSettled: [Bool],
        into after: inout [(head: [String: TreeValue], items: [[String: TreeValue]])]
    ) throws {
        var coming: [Int: [Int: [String: TreeValue]]] = [:]
        for (place, value) in batch.inserted {
            try add(try value.object("an item"), at: place, isSettled, &coming)
        }
        for (from, to) in batch.moved {
            try add(sections[from.section].items[from.item], at: to, isSettled, &coming)
        }
        for (section, items) in coming {
            var list: [[String: TreeValue]] = []
            var rest = after[section].items[...]
            for index in 0..<(rest.count + items.count) {
                guard let item = items[index] ?? rest.popFirst() else {
                    throw Exception("no item for \(index) in section \(section)")
                }
                list.append(item)
            }
            try require(rest.isEmpty, "an item comes beyond the end of section \(section)")
            after[section].items = list
        }
    }

    private func add(
        _ item: [String: TreeValue], at place: Place, _ isSettled: [Bool],
        _ coming: inout [Int: [Int: [String: TreeValue]]]
    ) throws {
        try require(isSettled.indices ~= place.section, "no section \(place.section)")
        try require(!isSettled[place.section], "items come into section \(place.section)")
        let earlier = coming[place.section, default: [:]].updateValue(item, forKey: place.item)
        try require(earlier == nil, "two items come to \(place)")
    }

    private mutating func reload(_ reloads: [(Place, TreeValue)]) throws {
        try require(Set(reloads.map(\.0)).count == reloads.count, "an item is reloaded twice")
        for (place, value) in reloads {
            try require(sections.indices ~= place.section, "no section \(place.section)")
            try require(
                sections[place.section].items.indices ~= place.item, "no item \(place)")
            var (item, new) = (
                sections[place.section].items[place.item], try value.object("an item")
            )
            try require(item["id"] == new["id"], "a reload changes an id")
            sections[place.section].items[place.item] = new
            for name in ["frame", "separator"] {
                item[name] = nil
                new[name] = nil
            }
            try require(item != new, "a reload of \(place) changes nothing")
        }
    }
}

/// The differences after the batch updates.
extension CollectionView {
    private mutating func update(_ value: TreeValue) throws {
        var members = try value.object("an entry of sections")
        let index = try members.take("index").wholeNumber()
        try require(sections.indices ~= index, "no section \(index)")
        try require(!members.isEmpty, "nothing differs in section \(index)")
        for (name, value) in members {
            try require(!["items", "id"].contains(name), "\(name) of a section")
            let old = sections[index].head[name]
            try require(value == .null ? old != nil : old != value, "\(name) is the same")
            sections[index].head[name] = value == .null ? .none : value
        }
    }

    private mutating func place(_ runs: [TreeValue]) throws {
        var last = (section: -1, end: -1)
        for run in runs {
            let (section, start) = (try run.index("section"), try run.index("item"))
            let frames = try run.member("frames").array("frames")
            try require(!frames.isEmpty, "an empty run")
            try require(
                (section, start) > last, "a run is out of order, or continues the one before")
            last = (section, start + frames.count)
            try require(sections.indices ~= section, "no section \(section)")
            try require(
                start + frames.count <= sections[section].items.count, "a run beyond the items")
            let separators = try run["separators"].map { try $0.array("separators") }
            try require(separators.map { $0.count == frames.count } ?? true, "separators")
            var hasSeparator = false
            for (offset, frame) in frames.enumerated() {
                var item = sections[section].items[start + offset]
                let (old, oldSeparator) = (item["frame"], item["separator"])
                item["frame"] = try frame.frame()
                if let separator = separators?[offset] {
                    item["separator"] = separator == .null ? .none : try separator.frame()
                }
                hasSeparator = hasSeparator || oldSeparator != nil || item["separator"] != nil
                try require(
                    item["frame"] != old || item["separator"] != oldSeparator,
                    "a frame is the same")
                sections[section].items[start + offset] = item
            }
            try require(hasSeparator == (separators != nil), "separators without need, or missing")
        }
    }
}

private func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
    if !condition { throw CollectionView.Exception(reason()) }
}

extension TreeValue {
    fileprivate func object(_ what: String) throws -> [String: TreeValue] {
        guard case .object(let members) = self else {
            throw CollectionView.Exception("\(what) is not an object")
        }
        return members
    }

    fileprivate func array(_ what: String) throws -> [TreeValue] {
        guard case .array(let elements) = self else {
            throw CollectionView.Exception("\(what) is not an array")
        }
        return elements
    }

    fileprivate func wholeNumber() throws -> Int {
        guard let index = integer, index >= 0 else {
            throw CollectionView.Exception("\(self) is not an index")
        }
        return index
    }

    fileprivate func member(_ name: String) throws -> TreeValue {
        guard let value = try object("an entry")[name] else {
            throw CollectionView.Exception("\(name) is missing")
        }
        return value
    }

    fileprivate func index(_ name: String) throws -> Int { try member(name).wholeNumber() }

    fileprivate func frame() throws -> TreeValue {
        let numbers = try array("a frame")
        guard numbers.count == 4 else { throw CollectionView.Exception("a frame of \(numbers)") }
        return .object([
            "x": numbers[0], "y": numbers[1], "width": numbers[2], "height": numbers[3],
        ])
    }
}

extension [String: TreeValue] {
    fileprivate mutating func take(_ name: String) throws -> TreeValue {
        guard let value = removeValue(forKey: name) else {
            throw CollectionView.Exception("\(name) is missing")
        }
        return value
    }
}
