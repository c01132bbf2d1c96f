import Broadsheet
import BroadsheetStores

/// A position in the pages of a screen, with the layout parameters (docs/api.md, "Page tokens").
struct PageToken: Sendable, Hashable {
    /// The last page that the client has received.
    var page: Int
    /// The layout parameters; `pretty`, `lint` and `explain` are not part of a token
    /// and are `false`.
    var parameters: LayoutParameters
    /// The name of the catalog; `nil` for the one without a name.
    var catalog: CatalogName?
    /// The revision of the screen that has the pages; `nil` for the current one.
    var revision: UInt64?

    init(
        after page: Int, _ parameters: LayoutParameters, catalog: CatalogName? = nil,
        revision: UInt64? = nil
    ) {
        self.page = page
        self.catalog = catalog
        self.revision = revision
        self.parameters = parameters
        self.parameters.options.pretty = false
        self.parameters.lint = false
        self.parameters.options.explain = false
    }

    /// Returns the token as text, which is valid only for the screen of that name.
    func sealed(by seal: TokenSeal, for screen: String) -> String {
        seal.seal(payload, as: .page, for: screen)
    }

    var payload: [UInt8] {
        var writer = TokenWriter()
        writer.count(page)
        writer.byte(packedOptions)
        if Self.listedScales[parameters.viewport.scale] == nil {
            writer.number(parameters.viewport.scale)
        }
        if parameters.viewport.textScale != 1 { writer.number(parameters.viewport.textScale) }
        writer.number(parameters.viewport.size.width)
        writer.number(parameters.viewport.size.height)
        writer.identifiers(parameters.collapsed)
        // Tokens without expanded sections have the form of the time before there were any.
        // The same holds for tokens without client and flags, for those without a catalog, for
        // those without a safe area, and for those of the current revision.
        let safeArea = parameters.viewport.safeArea
        let hasCatalog = catalog != nil || safeArea != nil || revision != nil
        let hasClient = parameters.haveClient || hasCatalog
        if !parameters.expanded.texts.isEmpty || hasClient {
            writer.identifiers(parameters.expanded)
        }
        if hasClient {
            writer.text(parameters.client?.description ?? "")
            writer.identifiers(parameters.flags)
        }
        if hasCatalog { writer.text(catalog?.text ?? "") }
        if let safeArea {
            for side in [safeArea.top, safeArea.left, safeArea.bottom, safeArea.right] {
                writer.number(side)
            }
        }
        if let revision { writer.count(Int(clamping: revision)) }
        return writer.bytes
    }

    /// Reads a token, or returns `nil` if it is damaged, or of another screen or store.
    init?(_ text: String, sealedBy seal: TokenSeal, for screen: String) {
        guard let payload = seal.open(text, as: .page, for: screen) else { return nil }
        self.init(payload)
    }

    init?(_ payload: ArraySlice<UInt8>) {
        var reader = TokenReader(payload)
        guard let page = reader.count(), let options = reader.byte(),
            let scale = Self.scale(options, &reader),
            let textScale = Self.textScale(options, &reader),
            let width = reader.number(), let height = reader.number(),
            let collapsed = reader.identifiers(),
            let rest = Self.rest(&reader), reader.isAtEnd
        else { return nil }
        var parameters = Self.parameters(unpacking: options)
        parameters.viewport.size = Size(width: width, height: height)
        parameters.viewport.scale = scale
        parameters.viewport.textScale = textScale
        parameters.viewport.safeArea = rest.safeArea
        parameters.collapsed = collapsed
        parameters.expanded = rest.expanded
        parameters.client = rest.client
        parameters.flags = rest.flags
        self.init(after: page, parameters, catalog: rest.catalog, revision: rest.revision)
    }

    /// The number of each scale that is packed into the options.
    ///
    /// They are the scales that were valid at first, so that tokens of that time stay valid. Any
    /// other scale follows the options as a number.
    private static let listedScales: [Double: UInt8] = [1: 0, 1.5: 1, 2: 2, 3: 3, 4: 4]
    /// The number in the options for a scale that is not listed.
    private static let otherScale: UInt8 = 7

    /// The number of the scale in three bits, and one bit for each parameter of two values.
    private var packedOptions: UInt8 {
        (Self.listedScales[parameters.viewport.scale] ?? Self.otherScale)
            | (parameters.viewport.direction == .rtl ? 0x08 : 0)
            | (parameters.options.coordinates == .content ? 0x10 : 0)
            | (parameters.options.fields == .frames ? 0x20 : 0)
            | (parameters.rounding == .none ? 0x40 : 0)
            | (parameters.viewport.textScale == 1 ? 0 : Self.textScaleFlag)
    }

    /// The bit in the options for a text scale other than 1, which follows the scale as a number.
    private static let textScaleFlag: UInt8 = 0x80

    /// Returns the text scale that follows the options and the scale, or 1.
    private static func textScale(_ options: UInt8, _ reader: inout TokenReader) -> Double? {
        guard options & textScaleFlag != 0 else { return 1 }
        let scale = reader.number(in: LayoutParameters.textScales)
        return scale == 1 ? nil : scale
    }

    /// The parameters at the end of a token, which are absent if they have their defaults.
    private struct Rest {
        var expanded: IdentifierList = []
        var client: Client?
        var flags: IdentifierList = []
        var catalog: CatalogName?
        var safeArea: Insets?
        var revision: UInt64?
    }

    /// The length of a safe area in a token, in bytes; a revision is shorter.
    private static let safeAreaByteCount = 32

    /// Reads the expanded sections, the client, the flags, the catalog, the safe area and the
    /// revision: nothing if there are none, and nothing behind the last of them that there is; the
    /// safe area may be absent before a revision.
    private static func rest(_ reader: inout TokenReader) -> Rest? {
        var rest = Rest()
        guard !reader.isAtEnd else { return rest }
        guard let expanded = reader.identifiers() else { return nil }
        rest.expanded = expanded
        guard !reader.isAtEnd else { return expanded.texts.isEmpty ? nil : rest }
        guard let text = reader.text(), let flags = reader.identifiers() else { return nil }
        rest.flags = flags
        rest.client = Client(text)
        guard rest.client?.description ?? "" == text else { return nil }
        guard !reader.isAtEnd else { return text.isEmpty && flags.texts.isEmpty ? nil : rest }
        guard let name = reader.text() else { return nil }
        rest.catalog = CatalogName(name)
        guard (rest.catalog?.text ?? "") == name else { return nil }
        guard !reader.isAtEnd else { return rest.catalog == nil ? nil : rest }
        if reader.rest.count >= safeAreaByteCount {
            rest.safeArea = safeArea(&reader)
            guard rest.safeArea != nil else { return nil }
        }
        guard !reader.isAtEnd else { return rest }
        guard let revision = reader.count(), revision > 0 else { return nil }
        rest.revision = UInt64(revision)
        return rest
    }

    private static func safeArea(_ reader: inout TokenReader) -> Insets? {
        let range = LayoutParameters.safeAreaSides
        guard let top = reader.number(in: range), let left = reader.number(in: range),
            let bottom = reader.number(in: range), let right = reader.number(in: range)
        else { return nil }
        return Insets(top: top, left: left, bottom: bottom, right: right)
    }

    /// Returns the scale that the options contain, or that follows them.
    private static func scale(_ options: UInt8, _ reader: inout TokenReader) -> Double? {
        let number = options & 7
        guard number == otherScale else { return listedScales.first { $0.value == number }?.key }
        return reader.number(in: LayoutParameters.scales)
    }

    private static func parameters(unpacking options: UInt8) -> LayoutParameters {
        var parameters = LayoutParameters()
        parameters.viewport.direction = options & 0x08 != 0 ? .rtl : .ltr
        parameters.options.coordinates = options & 0x10 != 0 ? .content : .section
        parameters.options.fields = options & 0x20 != 0 ? .frames : .all
        parameters.rounding = options & 0x40 != 0 ? .none : .pixel
        return parameters
    }
}

/// A position in the list of a screen's revisions.
struct RevisionsToken: Sendable, Hashable {
    /// The last revision that the client has received.
    let revision: UInt64

    init(before revision: UInt64) { self.revision = revision }

    func sealed(by seal: TokenSeal, for screen: String) -> String {
        seal.seal(revision.littleEndianBytes, as: .revisions, for: screen)
    }

    init?(_ text: String, sealedBy seal: TokenSeal, for screen: String) {
        guard let payload = seal.open(text, as: .revisions, for: screen), payload.count == 8 else {
            return nil
        }
        self.init(before: UInt64(littleEndianBytes: payload))
    }
}

/// A position in the list of screens, which is valid for one store.
struct ListingToken: Sendable, Hashable {
    /// The last screen that the client has received.
    let name: ScreenName
    let prefix: ScreenNamePrefix

    init(after name: ScreenName, prefix: ScreenNamePrefix = .none) {
        self.name = name
        self.prefix = prefix
    }

    /// The byte between the name and the prefix, which neither contains.
    ///
    /// A token without prefix consists of the name alone.
    private static let separator = UInt8(ascii: "/")

    func sealed(by seal: TokenSeal) -> String {
        let end = prefix.isEmpty ? [] : [Self.separator] + prefix.text.utf8
        return seal.seal(Array(name.text.utf8) + end, as: .listing, for: "")
    }

    init?(_ text: String, sealedBy seal: TokenSeal) {
        guard let payload = seal.open(text, as: .listing, for: "") else { return nil }
        let parts = payload.split(
            separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard let name = ScreenName(parts[0]),
            let prefix = ScreenNamePrefix(parts.count > 1 ? parts[1] : "")
        else { return nil }
        self.init(after: name, prefix: prefix)
    }
}
