/// What is known of a server once it has been greeted.
struct RedisSession: Hashable, Sendable {
    /// The version of the protocol that it is spoken to in.
    var version = RESPVersion.three
    /// What tells this run of this server from any other, of it or of another server; nil where it
    /// does not say.
    var run: String?

    /// Takes the run out of what `INFO server` is answered with.
    mutating func learnRun(from answer: RESPValue) {
        let lines = answer.text?.split(whereSeparator: \.isNewline) ?? []
        let prefix = "run_id:"
        run = lines.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
