/// A value of defaults that settings change.
protocol Configurable: Sendable {
    static var defaults: Self { get }
}

/// The path of a configuration's property.
typealias Property<Configuration, Value> = any WritableKeyPath<Configuration, Value> & Sendable

/// A setting of a command: everything about it, in one declaration.
///
/// The option parsing, the help text, the configuration file and the table in docs/cli.md derive
/// from the declaration, or are checked against it by a test. The default is that of the
/// configuration.
struct Setting<Configuration: Configurable>: Sendable {
    /// The option, without the type of its value.
    private(set) var option: Option
    /// Assigns a value as typed to its property; a value that is not accepted is ignored.
    let apply: @Sendable (_ text: String, _ configuration: inout Configuration) -> Void

    /// Declares a setting.
    ///
    /// - Parameters:
    ///   - name: The name in words joined by hyphens, such as `max-body`.
    ///   - values: The accepted values.
    ///   - property: The property of the configuration that the setting changes.
    ///   - text: A description of the default, where that is not a value of the property.
    ///   - summary: The effect of the setting, in one line.
    init<Value>(
        _ name: String, _ values: SettingValues<Value>,
        _ property: Property<Configuration, Value>,
        default text: String? = nil, _ summary: String
    ) {
        let value = values.describe(Configuration.defaults[keyPath: property])
        let valueWithUnit = value.map { text in values.unit.map { "\(text) \($0)" } ?? text }
        option = Option(
            name: name, placeholder: values.placeholder, form: values.form,
            defaultText: text ?? valueWithUnit, unit: values.unit,
            expectation: values.expectation, summary: summary,
            accepts: { values.read($0) != nil }, remedy: values.remedy)
        apply = { text, configuration in
            if let value = values.read(text) { configuration[keyPath: property] = value }
        }
    }

    private init(
        option: Option, apply: @escaping @Sendable (String, inout Configuration) -> Void
    ) {
        self.option = option
        self.apply = apply
    }

    func abbreviated(_ letter: Character) -> Setting {
        var copy = self
        copy.option.letter = letter
        return copy
    }

    func readable(from sources: Option.Sources) -> Setting {
        var copy = self
        copy.option.sources = sources
        return copy
    }

    /// Returns the setting as one that can be given several times: its value is that of all texts,
    /// separated by commas, which its values accept.
    func repeatable() -> Setting {
        var copy = self
        copy.option.isRepeatable = true
        return copy
    }

    /// Returns the same setting of a configuration that contains this one as a property.
    func within<Outer>(_ property: Property<Outer, Configuration>) -> Setting<Outer> {
        Setting<Outer>(option: option) { [apply] text, outer in
            apply(text, &outer[keyPath: property])
        }
    }
}

/// Settings that belong together in a help text and in docs/cli.md.
struct SettingGroup<Configuration: Configurable>: Sendable {
    /// The heading, without a colon.
    let title: String
    let settings: [Setting<Configuration>]

    init(_ title: String, _ settings: [Setting<Configuration>]) {
        self.title = title
        self.settings = settings
    }

    func readable(from sources: Option.Sources) -> SettingGroup {
        SettingGroup(title, settings.map { $0.readable(from: sources) })
    }
}

/// The facts about a setting that do not depend on the type of its value.
///
/// One name gives all three spellings: `max-body` is the flag `--max-body`, the environment
/// variable `BROADSHEET_MAX_BODY` and the configuration file's member `max-body`.
struct Option: Sendable {
    /// The kind of JSON value in a configuration file.
    enum Form: Sendable {
        /// `true` or `false`; the flag needs no value.
        case toggle
        /// `true` or `false`, which the flag is followed by.
        case truth
        case number
        /// A JSON number, or a JSON string of a number with a unit.
        case amount
        /// A JSON string.
        case text
    }

    /// The sources of an option besides the command line.
    struct Sources: OptionSet, Sendable {
        let rawValue: UInt8

        static let environment = Sources(rawValue: 1)
        static let file = Sources(rawValue: 2)
    }

    /// The name in words joined by hyphens, which is also the configuration file's member.
    let name: String
    fileprivate(set) var letter: Character?
    /// The word for the value in a help text, such as `BYTES`; `nil` for a toggle.
    let placeholder: String?
    /// The kind of JSON value in a configuration file.
    let form: Form
    /// The default with its unit, or its description; `nil` if there is none.
    let defaultText: String?
    /// The unit of the value, such as `seconds`, or `nil`.
    let unit: String?
    /// The accepted values as a noun: `a whole number from 0 to 65535`.
    let expectation: String
    let summary: String
    let accepts: @Sendable (String) -> Bool
    /// Returns what to write instead of a value that is not accepted, where that is known.
    let remedy: @Sendable (String) -> String?
    /// The sources besides the command line.
    fileprivate(set) var sources: Sources = []
    /// A Boolean value that indicates whether all of several values apply, instead of the last one.
    fileprivate(set) var isRepeatable = false

    /// Returns the end of a message about a value that is not accepted: the accepted ones, and what
    /// to write instead.
    func complaint(about value: String) -> String {
        "is not \(expectation)" + (remedy(value).map { "; \($0)" } ?? "")
    }

    /// The flag: `--max-body`.
    var flag: String { "--" + name }

    /// The environment variable: `BROADSHEET_MAX_BODY`.
    var environmentVariable: String {
        "BROADSHEET_" + name.uppercased().replacing("-", with: "_")
    }
}

/// The options of a ``SettingGroup``.
struct OptionGroup: Sendable {
    let title: String
    let options: [Option]
}
