internal import BroadsheetStores

/// `broadsheet backup`: copies the database, which a daemon may be using.
enum BackupCommand: Command {
    static let name = "backup"
    static let summary = "Copies a SQLite store to a file, while a daemon runs or not"
    static let usage = ["backup [--store sqlite:PATH] OUT.db"]
    static let discussion = [
        """
        The copy is the store as it is at one moment, in one file, checked as a whole before
        it gets its name; a file that is there already is never overwritten. The daemon goes
        on reading and writing meanwhile. Exit status: 0, or 1 and nothing is left behind.
        """
    ]
    static let optionGroups = [OptionGroup(title: "The store", options: [StoreFile.option])]

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        let (store, target) = try StoreFile.path(arguments, in: console, operand: "file to write")
        do throws(SQLiteBackupError) {
            let copied = try SQLiteBackup.copy(from: store, to: target)
            console.complain("\(target): \(copied.words)")
            return .success
        } catch {
            throw .input(["broadsheet: \(error)"])
        }
    }
}

extension SQLiteBackup.Summary {
    /// What a copy holds, for people.
    var words: String { "screens \(screens), pages \(pages)" }
}
