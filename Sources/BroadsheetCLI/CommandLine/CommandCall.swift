import Broadsheet

/// A call of a command: its operands, its settings and its console.
struct CommandCall<Configuration: Configurable>: Sendable {
    let operands: [String]
    let separator: Int?
    let console: Console

    private let arguments: Arguments
    private let settings: [Setting<Configuration>]
    private let configurationFile: Property<Configuration, String?>?

    init(
        _ arguments: Arguments, in console: Console, settings: [Setting<Configuration>],
        configurationFile: Property<Configuration, String?>? = nil
    ) {
        operands = arguments.operands
        separator = arguments.separator
        self.console = console
        self.arguments = arguments
        self.settings = settings
        self.configurationFile = configurationFile
    }

    var givenOptions: Set<String> { Set(arguments.values.keys) }

    /// Returns the configuration with all settings applied.
    ///
    /// A flag takes precedence over the environment, the environment over the configuration file,
    /// and that over the default.
    ///
    /// - Throws: `CommandError.usage` for an invalid variable, and for a configuration file that is
    ///   invalid or cannot be read.
    func configuration() throws(CommandError) -> Configuration {
        var values = try environmentValues()
        values.merge(arguments.values) { _, flag in flag }
        let configuration = applied(values)
        guard let configurationFile, let path = configuration[keyPath: configurationFile] else {
            return configuration
        }
        let file = try readConfigurationFile(path)
        return applied(file.values.merging(values) { _, value in value })
    }

    /// A warning for each environment variable that differs from one of a command by at most two
    /// letters, with that name; in the order of the names.
    var variableWarnings: [String] {
        let known = Command.all.flatMap(\.options).filter { $0.sources.contains(.environment) }
            .map(\.environmentVariable)
        return console.environment.keys.filter { !known.contains($0) }.sorted().compactMap { name in
            NearestName.of(name, among: known, atMost: Self.maxEdits).map { nearest in
                "the environment's \(name) is not a setting; did you mean \(nearest)?"
            }
        }
    }

    /// The maximum number of letters in which a misspelt variable differs.
    private static var maxEdits: Int { 2 }

    /// Returns the values of the environment variables, by option name.
    ///
    /// An empty variable is an invalid value, as an empty flag is: it may be a file of keys whose
    /// path was not filled in, and must not leave the daemon without keys.
    private func environmentValues() throws(CommandError) -> [String: String] {
        var values = [String: String]()
        for option in settings.map(\.option) where option.sources.contains(.environment) {
            let variable = option.environmentVariable
            guard let text = console.environment[variable] else { continue }
            guard option.accepts(text) else {
                throw .usage(
                    "the environment's \(variable): '\(text)' \(option.complaint(about: text))")
            }
            values[option.name] = text
        }
        return values
    }

    private func readConfigurationFile(_ path: String) throws(CommandError) -> ConfigurationFile {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try console.read(path)
        } catch {
            throw .usage("cannot read the configuration file \(path): \(error.reason)")
        }
        return try ConfigurationFile(bytes, path: path, options: settings.map(\.option))
    }

    private func applied(_ values: [String: String]) -> Configuration {
        var configuration = Configuration.defaults
        for setting in settings {
            if let text = values[setting.option.name] { setting.apply(text, &configuration) }
        }
        return configuration
    }
}
