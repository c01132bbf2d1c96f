import Broadsheet

/// The parameters of a window (docs/api.md, "Windows").
struct WindowQuery: Sendable, Hashable {
    /// The anchor by its names.
    enum Anchor: Sendable, Hashable {
        /// The first item of that id: in the section of an id, if that is given, and else in any.
        case item(String, section: String?)
        /// The first item of the section of that id.
        case section(String)
        /// The first or the last item of the tree.
        case edge(Edge)
    }

    /// An end of the tree.
    enum Edge: String, Sendable, Hashable, CaseIterable {
        case start, end
    }

    var anchor: Anchor?
    /// The length before the anchor, in points; `nil` for the default.
    var before: Double?
    /// The length after the anchor, in points; `nil` for the default.
    var after: Double?

    /// The maximum length before and after the anchor, in points.
    static let maxLength = 100_000.0

    static let anchorNames = ["item", "section", "edge"]
    static let names = anchorNames + ["before", "after"]

    /// `nil` if the query has none of the parameters.
    init?(_ reader: ParameterReader) throws(Problem) {
        let item = try Self.identifier("item", reader)
        let section = try Self.identifier("section", reader)
        let edges = Edge.allCases.map(\.rawValue).joined(separator: " or ")
        let edge = try reader.read("edge", edges, Edge.init(rawValue:))
        before = try Self.length("before", reader)
        after = try Self.length("after", reader)
        if edge != nil, item != nil || section != nil {
            throw .invalidParameter("edge", "cannot be given together with item or section")
        }
        anchor =
            edge.map(Anchor.edge) ?? item.map { .item($0, section: section) }
            ?? section.map(Anchor.section)
        guard anchor != nil || before != nil || after != nil else { return nil }
    }

    private static func identifier(
        _ name: String, _ reader: ParameterReader
    ) throws(Problem) -> String? {
        try reader.read(name, "an id of at most \(ItemIdentity.maxByteCount) bytes") {
            $0.utf8.count <= ItemIdentity.maxByteCount ? $0 : nil
        }
    }

    private static func length(
        _ name: String, _ reader: ParameterReader
    ) throws(Problem) -> Double? {
        try reader.read(name, "a number from 0 to \(Int(maxLength))") { text in
            DecimalNumber(text).map(\.value).flatMap { (0...maxLength).contains($0) ? $0 : nil }
        }
    }
}

extension [String] {
    /// The texts as a list of alternatives.
    var listed: String { dropLast().joined(separator: ", ") + (last.map { " or \($0)" } ?? "") }
}

extension Problem {
    /// Creates the problem of a client that has a window which cannot be known, such as one of
    /// another store, in a request without an anchor.
    static func unknownWindow(_ name: String) -> Problem {
        .invalidParameter(
            name,
            "has the tag of a window that cannot be read: open the window again, by "
                + WindowQuery.anchorNames.listed)
    }
}

/// The window that a client wants.
struct WindowRequest: Sendable, Hashable {
    /// The anchor.
    enum Target: Sendable, Hashable {
        /// The item of those names, which the tree has to have.
        case named(WindowQuery.Anchor)
        /// The item of an identity, or the one that replaces it: of the tree of all pages at a
        /// revision, in which it was; `nil` for the null anchor.
        case known(ItemIdentity?, at: UInt64)
    }

    var target: Target
    /// The length before the anchor, in points; `nil` for the default.
    var before: Double?
    /// The length after the anchor, in points; `nil` for the default.
    var after: Double?

    /// The default of both lengths, in lengths of the viewport along the screen.
    static let defaultViewports = 2.0
}
