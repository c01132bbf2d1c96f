public import Broadsheet
import Synchronization

/// A measurer of texts with font files, by HarfBuzz and ICU.
///
/// Its lines are those of Chromium with the same files (docs/text.md). It keeps the texts that were
/// shaped, of all its fonts together, and the bytes of the files that its fonts use.
public final class FontMeasurer: TextMeasurer {
    /// The memory that shaped texts may take unless it is set, in bytes.
    public static let defaultCacheBytes = 32 << 20

    private let folder: String
    private let cache: TextCache
    private let state = Mutex(State())

    /// Creates a measurer.
    ///
    /// - Parameters:
    ///   - folder: The folder of the fonts, which they are never outside of.
    ///   - cacheBytes: The memory that shaped texts may take, in bytes; 0 keeps none.
    public init(folder: String, cacheBytes: Int = defaultCacheBytes) {
        self.folder = folder
        cache = TextCache(limit: cacheBytes)
    }

    /// The memory that shaped texts take now, in bytes.
    public var cachedBytes: Int { cache.cost }

    /// The versions of the libraries, such as `HarfBuzz 6.0.0, ICU 72.1`, or `nil` if one is
    /// missing; they are loaded for it.
    public static var libraryVersions: String? { TextLibraries.shared?.versions }

    /// Opens a font: reads and checks all its files.
    ///
    /// - Throws: The first failure, with its place in the declaration.
    public func open(_ declaration: FontDeclaration) throws(FontFailure) -> any TextFont {
        guard let libraries = TextLibraries.shared else {
            throw FontFailure(
                pointer: "", detail: "requires HarfBuzz and ICU (libharfbuzz0b, libicu72)")
        }
        guard !declaration.files.isEmpty else {
            throw FontFailure(pointer: "/files", detail: "must have at least one file")
        }
        var files: [FontFile] = []
        for (number, file) in declaration.files.enumerated() {
            do throws(FontFileError) {
                let bytes = try bytes(of: file.path)
                files.append(try FontFile(bytes, index: file.index, libraries: libraries))
            } catch {
                throw FontFailure(pointer: "/files/\(number)\(error.member)", detail: error.detail)
            }
        }
        let number = state.withLock { $0.nextNumber() }
        return try OpenFont(
            declaration, files: files, libraries: libraries, cache: (cache, number: number))
    }

    private struct State {
        /// The bytes of files that a font may still use.
        var bytes: [String: WeakBytes] = [:]
        var fonts = 0

        mutating func nextNumber() -> Int {
            fonts += 1
            return fonts
        }
    }

    private struct WeakBytes {
        weak var bytes: FontBytes?
    }

    /// Returns the bytes of a file, which several fonts share.
    private func bytes(of path: String) throws(FontFileError) -> FontBytes {
        let path = try resolved(path)
        if let bytes = state.withLock({ $0.bytes[path]?.bytes }) { return bytes }
        let bytes = try FontBytes(path: path)
        state.withLock { $0.bytes[path] = WeakBytes(bytes: bytes) }
        return bytes
    }

    /// Returns the path of a file with all links resolved, if it is below the folder.
    private func resolved(_ path: String) throws(FontFileError) -> String {
        do throws(FolderPath.Failure) {
            return try FolderPath.resolve(path, in: folder)
        } catch {
            switch error {
            case .unreadable(let reason):
                throw .unreadable(path: "\(folder)/\(path)", reason)
            case .outside: throw .outside
            }
        }
    }
}
