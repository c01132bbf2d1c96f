/// The reason why a server cannot start.
///
/// Messages name settings as the options of `broadsheet serve` do (docs/cli.md); each property of
/// ``ServerConfiguration`` says which option it is.
public enum ServerError: Error, Sendable, Hashable {
    /// The configuration is invalid.
    case configuration(String)
    /// A file, an address or another resource cannot be used: one message a line.
    case failed([String])

    /// The messages, one a line.
    public var lines: [String] {
        switch self {
        case .configuration(let message): [message]
        case .failed(let lines): lines
        }
    }
}

extension ServerError: CustomStringConvertible {
    /// The messages.
    public var description: String { lines.joined(separator: "\n") }
}
