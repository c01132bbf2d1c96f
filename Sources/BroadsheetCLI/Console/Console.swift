import Glibc

/// The environment, the standard streams and the files of a command.
///
/// A value of closures, so that tests can replace them.
struct Console: Sendable {
    var environment: [String: String]
    /// Writes all bytes to standard output and returns a message if that fails.
    var write: @Sendable ([UInt8]) -> String?
    /// Writes a line to standard error; write failures are ignored.
    var printError: @Sendable (String) -> Void
    /// Returns the bytes of a file, or of standard input for `-`.
    var read: @Sendable (String) throws(FileError) -> [UInt8]
    var isReadableByAll: @Sendable (_ path: String) -> Bool = { _ in false }
    /// Returns the names of the entries of a folder that end with a suffix, at most that many;
    /// `nil` if there is no folder.
    var list:
        @Sendable (_ folder: String, _ suffix: String, _ limit: Int) throws(FileError) -> [String]? =
            { _, _, _ in nil }
    /// Returns the bytes of a file in a folder, and of no file outside of it; `nil` if it is larger
    /// than the limit.
    var readInFolder:
        @Sendable (_ file: String, _ folder: String, _ limit: Int) throws(FileError) -> [UInt8]? =
            { _, _, _ throws(FileError) in throw FileError(reason: "no folders here") }
    /// Writes bytes to the file at a path, by the rules of ``OutputFile``, and returns a message if
    /// that fails.
    var save: @Sendable (_ bytes: [UInt8], _ path: String) -> String? = { _, _ in
        "no files can be written here"
    }

    /// Creates a folder, by the rules of ``OutputFolder``, and returns a message if that fails.
    var createFolder: @Sendable (_ path: String) -> String? = { _ in
        "no folders can be created here"
    }

    /// Writes a result to standard output.
    ///
    /// - Throws: `CommandError.input` when standard output accepts no more bytes (a full disk, a
    ///   closed pipe).
    func print(_ text: String) throws(CommandError) {
        try print(Array(text.utf8))
    }

    func print(_ bytes: [UInt8]) throws(CommandError) {
        if let failure = write(bytes) {
            throw .input(["broadsheet: cannot write to standard output: \(failure)"])
        }
    }

    /// Returns the bytes of the file at `path`, or of standard input for `-`.
    ///
    /// - Parameters:
    ///   - option: The option that names the file; `nil` for an operand.
    ///   - remedy: What to do about a missing file.
    /// - Throws: `CommandError.input` with the system's message.
    func contents(
        of path: String, for option: String? = nil, ifMissing remedy: String? = nil
    ) throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            return try read(path)
        } catch {
            let hint = error.isMissing ? remedy.map { "; \($0)" } ?? "" : ""
            throw .input(["\(option.map { "\($0) " } ?? "")\(path): \(error.reason)\(hint)"])
        }
    }
}

/// The reason why a file could not be read.
struct FileError: Error, Equatable {
    let reason: String

    var isMissing: Bool { reason == String(cString: strerror(ENOENT)) }
}
