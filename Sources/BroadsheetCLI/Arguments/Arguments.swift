/// The words behind a command's name, sorted into options and operands.
struct Arguments: Sendable, Equatable {
    /// The value of each option that was given, as typed, by the option's name; the last one counts.
    var values: [String: String] = [:]
    /// What is no option, in order: file names, `-`.
    var operands: [String] = []
    /// Whether `-h` or `--help` is among them.
    var wantsHelp = false

    /// Sorts `words` by the options that a command knows.
    ///
    /// Both `--flag value` and `--flag=value` give a value; `--` ends the options; a lone `-` is an
    /// operand, as is everything that does not begin with a hyphen. Once help is wanted nothing else
    /// is faulted, so that `--help` behind a mistake still helps.
    ///
    /// - Throws: `CommandError.usage` for an unknown option (naming the nearest one), a value that is
    ///   missing, not wanted, or not what the option accepts.
    init(_ words: [String], options: [Option]) throws(CommandError) {
        if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
            wantsHelp = true
            return
        }
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            } else if word == "-" || !word.hasPrefix("-") {
                operands.append(word)
            } else {
                try take(word, &rest, options)
            }
        }
    }

    /// Takes the option that `word` begins, and its value from `rest` if it stands there.
    private mutating func take(
        _ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let flag = String(parts[0])
        guard let option = options.first(where: { $0.isSpelt(flag) }) else {
            throw .unknownOption(flag, among: options)
        }
        let value = try Self.value(of: option, parts.count > 1 ? String(parts[1]) : nil, &rest)
        guard option.accepts(value) else {
            throw .usage("\(flag): '\(value)' is not \(option.expectation)")
        }
        values[option.name] = value
    }

    /// The value of `option`: behind the equals sign, "true" for a toggle, or the next word.
    private static func value(
        of option: Option, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        if let attached { return attached }
        if option.form == .toggle { return "true" }
        // A long option in the place of a value is far more often a forgotten value than a value;
        // `--flag=--value` says the latter.
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw .usage("\(option.flag) needs a value: \(option.expectation)")
        }
        rest.removeFirst()
        return next
    }
}

extension Option {
    /// Whether `word` is this option's flag or its short form.
    fileprivate func isSpelt(_ word: String) -> Bool {
        word == flag || letter.map { word == "-\($0)" } ?? false
    }
}
