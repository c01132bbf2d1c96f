/// The words after a command's name, separated into options and operands.
struct Arguments: Sendable, Equatable {
    /// The values of the options as typed, by option name; of a repeated option, the last value, or
    /// all, separated by commas.
    private(set) var values: [String: String] = [:]
    /// The words that are not options (file names, `-`), in order.
    private(set) var operands: [String] = []
    /// The number of operands before the first `--`; `nil` without one.
    private(set) var separator: Int?
    /// A Boolean value that indicates whether the words contain `-h` or `--help`.
    private(set) var requestsHelp = false

    /// Separates `words` into the options that a command accepts and its operands.
    ///
    /// A value follows its flag as the next word or after an equals sign. `--` ends the options. A
    /// lone `-` is an operand, and so is each word that does not begin with a hyphen. A request for
    /// help takes precedence over every error, so that it also works after a mistake.
    ///
    /// - Throws: `CommandError.usage` for an unknown option (with the nearest name), for a missing
    ///   value, and for a value that the option does not accept.
    init(_ words: [String], options: [Option]) throws(CommandError) {
        if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
            requestsHelp = true
            return
        }
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                separator = operands.count
                operands += rest
                return
            } else if word == "-" || !word.hasPrefix("-") {
                operands.append(word)
            } else {
                try readOption(word, &rest, options)
            }
        }
    }

    /// Reads the option that begins with `word`, and its value from `rest` if it is not attached.
    private mutating func readOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let flag = String(parts[0])
        guard let option = options.first(where: { $0.matches(flag) }) else {
            throw .unknownOption(flag, among: options)
        }
        let value = try Self.value(of: option, parts.count > 1 ? String(parts[1]) : nil, &rest)
        guard option.accepts(value) else {
            throw .usage("\(flag): '\(value)' \(option.complaint(about: value))")
        }
        let earlier = option.isRepeatable ? values[option.name].map { $0 + "," } : nil
        values[option.name] = (earlier ?? "") + value
    }

    /// Returns the value of `option`: the attached one, "true" for a toggle, or the next word.
    private static func value(
        of option: Option, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        if let attached { return attached }
        if option.form == .toggle { return "true" }
        // A long option in this position is usually a forgotten value. `--flag=--value` is
        // available for a value that begins with two hyphens.
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw .usage("\(option.flag) needs a value: \(option.expectation)")
        }
        rest.removeFirst()
        return next
    }
}

extension Option {
    fileprivate func matches(_ word: String) -> Bool {
        word == flag || letter.map { word == "-\($0)" } ?? false
    }
}
