/// The picture's colours and type, for light and for dark surroundings.
enum PictureStyle {
    /// The style element.
    static let sheet: StaticString = """
        <style>
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:#1c2430}
        .title{font-size:15px;font-weight:600}.sub,.key{font-size:11px;fill:#5b6675}
        .name{font-size:12px;font-weight:600}.unnamed{font-size:12px;font-style:italic}
        .note{font-size:10px;fill:#5b6675}.type{font-size:10.5px;font-weight:600}
        .id{font-size:9.5px;font-family:ui-monospace,"SF Mono",Menlo,"DejaVu Sans Mono",monospace;fill:#5b6675}
        .ground{fill:#eef1f5}.paper{fill:#fff;stroke:#8d99a9}.gap{fill:url(#hatch)}.fade{fill:url(#out)}
        .hatch{stroke:#cbd4de;stroke-width:1}.outlined{stroke:#c3ccd7}
        .item{fill:#fff;stroke:#9aa7b8}.header{fill:#dfe9ff;stroke:#5b83d6}
        .footer{fill:#e3f3e7;stroke:#5da271}
        .decoration{fill:#fff0cf;stroke:#d9a441;stroke-dasharray:5 3}
        .beyond{fill:#fff;fill-opacity:.6;stroke:#9aa7b8;stroke-dasharray:3 3}
        .edge{stroke:#c3ccd7}.separator{stroke:#c3ccd7}.bracket{stroke:#8d99a9}
        .fold{stroke:#d64545;stroke-width:1.5;stroke-dasharray:8 5}.foldname{font-size:10px;fill:#d64545}
        @media (prefers-color-scheme:dark){
        text{fill:#e7ecf3}.sub,.key,.note,.id{fill:#9aa6b6}
        .ground{fill:#10141a}.paper{fill:#171d25;stroke:#56637a}.hatch{stroke:#333e4b}.outlined{stroke:#46525f}
        .item{fill:#202834;stroke:#5c6a7d}.header{fill:#1d3056;stroke:#6f97ea}
        .footer{fill:#1b3826;stroke:#63ad7a}.decoration{fill:#3a2f16;stroke:#c9973d}
        .beyond{fill:#202834;stroke:#5c6a7d}.edge{stroke:#35404d}.separator{stroke:#46525f}.bracket{stroke:#56637a}
        .fold{stroke:#ff7b72}.foldname{fill:#ff7b72}}
        </style>
        <defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/></pattern>

        """

    /// The size of type in the classes `type` and `id`.
    static let typeSize = 10.5
    /// The size of type in the class `id`.
    static let idSize = 9.5
    /// The size of type in the class `name`.
    static let nameSize = 12.0
    /// The size of type in the class `note`.
    static let noteSize = 10.0
}
