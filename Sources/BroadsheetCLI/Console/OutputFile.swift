import Glibc

enum OutputFile {
    /// Writes `bytes` to the file at `path` and returns the system's message if that fails.
    ///
    /// A regular file, also behind a symbolic link, is replaced as a whole and keeps its mode, or
    /// stays unchanged. Anything else (a pipe, `/dev/stdout`) is written to, because a regular file
    /// in its place would remove the device. The target of a dangling link is created.
    static func save(_ bytes: [UInt8], at path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard lstat(path, &status) == 0 else { return replace(path, with: bytes, mode: nil) }
            return fill(path, with: bytes, flags: O_CREAT)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return fill(path, with: bytes, flags: 0) }
        guard let target = realpath(path, nil) else { return systemMessage() }
        defer { free(target) }
        return replace(String(cString: target), with: bytes, mode: status.st_mode & 0o7777)
    }

    /// Writes all of `bytes` to a descriptor and returns the system's message if that fails.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        bytes.withUnsafeBytes { buffer -> String? in
            var rest = UnsafeRawBufferPointer(rebasing: buffer[...])
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return systemMessage()
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }

    /// Writes a file beside `path` and renames it to `path` when it is complete.
    private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t?) -> String? {
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return systemMessage() }
        if let mode { fchmod(descriptor, mode) }
        if let failure = fill(descriptor, with: bytes) ?? renameFile(draft, to: path) {
            unlink(draft)
            return failure
        }
        return nil
    }

    private static func renameFile(_ source: String, to path: String) -> String? {
        rename(source, path) == 0 ? nil : systemMessage()
    }

    /// Opens the file at `path`, behind any link, and writes all of `bytes` to it.
    private static func fill(_ path: String, with bytes: [UInt8], flags: Int32) -> String? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
        return descriptor < 0 ? systemMessage() : fill(descriptor, with: bytes)
    }

    /// Writes all of `bytes` and closes the descriptor; some file systems report a full disk only
    /// at the close.
    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> String? {
        let failure = write(bytes, to: descriptor)
        return close(descriptor) == 0 ? failure : failure ?? systemMessage()
    }

    private static func systemMessage() -> String { String(cString: strerror(errno)) }
}
