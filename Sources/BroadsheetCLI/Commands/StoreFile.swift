/// The database that `backup` and `restore` are about: `serve`'s own `--store`, when that is a file.
enum StoreFile {
    /// The option, which the environment may speak for as it does for `serve`.
    static var option: Option {
        var option = ServeSettings.store.option
        option.hasVariable = true
        return option
    }

    /// The path of the file, and the one operand of the command.
    ///
    /// - Throws: `CommandError.usage` for a store that is no file, and unless there is one operand; a
    ///   database cannot come or go by a standard stream, so `-` is none.
    static func path(
        _ arguments: Arguments, in console: Console, operand: String
    ) throws(CommandError) -> (store: String, operand: String) {
        guard let named = arguments.operands.first, arguments.operands.count == 1 else {
            throw .usage("one \(operand) is needed")
        }
        guard named != "-" else {
            throw .usage("a database is a file; '-' is none")
        }
        let settings = try Settings(
            arguments, environment: console.environment, file: nil, options: [option])
        switch try StoreAddress(settings, in: console) {
        case .sqlite(let path): return (path, named)
        case .memory: throw .usage("--store: a store in memory has no file")
        case .redis: throw .usage("--store: a server keeps its own backups; see its manual")
        }
    }
}
