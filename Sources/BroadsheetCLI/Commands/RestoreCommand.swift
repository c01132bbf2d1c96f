internal import BroadsheetStores

/// `broadsheet restore`: puts a backup in the database's place.
enum RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Puts a backup in the place of a SQLite store that no daemon uses"
    static let usage = ["restore [--store sqlite:PATH] IN.db"]
    static let discussion = [
        """
        The backup is copied and checked as a whole before anything changes. Revisions go on
        far above those it holds, so that no client takes an old one for a new one. Exit
        status: 0, or 1 and the store is as it was.
        """
    ]
    static let optionGroups = [OptionGroup(title: "The store", options: [StoreFile.option])]

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let (store, backup) = try StoreFile.path(arguments, in: console, operand: "file to read")
        do throws(SQLiteBackupError) {
            let restored = try SQLiteBackup.restore(from: backup, to: store)
            console.complain("\(store): \(restored.words)")
            return .success
        } catch {
            throw .input(["broadsheet: \(error)"])
        }
    }
}
