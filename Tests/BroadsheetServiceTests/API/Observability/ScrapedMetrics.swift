import Testing

/// Metrics as a scraper reads them; text that violates the format throws an error.
struct ScrapedMetrics {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let name: String
        let help: String
        var type = ""
        var samples: [Sample] = []
    }

    struct Malformed: Error { let line: String }

    private(set) var families: [Family] = []

    init(_ text: String) throws {
        try #require(text.hasSuffix("\n"))
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            try read(String(line))
        }
    }

    /// The value of the sample of that name without labels, or `nil`.
    subscript(name: String) -> Double? {
        families.flatMap(\.samples).first { $0.name == name && $0.labels.isEmpty }?.value
    }

    private mutating func read(_ line: String) throws {
        if let match = line.wholeMatch(of: /# HELP ([a-z_]+) (.+)/) {
            families.append(Family(name: String(match.1), help: String(match.2)))
        } else if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) ([a-z]+)/) {
            guard let last = families.indices.last, families[last].name == match.1,
                families[last].type.isEmpty
            else { throw Malformed(line: line) }
            families[last].type = String(match.2)
        } else {
            try readSample(line)
        }
    }

    private mutating func readSample(_ line: String) throws {
        let grammar = /([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)*)\})? ([-+.0-9eInfNa]+)/
        guard let match = line.wholeMatch(of: grammar), let value = Double(match.3),
            let last = families.indices.last, !families[last].type.isEmpty
        else { throw Malformed(line: line) }
        let suffixes = families[last].type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { families[last].name + $0 == match.1 }) else {
            throw Malformed(line: line)
        }
        var labels: [String: String] = [:]
        for pair in (match.2 ?? "").matches(of: /([a-z]+)="((?:[^"\\]|\\.)*)"/) {
            guard labels.updateValue(String(pair.2), forKey: String(pair.1)) == nil else {
                throw Malformed(line: line)
            }
        }
        families[last].samples.append(
            Sample(name: String(match.1), labels: labels, value: value))
    }
}
