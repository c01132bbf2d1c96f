import Broadsheet
import BroadsheetStores

/// A position in the pages of a screen, with the layout parameters (docs/api.md, "Page tokens").
struct PageToken: Sendable, Hashable {
    /// The last page that the client has received.
    var page: Int
    /// The layout parameters; `pretty` and `lint` are not part of a token and are `false`.
    var parameters: LayoutParameters
    /// The name of the catalog; `nil` for the one without a name.
    var catalog: CatalogName?

    /// Creates the token for the pages after `page`.
    init(after page: Int, _ parameters: LayoutParameters, catalog: CatalogName? = nil) {
        self.page = page
        self.catalog = catalog
        self.parameters = parameters
        self.parameters.options.pretty = false
        self.parameters.lint = false
    }

    /// Returns the token as text, which is valid only for the screen of that name.
    func sealed(by seal: TokenSeal, for screen: String) -> String {
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
        // The same holds for tokens without client and flags, and for those without a catalog.
        let hasClient = parameters.haveClient || catalog != nil
        if !parameters.expanded.texts.isEmpty || hasClient {
            writer.identifiers(parameters.expanded)
        }
        if hasClient {
            writer.text(parameters.client?.description ?? "")
            writer.identifiers(parameters.flags)
        }
        if let catalog { writer.text(catalog.text) }
        return seal.seal(writer.bytes, as: .page, for: screen)
    }

    /// Reads a token, or returns `nil` if it is damaged, or of another screen or store.
    init?(_ text: String, sealedBy seal: TokenSeal, for screen: String) {
        guard let payload = seal.open(text, as: .page, for: screen) else { return nil }
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
        parameters.collapsed = collapsed
        parameters.expanded = rest.expanded
        parameters.client = rest.client
        parameters.flags = rest.flags
        self.init(after: page, parameters, catalog: rest.catalog)
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
    }

    /// Reads the expanded sections, the client, the flags and the catalog: nothing if there are
    /// none, the expanded sections alone if there is nothing else, and no catalog if there is none.
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
        rest.catalog = reader.text().flatMap(CatalogName.init)
        return rest.catalog == nil ? nil : rest
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

/// A position in the list of screens, which is valid for one store.
struct ListingToken: Sendable, Hashable {
    /// The last screen that the client has received.
    let name: ScreenName
    /// The prefix of the listed names.
    let prefix: ScreenNamePrefix

    /// Creates the token for the screens after `name` whose names begin with `prefix`.
    init(after name: ScreenName, prefix: ScreenNamePrefix = .none) {
        self.name = name
        self.prefix = prefix
    }

    /// The byte between the name and the prefix, which neither contains.
    ///
    /// A token without prefix consists of the name alone.
    private static let separator = UInt8(ascii: "/")

    /// Returns the token as text.
    func sealed(by seal: TokenSeal) -> String {
        let end = prefix.isEmpty ? [] : [Self.separator] + prefix.text.utf8
        return seal.seal(Array(name.text.utf8) + end, as: .listing, for: "")
    }

    /// Reads a token, or returns `nil` if it is damaged or of another store.
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

// MARK: Encoding

/// Encodes the fields of a token.
private struct TokenWriter: Sendable {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes one byte.
    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a whole number that is not negative in groups of seven bits, the lowest first.
    mutating func count(_ value: Int) {
        var rest = UInt64(max(0, value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes the eight bytes of a number.
    mutating func number(_ value: Double) {
        bytes.append(contentsOf: value.bitPattern.littleEndianBytes)
    }

    /// Writes the length of a text and the text.
    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the number of identifiers and each of them.
    mutating func identifiers(_ list: IdentifierList) {
        count(list.texts.count)
        for text in list.texts { self.text(text) }
    }
}

/// Decodes the fields of a token; each method returns `nil` for bytes that a ``TokenWriter`` does
/// not write.
private struct TokenReader: Sendable {
    private var rest: ArraySlice<UInt8>

    /// Creates a reader at the first byte.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// A Boolean value that indicates whether every byte has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads one byte.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Reads a whole number.
    mutating func count() -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int(exactly: value) }
        }
        return nil
    }

    /// Reads a finite number.
    mutating func number() -> Double? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        let number = Double(bitPattern: UInt64(littleEndianBytes: rest.prefix(8)))
        return number.isFinite ? number : nil
    }

    /// Reads a number in a range.
    mutating func number(in range: ClosedRange<Double>) -> Double? {
        number().flatMap { range.contains($0) ? $0 : nil }
    }

    /// Reads a text.
    mutating func text() -> String? {
        guard let length = count(), rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return String(validating: rest.prefix(length), as: UTF8.self)
    }

    /// Reads identifiers.
    mutating func identifiers() -> IdentifierList? {
        guard let count = count() else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return IdentifierList(texts)
    }
}
