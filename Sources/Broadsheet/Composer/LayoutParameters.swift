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
    /// The text scales that requests and commands accept.
    package static let textScales = 0.5...4.0

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

/// A set of identifiers, compared by their code points and sorted by their bytes.
///
/// Two lists of the same identifiers are equal regardless of the order that they were given in.
public struct IdentifierList: Sendable {
    /// The identifiers in the order of their UTF-8 bytes, each once.
    public let texts: [String]

    /// Creates a list of identifiers, removing repetitions.
    public init(_ texts: [String] = []) {
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.texts = sorted.reduce(into: []) { unique, text in
            if unique.last?.utf8.elementsEqual(text.utf8) != true { unique.append(text) }
        }
    }

    /// The length of the list in bytes of UTF-8, with a comma between each two identifiers.
    package var byteCount: Int {
        texts.reduce(0) { $0 + $1.utf8.count } + max(texts.count - 1, 0)
    }

    /// Returns the first identifier that another list has too, or `nil`.
    ///
    /// - Complexity: O(identifiers of both lists).
    package func firstCommon(with other: IdentifierList) -> String? {
        let known = Set(other.texts.map { Array($0.utf8) })
        return known.isEmpty ? nil : texts.first { known.contains(Array($0.utf8)) }
    }
}

extension IdentifierList: Hashable {
    /// Returns whether two lists have the same identifiers, code point by code point.
    public static func == (left: IdentifierList, right: IdentifierList) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes the bytes of every identifier.
    public func hash(into hasher: inout Hasher) {
        for text in texts { hasher.combine(Array(text.utf8)) }
    }
}

extension IdentifierList: ExpressibleByArrayLiteral {
    /// Creates a list of the identifiers of an array literal.
    public init(arrayLiteral elements: String...) { self.init(elements) }
}
