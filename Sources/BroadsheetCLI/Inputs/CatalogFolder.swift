import Broadsheet
import BroadsheetServer
import BroadsheetService
import BroadsheetText

extension CatalogFile {
    /// Reads and compiles the catalogs of a daemon: the file, or the files of a folder.
    ///
    /// - Throws: `CommandError.input` with a line for each violation in any file, and for each file
    ///   that cannot be read or has a name that a catalog cannot have.
    func catalogs(
        in console: Console, limits: ScreenLimits
    ) throws(CommandError) -> MeasuredCatalogs {
        guard let path, let names = try console.catalogNames(in: path) else {
            let read = try catalog(in: console, limits: limits)
            return MeasuredCatalogs(
                catalogs: CatalogSet(read.catalog), measurer: read.measurer)
        }
        let measurer = measurer(ofCatalogAt: path + "/")
        var draft = CatalogFolderDraft(path: path, maxBytes: maxFolderBytes)
        for name in names.sorted() {
            draft.add(name, in: console) { source throws(CommandError) in
                try compiled(source, limits: limits, measurer)
            }
        }
        let catalogs = try draft.catalogs()
        return MeasuredCatalogs(
            catalogs: catalogs, measurer: catalogs.haveFonts ? measurer : nil)
    }
}

/// The catalogs of a folder while they are read.
private struct CatalogFolderDraft {
    let path: String
    let maxBytes: Int
    private var unnamed: Catalog?
    private var named: [CatalogName: Catalog] = [:]
    private var errors: [String] = []
    /// The size that the files that have not been read may have.
    private var bytesLeft: Int

    init(path: String, maxBytes: Int) {
        self.path = path
        self.maxBytes = maxBytes
        bytesLeft = maxBytes
    }

    /// Reads and compiles the file with a name, or adds its errors.
    mutating func add(
        _ file: String, in console: Console,
        compile: (SourceText) throws(CommandError) -> Catalog
    ) {
        // The limit is an error of the folder, and files beyond it are not read.
        guard bytesLeft >= 0 else { return }
        let path = self.path.appending(file: file)
        let stem = String(file.dropLast(Console.catalogSuffix.count))
        let name = CatalogName(stem)
        guard name != nil || stem == CatalogName.fileOfUnnamed else {
            errors.append("\(path): the name of a catalog has \(CatalogName.form)")
            return
        }
        do throws(CommandError) {
            guard let bytes = try console.contents(of: file, in: self.path, atMost: bytesLeft)
            else {
                errors.append(
                    "\(self.path): the catalogs have more than \(maxBytes) bytes together")
                bytesLeft = -1
                return
            }
            bytesLeft -= bytes.count
            let catalog = try compile(SourceText(path: path, bytes: bytes))
            if let name { named[name] = catalog } else { unnamed = catalog }
        } catch {
            errors += error.lines
        }
    }

    /// Throws `CommandError.input` with all errors.
    func catalogs() throws(CommandError) -> CatalogSet {
        guard errors.isEmpty else { throw .input(errors) }
        guard let unnamed else {
            throw .input([
                "\(path): has no \(CatalogName.fileOfUnnamed)\(Console.catalogSuffix), the catalog "
                    + "of requests that name none"
            ])
        }
        return CatalogSet(unnamed, named: named)
    }
}

extension CatalogSet {
    fileprivate var haveFonts: Bool {
        ([unnamed] + named.values).contains { !$0.registry.fontContents.isEmpty }
    }
}

extension Console {
    fileprivate static let catalogSuffix = ".json"

    /// Returns the names of the files that are the catalogs of a folder; `nil` if the path is not
    /// that of a folder.
    ///
    /// - Throws: `CommandError.input` for a folder that cannot be read, or has too many catalogs.
    func catalogNames(in path: String) throws(CommandError) -> [String]? {
        guard path != "-" else { return nil }
        let limit = CatalogSet.maxCount
        let names: [String]?
        do throws(FileError) {
            names = try list(path, Self.catalogSuffix, limit + 1)
        } catch {
            throw .input(["\(path): \(error.reason)"])
        }
        guard names?.count ?? 0 <= limit else {
            throw .input(["\(path): has more than \(limit) catalogs"])
        }
        return names
    }

    /// Returns the bytes of a file of a folder; `nil` if it is larger than `limit`.
    ///
    /// - Throws: `CommandError.input` for a file that cannot be read, or is outside of the folder.
    fileprivate func contents(
        of file: String, in folder: String, atMost limit: Int
    ) throws(CommandError) -> [UInt8]? {
        do throws(FileError) {
            return try readInFolder(file, folder, limit)
        } catch {
            throw .input(["\(folder.appending(file: file)): \(error.reason)"])
        }
    }
}

extension String {
    func appending(file: String) -> String { hasSuffix("/") ? self + file : "\(self)/\(file)" }
}
