/// What a command can be told under one name, without the type of its value: all that parsing,
/// help texts and the configuration file need to know of it.
///
/// One name gives all three spellings: `max-body` is the flag `--max-body`, the environment variable
/// `BROADSHEET_MAX_BODY` and the configuration file's member `max-body`.
struct Option: Sendable {
    /// What kind of JSON value says it in a configuration file.
    enum Form: Sendable {
        /// Needs no value on the command line; `true` or `false` elsewhere.
        case toggle
        /// A JSON number.
        case number
        /// A JSON string.
        case text
    }

    /// The name in words joined by hyphens; the configuration file's member has it as it stands.
    let name: String
    /// The letter of its short form, `-o`, if it has one.
    let letter: Character?
    /// What stands for the value in a help text, such as `BYTES`; nil for a toggle.
    let placeholder: String?
    /// What kind of JSON value says it.
    let form: Form
    /// The value that holds when nobody says anything, as it would be typed; nil if there is none.
    var fallback: String?
    /// The unit of the value, such as `seconds`; nil if it has none.
    let unit: String?
    /// What a value must be, as a noun: `a whole number from 0 to 65535`.
    let expectation: String
    /// What it does, in a line.
    let summary: String
    /// Whether `expectation` holds of a value as typed.
    let accepts: @Sendable (String) -> Bool
    /// Whether an environment variable can say it too.
    var hasVariable = false
    /// Whether a configuration file can say it too.
    var hasMember = false

    /// The same option, one that the environment and a configuration file can say too.
    var configurable: Option {
        var copy = self
        (copy.hasVariable, copy.hasMember) = (true, true)
        return copy
    }

    /// The flag as it is typed: `--max-body`.
    var flag: String { "--" + name }

    /// The environment variable: `BROADSHEET_MAX_BODY`.
    var environmentVariable: String {
        "BROADSHEET_" + name.uppercased().replacing("-", with: "_")
    }
}
