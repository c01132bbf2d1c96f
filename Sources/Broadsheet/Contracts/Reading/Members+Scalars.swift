extension Members {
    /// A truth; nil when unset or none.
    func bool(_ name: String, _ findings: inout Findings) -> Bool? {
        read(name, &findings) { value, findings in
            value.expecting("true or false", value.bool, &findings)
        }
    }

    /// A text; nil when unset or none.
    func string(_ name: String, _ findings: inout Findings) -> String? {
        read(name, &findings) { value, findings in
            value.expecting("a string", value.string, &findings)
        }
    }

    /// Points or seconds, sanitised by rule G2; nil when unset or no number.
    func length(_ name: String, _ findings: inout Findings) -> Double? {
        read(name, &findings) { value, findings in
            value.expecting("a number", value.double.map(Length.sanitised), &findings)
        }
    }

    /// An integer of 32 bits, which keeps index arithmetic from overflowing (rule G5); nil when
    /// unset or none.
    func integer(_ name: String, _ findings: inout Findings) -> Int? {
        let range = -Int(Int32.max) - 1...Int(Int32.max) + 1
        return read(name, &findings) { value, findings in
            value.expecting(
                "a whole number from \(range.lowerBound) to \(range.upperBound)",
                value.int.flatMap { range.contains($0) ? $0 : nil }, &findings)
        }
    }

    /// One of the names of `Choice`; nil when unset or none of them.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ findings: inout Findings
    ) -> Choice? {
        read(name, &findings) { value, findings in
            let text = value.kind == .string ? value.text : nil
            let choice = Choice.allCases.first { text?.equals($0.rawValue) == true }
            return value.expecting(Choice.allCases.map(\.rawValue).alternatives, choice, &findings)
        }
    }

    /// One number for all edges, or an object of edges of which the absent ones are 0.
    func insets(_ name: String, _ findings: inout Findings) -> Insets? {
        read(name, &findings) { value, findings in
            if let all = value.double { return Insets(Length.sanitised(all)) }
            guard value.kind == .object, let edges = Members(value, &findings) else {
                return value.expecting("a number or an object", nil, &findings)
            }
            return Insets(
                top: edges.length("top", &findings) ?? 0,
                left: edges.length("left", &findings) ?? 0,
                bottom: edges.length("bottom", &findings) ?? 0,
                right: edges.length("right", &findings) ?? 0)
        }
    }
}
