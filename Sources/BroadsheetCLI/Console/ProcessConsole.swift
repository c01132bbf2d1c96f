import FoundationEssentials
import Glibc

extension Console {
    static let process = Console(
        environment: ProcessInfo.processInfo.environment,
        write: { OutputFile.write($0, to: STDOUT_FILENO) },
        printError: { _ = OutputFile.write(Array(($0 + "\n").utf8), to: STDERR_FILENO) },
        read: { path throws(FileError) in try InputFile.read(path) },
        isReadableByAll: { InputFile.isReadableByAll($0) },
        list: { path, suffix, limit throws(FileError) in
            try InputFolder.names(in: path, endingWith: suffix, atMost: limit)
        },
        readInFolder: { name, folder, limit throws(FileError) in
            try InputFolder.read(name, in: folder, atMost: limit)
        },
        save: { OutputFile.save($0, at: $1) },
        createFolder: { OutputFolder.create(at: $0) })
}

/// The descriptors 0, 1 and 2, which the parent process may have closed.
enum StandardDescriptors {
    /// Opens `/dev/null` for the standard descriptors that are closed.
    ///
    /// Otherwise the next socket or database would get the number, and log lines would be written
    /// into it. `/dev/null` is opened in the opposite mode, so that reading and writing still fail.
    static func openClosed() {
        for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(Int32(descriptor), F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }
}

enum InputFile {
    /// The maximum size of a file, in bytes: positions in a document are 32 bits wide.
    static let limit = Int(UInt32.max) - 1

    /// Returns the bytes of the file at `path`, or of standard input for `-`.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        if path == "-" { return try read(descriptor: 0) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofSystem() }
        defer { close(descriptor) }
        return try read(descriptor: descriptor)
    }

    static func isReadableByAll(_ path: String) -> Bool {
        var status = stat()
        return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    private static func read(descriptor: Int32) throws(FileError) -> [UInt8] {
        guard let bytes = try read(descriptor: descriptor, atMost: limit) else {
            throw FileError(reason: "larger than 4 GiB")
        }
        return bytes
    }

    static func read(descriptor: Int32, atMost limit: Int) throws(FileError) -> [UInt8]? {
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
            guard bytes.count <= limit else { return nil }
        }
    }
}

extension FileError {
    static func ofSystem() -> FileError {
        FileError(reason: String(cString: strerror(errno)))
    }
}
