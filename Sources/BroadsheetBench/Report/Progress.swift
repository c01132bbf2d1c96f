internal import Foundation

/// Tells whoever waits for the table what is going on.
enum Progress {
    /// Writes a line to standard error.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
