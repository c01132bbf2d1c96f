/// The parameters by which a client requests a screen (docs/api.md, "Parameters of every layout").
public struct ScreenQuery: Sendable, Hashable {
    /// The width of the viewport, in points.
    public var width: Double
    /// The height of the viewport, in points.
    public var height: Double
    /// The number of device pixels per point.
    public var scale: Double
    /// The reader's text size, the factor of fonts that scale.
    public var textScale = 1.0
    /// The edges of the viewport that the device covers, such as a notch; unknown if `nil`.
    public var safeArea: SafeArea?
    /// A Boolean value that indicates whether the device is read from right to left.
    public var isRightToLeft = false
    /// The platform and the version of the app, such as `ios/5.2`.
    public var client: String?
    /// The names of features, experiments and capabilities.
    public var flags: [String] = []
    /// The name of a catalog.
    public var catalog: String?
    /// The ids of sections to show without their items.
    public var collapsed: [String] = []
    /// The ids of sections to show with their items.
    public var expanded: [String] = []
    /// The window to show; `nil` to show the pages from the first one on.
    public var window: Window?

    /// Creates a query.
    public init(width: Double = 390, height: Double = 844, scale: Double = 3) {
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// The parameters that are not the daemon's defaults, in the order of the properties, without
    /// those of the window, which are in its entity tag.
    var parameters: [(name: String, value: String)] {
        let standard = ScreenQuery()
        let numbers = [
            ("width", width, standard.width), ("height", height, standard.height),
            ("scale", scale, standard.scale), ("textScale", textScale, standard.textScale),
        ]
        var all = numbers.compactMap { name, value, usual in
            value == usual ? nil : TreeNumber(value).map { (name, $0.text) }
        }
        if let safeArea { all.append(("safeArea", safeArea.text)) }
        if isRightToLeft { all.append(("direction", "rtl")) }
        // By default the frames of a window have other coordinates than those of other trees.
        if window != nil { all.append(("coordinates", "section")) }
        return all + audience + Self.list("collapsed", collapsed)
            + Self.list("expanded", expanded)
    }

    /// The parameters that say whose tree is meant.
    var audience: [(name: String, value: String)] {
        var all: [(String, String)] = []
        if let client { all.append(("client", client)) }
        if !flags.isEmpty { all.append(("flags", flags.joined(separator: ","))) }
        if let catalog { all.append(("catalog", catalog)) }
        return all
    }

    /// Returns a list of ids as a parameter; repeated if an id has a comma, because of several
    /// values none is divided.
    private static func list(_ name: String, _ ids: [String]) -> [(String, String)] {
        guard ids.contains(where: { $0.contains(",") }) else {
            return ids.isEmpty ? [] : [(name, ids.joined(separator: ","))]
        }
        return (ids.count == 1 ? ids + ids : ids).map { (name, $0) }
    }
}

/// The lengths that a device covers at each edge of the viewport, in points (docs/layout.md, G9).
public struct SafeArea: Sendable, Hashable {
    /// The length at the top.
    public var top: Double
    /// The length at the left.
    public var left: Double
    /// The length at the bottom.
    public var bottom: Double
    /// The length at the right.
    public var right: Double

    /// Creates a safe area.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }

    /// The value of the parameter; a length that is not finite counts as 0.
    fileprivate var text: String {
        [top, left, bottom, right].map { TreeNumber($0)?.text ?? "0" }.joined(separator: ",")
    }
}

extension ClientRequest {
    init(
        _ method: String, ofScreen screen: String, _ path: String,
        _ parameters: [(name: String, value: String)], headers: [String: String] = [:],
        body: [UInt8]? = nil
    ) {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }
            .joined(separator: "&")
        self.init(
            method,
            "/v1/screens/\(screen.percentEncoded)/\(path)" + (query.isEmpty ? "" : "?\(query)"),
            headers: headers, body: body)
    }
}

extension String {
    /// The text with every byte escaped that is not unreserved (RFC 3986 §2.3).
    fileprivate var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ScreenQuery {
    /// The part of a screen around an item (docs/api.md, "Windows").
    public struct Window: Sendable, Hashable {
        /// The item by which a window is placed.
        public enum Anchor: Sendable, Hashable {
            /// The first item with an id; those of the section with an id come before all others.
            case item(String, section: String? = nil)
            /// The first item of the section with an id.
            case section(String)
            /// The first item of the screen.
            case start
            /// The last item of the screen.
            case end
        }

        /// The anchor when the window is opened.
        public var anchor: Anchor
        /// The length before the anchor's start, in points; `nil` for twice the viewport's length.
        public var before: Double?
        /// The length after the anchor's end, in points; `nil` for twice the viewport's length.
        public var after: Double?

        /// Creates a window around an anchor.
        public init(around anchor: Anchor, before: Double? = nil, after: Double? = nil) {
            self.anchor = anchor
            self.before = before
            self.after = after
        }

        /// The parameters that open the window, without lengths that are not finite.
        var parameters: [(name: String, value: String)] {
            var all = anchor.parameters
            for (name, length) in [("before", before), ("after", after)] {
                if let length, let number = TreeNumber(length) { all.append((name, number.text)) }
            }
            return all
        }
    }
}

extension ScreenQuery.Window.Anchor {
    fileprivate var parameters: [(name: String, value: String)] {
        switch self {
        case .item(let id, section: let section?): [("item", id), ("section", section)]
        case .item(let id, section: nil): [("item", id)]
        case .section(let id): [("section", id)]
        case .start: [("edge", "start")]
        case .end: [("edge", "end")]
        }
    }
}
