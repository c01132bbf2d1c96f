/// What a command was told, from every place it can be told it in.
///
/// A flag wins over the environment, the environment over the configuration file, the file over the
/// default. Every text in here was accepted by its option, whichever place it came from.
struct Settings: Sendable {
    /// The values that somebody said, as typed, by option name.
    private var values: [String: String]

    /// Settings that only a command line speaks for.
    init(_ arguments: Arguments) {
        values = arguments.values
    }

    /// Settings that the command line, the environment and a configuration file speak for.
    ///
    /// An environment variable that is set to nothing counts as not set, since that is what
    /// compose files and service units make of a variable they only mention.
    ///
    /// - Throws: `CommandError.usage` naming the variable whose value its option does not accept.
    init(
        _ arguments: Arguments, environment: [String: String], file: ConfigurationFile?,
        options: [Option]
    ) throws(CommandError) {
        values = file?.values ?? [:]
        for option in options where option.hasVariable {
            let variable = option.environmentVariable
            guard let text = environment[variable], !text.isEmpty else { continue }
            guard option.accepts(text) else {
                throw .usage(
                    "the environment's \(variable): '\(text)' is not \(option.expectation)")
            }
            values[option.name] = text
        }
        values.merge(arguments.values) { _, flag in flag }
    }

    /// The value of `setting`: what was said last by those who count most, or its default.
    subscript<Value>(setting: Setting<Value>) -> Value {
        values[setting.option.name].flatMap(setting.read) ?? setting.fallback
    }

    /// Whether anybody said anything about `setting`.
    func says<Value>(_ setting: Setting<Value>) -> Bool {
        values[setting.option.name] != nil
    }
}

extension Settings {
    /// Settings that everything may speak for: the command line, the environment, and the file that
    /// one of those two names in `config`.
    ///
    /// - Throws: `CommandError.usage` for whatever is wrong in any of them, a file that cannot be
    ///   read included.
    init(
        _ arguments: Arguments, in console: Console, options: [Option], config: Setting<String?>
    ) throws(CommandError) {
        let spoken = try Settings(
            arguments, environment: console.environment, file: nil, options: options)
        guard let path = spoken[config] else {
            self = spoken
            return
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try console.read(path)
        } catch {
            throw .usage("cannot read the configuration file \(path): \(error.reason)")
        }
        self = try Settings(
            arguments, environment: console.environment,
            file: try ConfigurationFile(bytes, path: path, options: options), options: options)
    }
}
