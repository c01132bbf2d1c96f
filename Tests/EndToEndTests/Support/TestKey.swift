/// A key that `broadsheet key new` made.
struct TestKey {
    /// The secret.
    let secret: String
    /// The line for the file of keys.
    let line: String

    /// Makes a key, by default one that may read every screen.
    init(_ name: String, _ options: String...) throws {
        let outcome = try Shell.run([Repository.binary, "key", "new", name] + options)
        let lines = outcome.output.split(separator: "\n")
        guard outcome.status == 0, lines.count == 2, lines[0].hasPrefix("secret: "),
            lines[1].hasPrefix("line: ")
        else { throw HarnessError("no key: \(outcome.output) \(outcome.errors)") }
        secret = String(lines[0].dropFirst("secret: ".count))
        line = String(lines[1].dropFirst("line: ".count)) + "\n"
    }

    /// The field with which a client sends the key.
    var field: (String, String) { ("Authorization", "Bearer \(secret)") }
}
