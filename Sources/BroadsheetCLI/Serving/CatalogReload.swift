internal import Broadsheet
internal import BroadsheetService

/// Reads the catalog again while the daemon runs.
struct CatalogReload {
    /// The catalog's file; nil for the built-in one.
    let path: String?
    /// How deep its JSON may nest.
    let limits: ScreenLimits
    /// Reads files.
    let console: Console
    /// Says what came of it.
    let log: Log

    /// Puts the catalog that the file holds now into service; a faulty one is logged with all its
    /// faults, and the old one stays.
    func run(into service: BroadsheetService) {
        guard let path else {
            log.write(LogRecord(.info, "the built-in catalog has no file to be read again from"))
            return
        }
        do throws(CommandError) {
            service.reload(
                catalog: try CatalogFile.catalog(at: path, in: console, limits: limits))
        } catch {
            service.refuseReload(detail: error.lines.joined(separator: "\n"))
        }
    }
}
