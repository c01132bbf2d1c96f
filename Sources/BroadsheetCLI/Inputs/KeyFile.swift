import BroadsheetService

enum KeyFile {
    /// Reads the keys in the file at `path`; returns `nil` for `nil`.
    ///
    /// - Throws: `CommandError.input` with a line for each violation, or one for a file that cannot
    ///   be read.
    static func keys(at path: String?, in console: Console) throws(CommandError) -> KeyRing? {
        guard let path else { return nil }
        let bytes = try console.contents(
            of: path, for: "--keys",
            ifMissing: "'broadsheet key new NAME' makes a key and prints its line for this file")
        do throws(KeyFileError) {
            return try KeyRing(bytes)
        } catch {
            throw .input(error.violations.map { "\(path):\($0.line): \($0.detail)" })
        }
    }
}
