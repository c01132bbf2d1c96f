/// The parameters of a layout besides its pages (docs/api.md, "Parameters of every layout").
public struct LayoutParameters: Sendable, Hashable {
    /// The viewport of the layout; 390 by 844 points at scale 3, left to right, by default.
    public var viewport: Viewport
    /// The rounding of frames to device pixels.
    public var rounding: Rounding
    /// The identifiers of sections to collapse in addition to those that the pages collapse.
    public var collapsed: IdentifierList
    /// The identifiers of sections to show with their items although the pages collapse them;
    /// `collapsed` takes precedence.
    public var expanded: IdentifierList
    /// The options for writing the tree.
    public var options: TreeOptions
    /// A Boolean value that indicates whether the diagnostics include lint (docs/layout.md,
    /// "Lint").
    public var lint: Bool
    /// The app that the layout is for; `nil` for the newest there could be.
    public var client: Client?
    /// The flags of the request: features, experiments and capabilities.
    public var flags: IdentifierList = []

    /// The scales that requests and commands accept, in device pixels per point.
    package static let scales = 0.5...8.0
    package static let textScales = 0.5...4.0
    /// The lengths of the sides of safe areas that requests and commands accept, in points.
    package static let safeAreaSides = 0.0...100_000.0

    /// Creates parameters; the defaults are those of the HTTP API.
    public init(
        viewport: Viewport = Viewport(), rounding: Rounding = .pixel,
        collapsed: IdentifierList = [], expanded: IdentifierList = [],
        options: TreeOptions = TreeOptions(), lint: Bool = false
    ) {
        self.viewport = viewport
        self.rounding = rounding
        self.collapsed = collapsed
        self.expanded = expanded
        self.options = options
        self.lint = lint
    }
}

extension Insets {
    package static let safeAreaForm = "top,left,bottom,right: four numbers from 0 to 100000"

    package init?(safeArea text: String) {
        let sides = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { JSONNumber.value(of: String($0)).flatMap(Self.side) }
        guard sides.count == 4, let top = sides[0], let left = sides[1], let bottom = sides[2],
            let right = sides[3]
        else { return nil }
        self.init(top: top, left: left, bottom: bottom, right: right)
    }

    /// Creates a safe area from a number for all sides, or an object of sides, of which absent ones
    /// are 0.
    package init?(safeArea value: JSONValue) {
        if let number = value.double {
            guard let all = Self.side(number) else { return nil }
            self.init(all)
            return
        }
        guard value.kind == .object else { return nil }
        func side(_ name: String) -> Double? {
            guard let side = value[name], !side.isNull else { return 0 }
            return side.double.flatMap(Self.side)
        }
        guard let top = side("top"), let left = side("left"), let bottom = side("bottom"),
            let right = side("right")
        else { return nil }
        self.init(top: top, left: left, bottom: bottom, right: right)
    }

    /// Returns the length of a side, if it is valid; 0 for -0.
    private static func side(_ length: Double) -> Double? {
        guard LayoutParameters.safeAreaSides.contains(length) else { return nil }
        return length == 0 ? 0 : length
    }
}

/// The content and the format of a tree (docs/api.md, "Parameters of every layout").
public struct TreeOptions: Hashable, Sendable {
    /// The coordinate system of the frames of headers, items, footers and decorations.
    public enum Coordinates: String, Hashable, Sendable, CaseIterable {
        /// Relative to the section's origin, as the frame of a subview is.
        case section
        /// Relative to the content's origin: every frame is absolute.
        case content
        /// Relative to the anchor of a window along the screen; in a whole tree as ``content``.
        case window

        /// The coordinate systems of every tree.
        public static let allCases: [Coordinates] = [.section, .content]
    }

    /// The members of each element.
    public enum Fields: String, Hashable, Sendable, CaseIterable {
        /// All members.
        case all
        /// All members except for the posted data.
        case frames
    }

    /// The coordinate system of frames.
    public var coordinates: Coordinates
    /// The members of each element.
    public var fields: Fields
    /// A Boolean value that indicates whether the origins of sections and elements are written.
    package var explain = false
    /// A Boolean value that indicates whether the tree is indented; posted data is copied
    /// unchanged.
    public var pretty: Bool

    /// Creates options; the defaults are those of the HTTP API.
    public init(
        coordinates: Coordinates = .section, fields: Fields = .all, pretty: Bool = false
    ) {
        self.coordinates = coordinates
        self.fields = fields
        self.pretty = pretty
    }

    var style: StructuredJSONWriter.Style { pretty ? .pretty : .compact }

    var writesData: Bool { fields == .all }

    /// Returns the frame whose origin is added to the frames of a section's elements
    /// (docs/layout.md, R5).
    func origin(of section: SectionFrames) -> Frame {
        coordinates == .section ? .zero : section.frame
    }
}

extension Audience {
    package init(_ parameters: LayoutParameters) {
        self.init(
            client: parameters.client, flags: Set(parameters.flags.texts),
            width: parameters.viewport.size.width)
    }

    /// The audience of a request without parameters, for which stored pages are resolved first.
    package static let standard = Audience(LayoutParameters())
}
