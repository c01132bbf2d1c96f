import BroadsheetClient

/// The windows of a tree of all pages, by linear search: written from docs/api.md alone.
///
/// Its frames are those of the tree in content coordinates, so they are exact where they have at
/// most three decimals.
struct WindowModel {
    /// The place of an item.
    struct Place: Hashable {
        var section: Int
        var item: Int
    }

    /// An item, as one tree after the other has it: all items have ids of their own.
    struct Identity: Hashable {
        let section: String?
        let item: String
    }

    private static let tolerance = 0.001

    /// The tree, in content coordinates.
    let whole: TreeValue
    /// A Boolean value that indicates whether the screen scrolls along x.
    var isHorizontal = false
    /// The coordinates of the windows.
    var coordinates = "window"

    private var sections: [TreeValue] { whole["sections"]?.elements ?? [] }

    private func items(of section: TreeValue) -> [TreeValue] { section["items"]?.elements ?? [] }

    /// The places of all items, in the order of the tree.
    var places: [Place] {
        sections.enumerated().flatMap { index, section in
            items(of: section).indices.map { Place(section: index, item: $0) }
        }
    }

    func identity(of place: Place) -> Identity {
        let section = sections[place.section]
        return Identity(
            section: section["id"]?.text, item: items(of: section)[place.item]["id"]?.text ?? "")
    }

    /// Returns the place of an item: in its section, or else in the first that has it.
    func place(of identity: Identity) -> Place? {
        let found = places.filter { self.identity(of: $0).item == identity.item }
        return found.first { self.identity(of: $0).section == identity.section } ?? found.first
    }

    /// Returns the item that stands for one that may be gone, of which `earlier` is the tree.
    func place(of identity: Identity, after earlier: WindowModel) -> Place? {
        if let place = place(of: identity) { return place }
        let all = earlier.places.map(earlier.identity)
        guard let index = all.firstIndex(of: identity) else { return nil }
        for other in Array(all[index...]) + all[..<index].reversed() {
            if let place = place(of: other) { return place }
        }
        return nil
    }

    private var isMirrored: Bool {
        isHorizontal && whole["viewport"]?["direction"]?.text == "rtl"
    }

    private func span(_ frame: TreeValue?) -> (start: Double, end: Double) {
        let low = frame?[isHorizontal ? "x" : "y"]?.number ?? 0
        let high = low + (frame?[isHorizontal ? "width" : "height"]?.number ?? 0)
        return isMirrored ? (-high, -low) : (low, high)
    }

    /// Returns the tree of the window around an item, without its tokens.
    func window(around place: Place?, before: Double, after: Double) -> TreeValue {
        let anchor = place.map { items(of: sections[$0.section])[$0.item]["frame"] }
        var strip = span(anchor ?? nil)
        if place == nil, isMirrored {
            let width = whole["contentSize"]?["width"]?.number ?? 0
            strip = (-width, -width)
        }
        strip = (strip.start - before, strip.end + after)
        let isIn = { (frame: TreeValue?) in
            let own = span(frame)
            return min(own.end, strip.end) - max(own.start, strip.start) > Self.tolerance
        }
        var shown = sections.indices.filter { isIn(sections[$0]["frame"]) }
        if let place { shown.append(place.section) }
        let origin = (anchor ?? nil)?[isHorizontal ? "x" : "y"]?.number ?? 0
        let range = (shown.min() ?? 0)..<(shown.max().map { $0 + 1 } ?? 0)
        var isLater = range.upperBound < sections.count
        var isEarlier = range.lowerBound > 0
        let written = range.map { index -> TreeValue in
            let section = sections[index]
            let all = items(of: section)
            var found = all.indices.filter { isIn(all[$0]["frame"]) }
            if let place, place.section == index { found.append(place.item) }
            if section["scroll"] != nil || section["paging"] != nil { found = Array(all.indices) }
            let first =
                found.min()
                ?? all.filter { span($0["frame"]).end - strip.start <= Self.tolerance }
                .count
            let end = found.max().map { $0 + 1 } ?? first
            if index == range.lowerBound, first > 0 { isEarlier = true }
            if index == range.upperBound - 1, end < all.count { isLater = true }
            var members = section.members ?? [:]
            members["index"] = .length(Double(index - range.lowerBound))
            members["firstItem"] = .length(Double(first))
            members["itemCount"] = .length(Double(all.count))
            members["items"] = .array(Array(all[first..<end]))
            return moved(.object(members), by: origin, section["frame"])
        }
        let section = place.flatMap { identity(of: $0).section }
        return tree(
            written,
            [
                "section": section.map(TreeValue.string) ?? .null,
                "item": place.map { TreeValue.string(identity(of: $0).item) } ?? .null,
                "origin": .length(origin), "firstSection": .length(Double(range.lowerBound)),
                "before": .length(before), "after": .length(after),
            ], isEarlier, isLater)
    }

    private func tree(
        _ sections: [TreeValue], _ window: [String: TreeValue], _ isEarlier: Bool, _ isLater: Bool
    ) -> TreeValue {
        var members = whole.members ?? [:]
        members["sections"] = .array(sections)
        members["diagnostics"] = .array([])
        members["window"] = .object(window)
        members["nextPageToken"] = nil
        members["hasNext"] = .bool(isLater || whole["hasNext"] == .bool(true))
        members["hasPrevious"] = .bool(isEarlier || whole["hasPrevious"] == .bool(true))
        return .object(members)
    }

    /// Returns a section with its frames in the coordinates of the window.
    private func moved(_ section: TreeValue, by origin: Double, _ frame: TreeValue?) -> TreeValue {
        var (x, y) = (0.0, 0.0)
        switch coordinates {
        case "window": (x, y) = isHorizontal ? (origin, 0) : (0, origin)
        case "section": (x, y) = (frame?["x"]?.number ?? 0, frame?["y"]?.number ?? 0)
        default: break
        }
        guard case .object(var members) = section.moved(byX: -x, y: -y) else { return section }
        if coordinates == "section" { members["frame"] = frame }
        // The numbers of scrollers, carousels and data are no frames of the tree.
        for name in ["scroll", "paging", "data"] { members[name] = section[name] }
        return .object(members)
    }
}

extension TreeValue {
    /// Returns a number of points, or a count.
    fileprivate static func length(_ length: Double) -> TreeValue {
        .number(TreeNumber(length: length))
    }

    /// The tree of a window without its tokens, as the model has it.
    var withoutTokens: TreeValue {
        var members = members ?? [:]
        members["nextPageToken"] = nil
        members["previousPageToken"] = nil
        return .object(members)
    }

    /// Returns the value with all members `frame` and `separator` moved.
    fileprivate func moved(byX x: Double, y: Double) -> TreeValue {
        switch self {
        case .array(let elements): return .array(elements.map { $0.moved(byX: x, y: y) })
        case .object(var members):
            // Parts are in the coordinates of their items, and stay as they are.
            for (name, value) in members where name != "data" && name != "parts" {
                let isFrame = name == "frame" || name == "separator"
                members[name] = isFrame ? value.translated(byX: x, y: y) : value.moved(byX: x, y: y)
            }
            return .object(members)
        case .null, .bool, .number, .string: return self
        }
    }

    private func translated(byX x: Double, y: Double) -> TreeValue {
        guard case .object(var members) = self, let left = members["x"]?.number,
            let top = members["y"]?.number
        else { return self }
        members["x"] = .length(left + x)
        members["y"] = .length(top + y)
        return .object(members)
    }
}
