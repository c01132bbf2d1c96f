import Broadsheet

/// "What comes after page p" of a screen, laid out as before (docs/api.md, "Page tokens").
struct PageToken: Sendable, Hashable {
    /// The page that the client has.
    var page: Int
    /// Every parameter of the layout but `pretty` and `lint`, which are false here.
    var parameters: LayoutParameters

    /// Says what comes after `page`.
    init(after page: Int, _ parameters: LayoutParameters) {
        self.page = page
        self.parameters = parameters
        self.parameters.options.pretty = false
        self.parameters.lint = false
    }

    /// The token as text, for the screen of that name only.
    func sealed(by seal: TokenSeal, for screen: String) -> String {
        var writer = TokenWriter()
        writer.count(page)
        writer.byte(packedOptions)
        writer.number(parameters.viewport.size.width)
        writer.number(parameters.viewport.size.height)
        writer.count(parameters.collapsed.texts.count)
        for text in parameters.collapsed.texts { writer.text(text) }
        return seal.seal(writer.bytes, as: .page, for: screen)
    }

    /// Reads a token; nil when it is damaged, or not of this screen or store.
    init?(_ text: String, sealedBy seal: TokenSeal, for screen: String) {
        guard let payload = seal.open(text, as: .page, for: screen) else { return nil }
        var reader = TokenReader(payload)
        guard let page = reader.count(), let options = reader.byte(),
            let width = reader.number(), let height = reader.number(), let count = reader.count(),
            var parameters = Self.parameters(unpacking: options)
        else { return nil }
        var collapsed: [String] = []
        for _ in 0..<count {
            guard let text = reader.text() else { return nil }
            collapsed.append(text)
        }
        guard reader.isAtEnd else { return nil }
        parameters.viewport.size = Size(width: width, height: height)
        parameters.collapsed = IdentifierList(collapsed)
        self.init(after: page, parameters)
    }

    /// Three bits for the scale and one for each choice of two.
    private var packedOptions: UInt8 {
        let scale = LayoutParameter.scales.firstIndex(of: parameters.viewport.scale) ?? 7
        return UInt8(scale)
            | (parameters.viewport.direction == .rtl ? 0x08 : 0)
            | (parameters.options.coordinates == .content ? 0x10 : 0)
            | (parameters.options.fields == .frames ? 0x20 : 0)
            | (parameters.rounding == .none ? 0x40 : 0)
    }

    private static func parameters(unpacking options: UInt8) -> LayoutParameters? {
        let scale = Int(options & 7)
        guard LayoutParameter.scales.indices.contains(scale), options < 0x80 else { return nil }
        var parameters = LayoutParameters()
        parameters.viewport.scale = LayoutParameter.scales[scale]
        parameters.viewport.direction = options & 0x08 != 0 ? .rtl : .ltr
        parameters.options.coordinates = options & 0x10 != 0 ? .content : .section
        parameters.options.fields = options & 0x20 != 0 ? .frames : .all
        parameters.rounding = options & 0x40 != 0 ? .none : .pixel
        return parameters
    }
}
