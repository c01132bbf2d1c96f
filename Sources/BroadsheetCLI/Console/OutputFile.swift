internal import Glibc

/// Writes files whole.
enum OutputFile {
    /// Puts `bytes` into the file at `path`; what the system says if it cannot.
    ///
    /// A regular file, also behind a symbolic link, is replaced whole and keeps its mode, or stays as
    /// it was. What is something else (a pipe, `/dev/stdout`) is written to: a file in its place would
    /// take the device away from everyone. A link that leads nowhere yet has its file made.
    static func save(_ bytes: [UInt8], at path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard lstat(path, &status) == 0 else { return replace(path, with: bytes, mode: nil) }
            return fill(path, with: bytes, flags: O_CREAT)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return fill(path, with: bytes, flags: 0) }
        guard let target = realpath(path, nil) else { return systemFault() }
        defer { free(target) }
        return replace(String(cString: target), with: bytes, mode: status.st_mode & 0o7777)
    }

    /// Writes all of `bytes`; what the system says if it cannot.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        bytes.withUnsafeBytes { buffer -> String? in
            var rest = UnsafeRawBufferPointer(rebasing: buffer[...])
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return systemFault()
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }

    /// Fills a file beside `path` and gives it that name once it is whole.
    private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t?) -> String? {
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return systemFault() }
        if let mode { fchmod(descriptor, mode) }
        if let fault = fill(descriptor, with: bytes) ?? renaming(draft, to: path) {
            unlink(draft)
            return fault
        }
        return nil
    }

    private static func renaming(_ draft: String, to path: String) -> String? {
        rename(draft, path) == 0 ? nil : systemFault()
    }

    /// Opens what is at `path`, behind any link, and writes all of `bytes` to it.
    private static func fill(_ path: String, with bytes: [UInt8], flags: Int32) -> String? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
        return descriptor < 0 ? systemFault() : fill(descriptor, with: bytes)
    }

    /// Writes all of `bytes` and closes, which may be when a file system says that it is full.
    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> String? {
        let fault = write(bytes, to: descriptor)
        return close(descriptor) == 0 ? fault : fault ?? systemFault()
    }

    /// What the last failed system call says.
    private static func systemFault() -> String { String(cString: strerror(errno)) }
}
