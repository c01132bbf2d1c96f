/// What surrounds a command: the environment, the standard streams and the files it may read.
///
/// A value of closures, so that tests can hand a command surroundings of their own.
struct Console: Sendable {
    /// The environment variables.
    var environment: [String: String]
    /// Writes all bytes to standard output; a message if that fails.
    var write: @Sendable ([UInt8]) -> String?
    /// Writes a line to standard error; failing to is nobody's to hear.
    var complain: @Sendable (String) -> Void
    /// The whole of a file, or of standard input for `-`.
    var read: @Sendable (String) throws(FileError) -> [UInt8]

    /// Puts bytes into the file at a path, by `OutputFile`'s rules; a message if that fails.
    var save: @Sendable (_ bytes: [UInt8], _ path: String) -> String? = { _, _ in
        "no files can be written here"
    }

    /// Writes a result to standard output.
    ///
    /// - Throws: `CommandError.input` when standard output takes no more (a full disk, a closed pipe).
    func print(_ text: String) throws(CommandError) {
        try print(Array(text.utf8))
    }

    /// Writes a result to standard output.
    ///
    /// - Throws: `CommandError.input` when standard output takes no more (a full disk, a closed pipe).
    func print(_ bytes: [UInt8]) throws(CommandError) {
        if let fault = write(bytes) {
            throw .input(["broadsheet: cannot write to standard output: \(fault)"])
        }
    }

    /// The whole of the file at `path`, or of standard input for `-`.
    ///
    /// - Throws: `CommandError.input` saying what is the matter with the file.
    func contents(of path: String) throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            return try read(path)
        } catch {
            throw .input(["\(path): \(error.reason)"])
        }
    }
}

/// Why a file could not be read.
struct FileError: Error, Equatable {
    /// What is the matter, as the system says it.
    let reason: String
}
