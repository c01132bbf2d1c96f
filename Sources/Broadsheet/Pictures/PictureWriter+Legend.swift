extension PictureWriter {
    /// Says what the colours mean.
    mutating func drawLegend() {
        let y = stage.size.height - PictureStage.legend / 2 - 6
        let keys: [(StaticString, StaticString)] = [
            ("item", "item"), ("header", "header"), ("footer", "footer"),
            ("decoration", "background"), ("gap outlined", "inset, spacing"),
            ("beyond", "beyond the edge"),
        ]
        var x = PictureStage.margin
        for (kind, words) in keys {
            svg.rectangle(Frame(x: x, y: y, width: 16, height: 12), kind, radius: 2)
            let text = "\(words)"
            svg.label(text, x: x + 21, y: y + 10, "key")
            x += 21 + PictureText.width(of: text, size: 11) + 12
        }
    }
}
