import Broadsheet
package import BroadsheetIO
package import BroadsheetService
package import BroadsheetStores
import FoundationEssentials

/// The contents of a server: its keys, its catalogs, and its store.
package struct ServerContents: Sendable {
    package typealias Parts = (keys: KeyRing?, catalogs: MeasuredCatalogs)

    /// Reads the keys; `nil` for a server that any client may use.
    package var keys: @Sendable () throws(ServerError) -> KeyRing?
    package var catalogs: @Sendable () throws(ServerError) -> MeasuredCatalogs
    package var hasKeys: Bool
    /// A Boolean value that indicates whether SIGHUP reads the keys and the catalogs again.
    package var isReadAgain = false
    package var hasCatalogFile = false
    package var store: OpenStore
    package var environment = processEnvironment
    package var records: [LogRecord] = []

    /// A function that opens a store with a share of the memory budget, and has its events logged;
    /// it also returns the store's name for the log, without secrets.
    package typealias OpenStore =
        @Sendable (MemoryBudget, Log) async throws(ServerError) -> (
            store: ScreenStore, name: String
        )

    static var processEnvironment: [String: String] { ProcessInfo.processInfo.environment }

    package init(
        keys: @escaping @Sendable () throws(ServerError) -> KeyRing?, hasKeys: Bool,
        catalogs: @escaping @Sendable () throws(ServerError) -> MeasuredCatalogs,
        store: @escaping OpenStore
    ) {
        self.keys = keys
        self.hasKeys = hasKeys
        self.catalogs = catalogs
        self.store = store
    }

    func read() throws(ServerError) -> Parts { (try keys(), try catalogs()) }
}

extension BroadsheetService {
    /// Reads the keys and the catalogs again and puts them into service; if one is invalid, its
    /// violations are logged, and the current ones stay in service.
    func reload(_ contents: ServerContents, _ texts: MeasurerCache, _ log: Log) {
        do throws(ServerError) {
            if let keys = try contents.keys() { reload(keys: keys) }
        } catch {
            refuseKeys(detail: error.description)
        }
        guard contents.hasCatalogFile else {
            log.write(LogRecord(.info, "the built-in catalog has no file to read again"))
            return
        }
        do throws(ServerError) {
            let read = try contents.catalogs()
            texts.replace(with: read)
            reload(catalogs: read.catalogs)
        } catch {
            refuseReload(detail: error.description)
        }
    }
}
