/// A font of pictures: the class of its texts, and its size in points.
struct PictureFont: Sendable {
    /// The class in ``PictureStyle/sheet``.
    let name: StaticString
    let size: Double

    static let type = PictureFont(name: "type", size: 10.5)
    static let id = PictureFont(name: "id", size: 9.5)
    static let name = PictureFont(name: "name", size: 12)
    /// The facts about a section.
    static let note = PictureFont(name: "note", size: 10)
    static let title = PictureFont(name: "title", size: 15)
    static let headerTitle = PictureFont(name: "heading", size: 17)
    static let itemTitle = PictureFont(name: "words", size: 14)
    /// The title of an item that is too small for ``itemTitle``.
    static let smallTitle = PictureFont(name: "small", size: 12.25)
    static let subtitle = PictureFont(name: "more", size: 12.5)

    var lineHeight: Double { (size * 1.25).rounded() }
}

/// The colours and fonts of a picture, in a light and a dark scheme.
enum PictureStyle {
    static func imageClass(_ colour: Int) -> StaticString {
        let classes: [StaticString] = [
            "image i0", "image i1", "image i2", "image i3", "image i4",
        ]
        return classes[abs(colour % classes.count)]
    }

    /// The style element, and the definitions that every picture has; the `defs` element is open.
    static let sheet: StaticString = """
        <style>
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:#1c2430}
        .title{font-size:15px;font-weight:600}.sub,.key{font-size:11px;fill:#5b6675}
        .name{font-size:12px;font-weight:600}.unnamed{font-size:12px;font-style:italic}
        .note{font-size:10px;fill:#5b6675}.type{font-size:10.5px;font-weight:600}
        .id{font-size:9.5px;font-family:ui-monospace,"SF Mono",Menlo,"DejaVu Sans Mono",monospace;fill:#5b6675}
        .heading{font-size:17px;font-weight:700}.words{font-size:14px;font-weight:600}
        .small{font-size:12.25px;font-weight:600}.more{font-size:12.5px;fill:#5b6675}
        .ground{fill:#eef1f5}.paper{fill:#fff;stroke:#8d99a9}.gap{fill:url(#hatch)}.fade{fill:url(#out)}
        .hatch{stroke:#cbd4de;stroke-width:1}.outlined{stroke:#c3ccd7}
        .item{fill:#fff;stroke:#9aa7b8}.header{fill:#dfe9ff;stroke:#5b83d6}
        .footer{fill:#e3f3e7;stroke:#5da271}
        .decoration{fill:#fff0cf;stroke:#d9a441;stroke-dasharray:5 3}
        .beyond{fill:#fff;fill-opacity:.6;stroke:#9aa7b8;stroke-dasharray:3 3}
        .edge{stroke:#c3ccd7}.separator{stroke:#c3ccd7}.bracket{stroke:#8d99a9}
        .fold{stroke:#d64545;stroke-width:1.5;stroke-dasharray:8 5}.foldname{font-size:10px;fill:#d64545}
        .cut{fill:none;stroke:#8d99a9;stroke-width:1.5;stroke-dasharray:2 3}
        .i0{fill:#cfe0f5}.i1{fill:#d8ead2}.i2{fill:#f6ddc9}.i3{fill:#e6d9f2}.i4{fill:#f3dbe0}
        .glyph{fill:#1c2430;fill-opacity:.3}.caption{fill:#fff;fill-opacity:.86}
        .app .gap{fill:none}.app .item{stroke:#dfe4ea}.app .header,.app .footer{fill:none;stroke:none}
        .app .decoration{fill:#f3f5f8;stroke:none}.app .paper{stroke:#c3ccd7}
        @media (prefers-color-scheme:dark){
        text{fill:#e7ecf3}.sub,.key,.note,.id,.more{fill:#9aa6b6}
        .ground{fill:#10141a}.paper{fill:#171d25;stroke:#56637a}.hatch{stroke:#333e4b}.outlined{stroke:#46525f}
        .item{fill:#202834;stroke:#5c6a7d}.header{fill:#1d3056;stroke:#6f97ea}
        .footer{fill:#1b3826;stroke:#63ad7a}.decoration{fill:#3a2f16;stroke:#c9973d}
        .beyond{fill:#202834;stroke:#5c6a7d}.edge{stroke:#35404d}.separator{stroke:#46525f}.bracket{stroke:#56637a}
        .fold{stroke:#ff7b72}.foldname{fill:#ff7b72}.cut{stroke:#56637a}
        .i0{fill:#2b4363}.i1{fill:#2f4a35}.i2{fill:#594031}.i3{fill:#443658}.i4{fill:#573843}
        .glyph{fill:#e7ecf3}.caption{fill:#10141a;fill-opacity:.72}
        .app .item{stroke:#333e4b}.app .decoration{fill:#1c232d}.app .paper{stroke:#333e4b}}
        </style>
        <defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/></pattern>
        <symbol id="photo" viewBox="0 0 24 24"><circle cx="17.5" cy="6.5" r="2.5"/>\
        <path d="M1 20 8.5 8l5 7.5L16.5 12 23 20z"/></symbol>

        """
}

/// The options of a picture.
public struct PictureOptions: Sendable, Hashable {
    /// The amount of information around the screen.
    public enum Style: String, Sendable, Hashable, CaseIterable {
        /// The screen with its measures: names of sections, spacing, the end of the viewport, items
        /// beyond the edge, a heading and a legend.
        case wireframe
        /// The screen alone, as an app shows it.
        case app
    }

    /// The amount of information around the screen.
    public var style = Style.wireframe
    /// The maximum length of the drawn content along the screen's axis, in points; a note in the
    /// picture says how much is left out.
    public var maxLength = Self.defaultMaxLength

    /// The default of ``maxLength``: viewers refuse or blur much longer pictures.
    public static let defaultMaxLength = 20_000.0

    /// Creates the default options.
    public init() {}
}
