/// A fenced block of a document.
struct MarkdownFence {
    /// What stands behind the opening fence: `console`, `json page`, or nothing.
    let info: String
    /// The lines between the fences.
    let lines: [String]
    /// The line of the document that the first of them is, counted from 1.
    let firstLine: Int

    /// Every fenced block of a document, in order.
    static func all(in document: String) -> [MarkdownFence] {
        var fences = [MarkdownFence]()
        var open: (info: String, lines: [String], firstLine: Int)?
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    fences.append(
                        MarkdownFence(
                            info: block.info, lines: block.lines, firstLine: block.firstLine))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [], index + 2)
            }
        }
        return fences
    }
}
