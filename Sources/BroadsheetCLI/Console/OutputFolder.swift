import Glibc

enum OutputFolder {
    /// Creates the folder at `path`, whose parent exists, and returns a message if that fails.
    ///
    /// A folder that exists has to be empty.
    static func create(at path: String) -> String? {
        if mkdir(path, 0o777) == 0 { return nil }
        guard errno == EEXIST else { return String(cString: strerror(errno)) }
        // Besides the folder itself and its parent.
        do throws(FileError) {
            guard
                let names = try InputFolder.names(in: path, endingWith: "", atMost: 3)
            else { return "is not a folder" }
            return names.count > 2 ? "is not empty" : nil
        } catch { return error.reason }
    }
}
