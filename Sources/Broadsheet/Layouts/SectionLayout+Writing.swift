import BroadsheetClient

// The layout of a section as JSON: what the readers of the members read back.

extension SectionLayout {
    /// Writes the layout as an object; the kind of a custom layout is left out, because JSON cannot
    /// name it.
    func write(to output: inout StructuredJSONWriter) {
        var layout = self
        if kind == .custom { layout.kind = nil }
        // Compositional options share the member, and a program can set theirs alone.
        if kind == .compositional { layout.flow.itemAlignment = compositional.itemAlignment }
        Self.members.write(layout, to: &output)
    }

    var isEmpty: Bool { self == SectionLayout() }
}

extension DecorationOptions {
    static func write(_ decorations: [Self], to output: inout StructuredJSONWriter) {
        output.array { output in
            for decoration in decorations {
                output.element()
                decoration.write(to: &output)
            }
        }
    }

    private func write(to output: inout StructuredJSONWriter) {
        output.object { output in
            output.member("kind", kind)
            if let mode { output.member("mode", mode.rawValue) }
            if inset != .zero {
                output.member("inset")
                inset.write(to: &output)
            }
            if let zIndex { output.member("zIndex", zIndex) }
            if let data {
                output.member("data")
                output.raw(data)
            }
        }
    }
}

extension Insets {
    func write(to output: inout StructuredJSONWriter) {
        let edges = [("top", top), ("left", left), ("bottom", bottom), ("right", right)]
        output.object { output in
            for (name, length) in edges where length != 0 {
                output.member(named: name)
                output.exactNumber(length)
            }
        }
    }
}

extension ScreenAxis {
    func write(to output: inout StructuredJSONWriter) {
        output.string(self == .vertical ? "vertical" : "horizontal")
    }
}

extension Size {
    func write(to output: inout StructuredJSONWriter) {
        output.object { output in
            output.member("width")
            output.exactNumber(width)
            output.member("height")
            output.exactNumber(height)
        }
    }
}

extension GridColumnCount {
    func write(to output: inout StructuredJSONWriter) {
        switch self {
        case .fixed(let count): output.integer(count)
        case .fitting(let width, let limit):
            output.object { output in
                output.member("minItemWidth")
                output.exactNumber(width)
                if let limit { output.member("max", limit) }
            }
        case .breakpoints(let breakpoints):
            output.object { output in
                output.member("default", breakpoints.fallback)
                for entry in breakpoints.entries {
                    output.member(named: StructuredJSONWriter.exactText(entry.width))
                    output.integer(entry.count)
                }
            }
        }
    }
}

extension CompositionalOptions.ItemSize {
    /// Writes `"dynamic"` or `{"uniform": {…}}`.
    func write(to output: inout StructuredJSONWriter) {
        guard case .uniform(let columns, let width, let height) = self else {
            return output.string("dynamic")
        }
        output.object { output in
            output.object("uniform") { output in
                if let columns {
                    output.member("columns")
                    columns.write(to: &output)
                }
                if let width {
                    output.member("width")
                    width.write(to: &output)
                }
                if let height {
                    output.member("height")
                    output.exactNumber(height)
                }
            }
        }
    }
}

extension CompositionalOptions.ItemWidth {
    fileprivate func write(to output: inout StructuredJSONWriter) {
        switch self {
        case .points(let points): output.exactNumber(points)
        case .fraction(let fraction):
            output.object { output in
                output.member("fraction")
                output.exactNumber(fraction)
            }
        }
    }
}

extension StructuredJSONWriter {
    /// Writes a length with all of its digits, clamped as every length that is read.
    mutating func exactNumber(_ value: Double) { raw(Array(Self.exactText(value).utf8)) }

    static func exactText(_ value: Double) -> String { Length.sanitised(value).description }
}
