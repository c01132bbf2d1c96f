import BroadsheetServer
import BroadsheetStores

extension Command {
    static let backup = Command(
        name: "backup", summary: "Copies a SQLite store to a file, while a daemon runs or not",
        usage: ["backup [--store sqlite:PATH] OUT.db"],
        discussion: """
            The copy is the store at one moment, in one file, which is checked as a whole before
            it gets its name. An existing file is never overwritten. A daemon may read and write
            the store during the copy. Exit status: 0, or 1 and no file is left behind.
            """,
        settings: StoreFileConfiguration.settings,
        run: { call async throws(CommandError) in
            let (store, target) = try call.storeAndOperand("file to write")
            do throws(SQLiteBackupError) {
                let summary = try SQLiteBackup.copy(from: store, to: target)
                call.console.printError("\(target): \(summary.text)")
                return .success
            } catch {
                throw .input(["broadsheet: \(error)"])
            }
        })

    static let restore = Command(
        name: "restore", summary: "Replaces a SQLite store that no daemon uses by a backup",
        usage: ["restore [--store sqlite:PATH] IN.db"],
        discussion: """
            The backup is copied and checked as a whole before anything changes. Revisions
            continue far above those of the backup, so that no client mistakes an old one for a
            new one. The file keeps the owner, group and mode of the one that it replaces, or
            gets the owner and group of the folder, as far as the user may. Exit status: 0, or 1
            and the store is unchanged.
            """,
        settings: StoreFileConfiguration.settings,
        run: { call async throws(CommandError) in
            let (store, backup) = try call.storeAndOperand("file to read")
            do throws(SQLiteBackupError) {
                let summary = try SQLiteBackup.restore(from: backup, to: store)
                let ownership = FileOwnership(ofFileAt: store).map { "; \($0)" } ?? ""
                call.console.printError("\(store): \(summary.text)\(ownership)")
                return .success
            } catch {
                throw .input(["broadsheet: \(error)"])
            }
        })
}

/// The configuration of `backup` and `restore`: the store of `serve`, which must be a file.
private struct StoreFileConfiguration: Configurable {
    static let defaults = StoreFileConfiguration()

    var store: String?

    static let settings = [
        SettingGroup<StoreFileConfiguration>(
            "The store", [.store(\.store).readable(from: .environment)])
    ]
}

extension CommandCall<StoreFileConfiguration> {
    /// Returns the path of the store's file, and the one operand of the command.
    ///
    /// - Throws: `CommandError.usage` unless there is one operand, for `-` (a database cannot be
    ///   read from a standard stream), and for a store that is not a file.
    fileprivate func storeAndOperand(
        _ description: String
    ) throws(CommandError) -> (store: String, operand: String) {
        guard let operand = operands.first, operands.count == 1 else {
            throw .usage("one \(description) is needed")
        }
        guard operand != "-" else {
            throw .usage("a database must be a file, not a standard stream ('-')")
        }
        for warning in variableWarnings { console.printError("broadsheet: \(warning)") }
        let configuration = try configuration()
        let address: StoreAddress
        do throws(ServerError) {
            address = try StoreAddress(configuration.store, in: console.environment)
        } catch {
            throw CommandError(error)
        }
        switch address.kind {
        case .sqlite(let path): return (path, operand)
        case .memory: throw .usage("--store: a store in memory has no file")
        case .redis, .postgres:
            throw .usage("--store: a server has its own backups; see its manual")
        }
    }
}

extension SQLiteBackup.Summary {
    fileprivate var text: String { "screens \(screens), pages \(pages)" }
}
