import Broadsheet

/// The file of `--config`: a JSON object whose members are named like the options.
struct ConfigurationFile: Sendable {
    /// The values as they would be typed on the command line, by option name.
    let values: [String: String]

    /// Reads the bytes of the file at `path`.
    ///
    /// A member that is null is ignored; of a repeated member, the last value is used.
    ///
    /// - Throws: `CommandError.usage` with every error and its position in the file: text that is
    ///   not JSON, an unknown member (with the nearest name), a value of the wrong type, and a
    ///   value that the option does not accept.
    init(_ bytes: [UInt8], path: String, options: [Option]) throws(CommandError) {
        let source = SourceText(path: path, bytes: bytes)
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes)
        } catch {
            throw .usage(source.line(for: error))
        }
        guard document.root.kind == .object else {
            throw .usage("\(path): a configuration file is a JSON object")
        }
        var values = [String: String]()
        var violations = [String]()
        for (name, value) in document.root.members {
            do throws(MemberViolation) {
                let (option, text) = try Self.read(name.string, value, options)
                values[option.name] = text
            } catch {
                violations.append(source.line(at: value.byteRange.lowerBound, error.detail))
            }
        }
        guard violations.isEmpty else { throw .usage(violations.joined(separator: "\n")) }
        self.values = values
    }

    private struct MemberViolation: Error {
        let detail: String
    }

    /// Returns the option that `member` names, and its value as typed; `nil` for null.
    private static func read(
        _ member: String, _ value: JSONValue, _ options: [Option]
    ) throws(MemberViolation) -> (Option, String?) {
        let known = options.filter { $0.sources.contains(.file) }
        guard let option = known.first(where: { $0.name == member }) else {
            let nearest = NearestName.of(member, among: known.map(\.name))
            let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
            throw MemberViolation(detail: "unknown member '\(member)'\(hint)")
        }
        if value.isNull { return (option, nil) }
        let text = value.typed(as: option.form)
        guard let text, option.accepts(text) else {
            throw MemberViolation(detail: "'\(member)' \(option.complaint(about: text ?? ""))")
        }
        return (option, text)
    }
}

extension JSONValue {
    private var number: String? {
        kind == .number ? int.map(String.init) ?? text?.string : nil
    }

    /// Returns the value as it would be typed on a command line, or `nil` if it has another form.
    fileprivate func typed(as form: Option.Form) -> String? {
        switch form {
        case .toggle, .truth: bool.map { $0 ? "true" : "false" }
        case .number: number
        case .amount: number ?? string
        case .text: string
        }
    }
}
