import BroadsheetServer
import BroadsheetStores

extension Command {
    static let store = Command(
        name: "store",
        summary: "Copies a store, compacts a SQLite file, or maintains a store in PostgreSQL",
        usage: [
            "store schema", "store advance [URL]", "store copy [--drop-feeds] FROM TO",
            "store compact FILE",
        ],
        discussion: """
            'schema' prints the SQL that creates the schema; it is safe to run again. 'advance' lets
            the revisions of later writes go on a million higher, so that those that were assigned
            after a backup are not assigned again. Run it after a restore of a base backup or of a
            snapshot of a disk, before a daemon uses the database. Without URL it takes the store of
            --store.

            'copy' copies all screens of a store to another one, of any kinds but memory: with what
            is left of their lifetimes, without their earlier revisions and feeds. TO must have no
            screens, and no daemon may run on either. Tokens stay valid; all revisions are others.
            After an interruption TO is opened by no daemon until it is copied to again.

            'compact' writes a SQLite file that no daemon uses again, without the bytes of what was
            removed or replaced, and removes its log. Earlier revisions and feeds stay: remove them
            first. It takes up to the size of the file in its folder, and in that for temporary
            files (TMPDIR).
            """,
        settings: StoreConfiguration.settings,
        run: { call async throws(CommandError) in
            switch call.operands.first {
            case "schema" where call.operands.count == 1:
                try call.console.print(PostgresSchema.script)
            case "advance" where call.operands.count <= 2:
                let address = try call.address(typed: call.operands.dropFirst().first)
                do throws(StoreOpenError) {
                    try PostgresBackend.advance(address)
                } catch {
                    throw .input(["broadsheet: \(error)"])
                }
                call.console.printError("new revisions of \(address) are a million higher")
            case "copy" where call.operands.count == 3:
                let summary = try await call.copy(from: call.operands[1], to: call.operands[2])
                try call.console.print(
                    "copied \(summary.screens) screens, \(summary.pages) pages, "
                        + "\(summary.bytes) bytes\n")
            case "compact" where call.operands.count == 2:
                try call.compact(call.operands[1])
            default:
                throw .usage(
                    "'schema', 'advance' and the URL of the store, 'copy' and two stores, or "
                        + "'compact' and a file, is needed")
            }
            return .success
        })
}

private struct StoreConfiguration: Configurable {
    static let defaults = StoreConfiguration()

    var store: String?
    /// A Boolean value that indicates whether the events of feeds are left out of a copy.
    var dropsFeeds = false

    static let settings = [
        SettingGroup<StoreConfiguration>(
            "The store", [.store(\.store).readable(from: .environment)]),
        SettingGroup<StoreConfiguration>(
            "The copy",
            [
                Setting(
                    "drop-feeds", .toggle, \.dropsFeeds,
                    "copy although feeds have events, which the copy does not have")
            ]),
    ]
}

extension CommandCall<StoreConfiguration> {
    /// Compacts a SQLite file, which may be named as a store is.
    fileprivate func compact(_ operand: String) throws(CommandError) {
        let scheme = "sqlite:"
        let path = operand.hasPrefix(scheme) ? String(operand.dropFirst(scheme.count)) : operand
        guard !path.isEmpty, path != "-", operand != "memory", !operand.contains("://") else {
            throw .usage("compact needs the file of a SQLite store")
        }
        do throws(SQLiteBackupError) {
            let (before, after) = try SQLiteBackup.compact(path)
            let owner = FileOwnership(ofFileAt: path).map { "; \($0)" } ?? ""
            console.printError("\(path): \(before) bytes before, \(after) after\(owner)")
        } catch {
            throw .input(["broadsheet: \(error)"])
        }
    }

    /// Copies a store to another one, and closes both.
    fileprivate func copy(
        from source: String, to target: String
    ) async throws(CommandError) -> StoreCopy.Summary {
        for warning in variableWarnings { console.printError("broadsheet: \(warning)") }
        let dropsFeeds = try configuration().dropsFeeds
        let addresses: (source: StoreAddress, target: StoreAddress)
        do throws(ServerError) {
            addresses = (try StoreAddress(source), try StoreAddress(target))
        } catch {
            throw CommandError(error)
        }
        guard addresses.source != addresses.target else {
            throw .usage("a store cannot be copied to itself")
        }
        let (from, to) = try await open(addresses.source, addresses.target)
        let copy = StoreCopy(from: from, to: to, dropsFeeds: dropsFeeds)
        let result: Result<StoreCopy.Summary, StoreCopyError>
        do throws(StoreCopyError) {
            result = .success(try await copy.run())
        } catch {
            result = .failure(error)
        }
        await from.close()
        await to.close()
        do throws(StoreCopyError) {
            return try result.get()
        } catch {
            throw .input(["broadsheet: \(error)"])
        }
    }

    /// Opens both stores of a copy, the target only if the source can be opened.
    private func open(
        _ source: StoreAddress, _ target: StoreAddress
    ) async throws(CommandError) -> (from: ScreenStore, to: ScreenStore) {
        // Before anything is opened, or a file is made.
        guard source != .memory, target != .memory else {
            throw .usage("a store in memory cannot be copied, or copied to")
        }
        do throws(ServerError) {
            let from = try source.openToCopy(asTarget: false)
            do throws(ServerError) {
                return (from, try target.openToCopy(asTarget: true))
            } catch {
                await from.close()
                throw error
            }
        } catch {
            throw CommandError(error)
        }
    }

    /// Returns the address of a PostgreSQL store, as typed or as configured.
    ///
    /// - Throws: `CommandError.usage` for another kind of store.
    fileprivate func address(typed: String?) throws(CommandError) -> PostgresAddress {
        for warning in variableWarnings { console.printError("broadsheet: \(warning)") }
        let configuration = try configuration()
        let address: StoreAddress
        do throws(ServerError) {
            address = try StoreAddress(typed ?? configuration.store, in: console.environment)
        } catch {
            throw CommandError(error)
        }
        guard case .postgres(let found) = address.kind else {
            throw .usage("--store: the store must be in PostgreSQL")
        }
        return found
    }
}
