extension Members {
    /// A truth; nil when unset or none.
    func bool(_ name: String, _ collector: inout ViolationCollector) -> Bool? {
        read(name, &collector) { value, collector in
            value.expecting("true or false", value.bool, &collector)
        }
    }

    /// A text; nil when unset or none.
    func string(_ name: String, _ collector: inout ViolationCollector) -> String? {
        read(name, &collector) { value, collector in
            value.expecting("a string", value.string, &collector)
        }
    }

    /// Points or seconds, sanitised by rule G2; nil when unset or no number.
    func length(_ name: String, _ collector: inout ViolationCollector) -> Double? {
        read(name, &collector) { value, collector in
            value.expecting("a number", value.double.map(Length.sanitised), &collector)
        }
    }

    /// An integer of 32 bits, which keeps index arithmetic from overflowing (rule G5); nil when
    /// unset or none.
    func integer(_ name: String, _ collector: inout ViolationCollector) -> Int? {
        let range = -Int(Int32.max) - 1...Int(Int32.max) + 1
        return read(name, &collector) { value, collector in
            value.expecting(
                "a whole number from \(range.lowerBound) to \(range.upperBound)",
                value.int.flatMap { range.contains($0) ? $0 : nil }, &collector)
        }
    }

    /// One of the names of `Choice`; nil when unset or none of them.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ collector: inout ViolationCollector
    ) -> Choice? {
        read(name, &collector) { value, collector in
            let text = value.kind == .string ? value.text : nil
            let choice = Choice.allCases.first { text?.equals($0.rawValue) == true }
            return value.expecting(Choice.allCases.map(\.rawValue).alternatives, choice, &collector)
        }
    }

    /// One number for all edges, or an object of edges of which the absent ones are 0.
    func insets(_ name: String, _ collector: inout ViolationCollector) -> Insets? {
        read(name, &collector) { value, collector in
            if let all = value.double { return Insets(Length.sanitised(all)) }
            guard value.kind == .object, let edges = Members(value, &collector) else {
                return value.expecting("a number or an object", nil, &collector)
            }
            return Insets(
                top: edges.length("top", &collector) ?? 0,
                left: edges.length("left", &collector) ?? 0,
                bottom: edges.length("bottom", &collector) ?? 0,
                right: edges.length("right", &collector) ?? 0)
        }
    }
}
