/// How log lines look.
enum LogFormat: String, CaseIterable, Sendable {
    /// One JSON object a line, for machines.
    case json
    /// One plain sentence a line, for people.
    case text
}
