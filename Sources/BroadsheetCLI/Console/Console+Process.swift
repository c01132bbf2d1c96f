internal import FoundationEssentials
internal import Glibc

extension Console {
    /// The surroundings of this very process.
    static let process = Console(
        environment: ProcessInfo.processInfo.environment,
        write: { OutputFile.write($0, to: STDOUT_FILENO) },
        complain: { _ = OutputFile.write(Array(($0 + "\n").utf8), to: STDERR_FILENO) },
        read: { path throws(FileError) in try InputFile.read(path) },
        save: { OutputFile.save($0, at: $1) })
}

/// Reads files whole.
private enum InputFile {
    /// The most bytes a file may have: positions in a document are 32 bits wide.
    static let limit = Int(UInt32.max) - 1

    /// The whole of the file at `path`, or of standard input for `-`.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        if path == "-" { return try read(descriptor: 0) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofSystem() }
        defer { close(descriptor) }
        return try read(descriptor: descriptor)
    }

    private static func read(descriptor: Int32) throws(FileError) -> [UInt8] {
        var bytes = [UInt8]()
        var chunk = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .ofSystem()
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw FileError(reason: "larger than 4 GiB") }
        }
    }
}

extension FileError {
    /// What the last failed system call says.
    fileprivate static func ofSystem() -> FileError {
        FileError(reason: String(cString: strerror(errno)))
    }
}
