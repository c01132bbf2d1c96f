internal import Foundation
internal import Glibc

/// What is done to whole files by their names.
enum FilePlace {
    /// Whether there is anything at `path`.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Removes the file at `path`, if there is one.
    static func remove(_ path: String) { _ = unlink(path) }

    /// Makes an empty file that its owner alone can read; there must be none.
    static func makePrivate(_ path: String) throws(SQLiteBackupError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == EEXIST { throw .exists(path: path) }
        try check(descriptor, path)
        close(descriptor)
    }

    /// Returns when what the file holds is on the disk.
    static func flush(_ path: String) throws(SQLiteBackupError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try check(descriptor, path)
        defer { close(descriptor) }
        try check(fsync(descriptor), path)
    }

    /// Returns when the names in the folder of `path` are on the disk.
    static func flushFolder(of path: String) throws(SQLiteBackupError) {
        try flush(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Gives a file another name in the same folder, in one step.
    static func rename(
        _ path: String, to target: String, replacing mayReplace: Bool
    ) throws(SQLiteBackupError) {
        // The name is taken first, by a file of nothing, so that only that can be replaced.
        if !mayReplace { try makePrivate(target) }
        let result = Glibc.rename(path, target)
        guard result < 0 else { return }
        let failure = SQLiteBackupError.cannotWrite(
            path: target, detail: String(cString: strerror(errno)))
        if !mayReplace { remove(target) }
        throw failure
    }

    private static func check(_ result: Int32, _ path: String) throws(SQLiteBackupError) {
        guard result < 0 else { return }
        throw .cannotWrite(path: path, detail: String(cString: strerror(errno)))
    }
}
