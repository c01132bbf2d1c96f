import Glibc

/// Paths of files that are below a folder once all links are resolved.
package enum FolderPath {
    /// The reason that a path cannot be used.
    package enum Failure: Error, Hashable {
        /// The system could not resolve the path; the reason follows.
        case unreadable(String)
        case outside
    }

    /// Returns the path of a file with all links resolved, if it is below the folder.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder.
    package static func resolve(_ path: String, in folder: String) throws(Failure) -> String {
        let root = try realPath(folder)
        let file = try realPath("\(folder)/\(path)")
        guard file.hasPrefix(root == "/" ? root : root + "/") else { throw .outside }
        return file
    }

    private static func realPath(_ path: String) throws(Failure) -> String {
        guard let result = realpath(path, nil) else {
            throw .unreadable(String(cString: strerror(errno)))
        }
        defer { free(result) }
        return String(cString: result)
    }
}
