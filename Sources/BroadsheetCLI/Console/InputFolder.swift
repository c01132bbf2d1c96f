import BroadsheetText
import Glibc

/// Reads files of a folder, and none outside of it.
enum InputFolder {
    /// Returns the names of the entries of the folder at `path` that end with `suffix`, at most
    /// `limit` of them, in no particular order; `nil` if there is no folder.
    static func names(
        in path: String, endingWith suffix: String, atMost limit: Int
    ) throws(FileError) -> [String]? {
        guard let folder = opendir(path) else {
            if errno == ENOTDIR || errno == ENOENT { return nil }
            throw .ofSystem()
        }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < limit {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw .ofSystem() }
                break
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix) { names.append(name) }
        }
        return names
    }

    /// Returns the bytes of the file `name` of a folder; `nil` if it is larger than `limit`.
    ///
    /// A link may lead to a file in the folder, and not out of it.
    static func read(
        _ name: String, in folder: String, atMost limit: Int
    ) throws(FileError) -> [UInt8]? {
        let path: String
        do throws(FolderPath.Failure) {
            path = try FolderPath.resolve(name, in: folder)
        } catch {
            switch error {
            case .unreadable(let reason): throw FileError(reason: reason)
            case .outside: throw FileError(reason: "is outside of its folder")
            }
        }
        // Without a wait for the writer of a FIFO, which is refused.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .ofSystem() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(reason: "is not a file")
        }
        return try InputFile.read(descriptor: descriptor, atMost: limit)
    }
}
