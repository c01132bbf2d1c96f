internal import Broadsheet

/// The `--config` file: a JSON object with a member for each option it speaks for.
struct ConfigurationFile: Sendable {
    /// The values it gives, as they would be typed on the command line, by option name.
    let values: [String: String]

    /// Reads the bytes of the file at `path`.
    ///
    /// A member that is null speaks for nothing; of a member given twice the last one counts.
    ///
    /// - Throws: `CommandError.usage` with every fault, each naming its place in the file: text that
    ///   is not JSON, an unknown member (with the nearest one that there is), a value of the wrong
    ///   type, or one that the option does not accept.
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
        var faults = [String]()
        for (name, value) in document.root.members {
            do throws(MemberFault) {
                let (option, text) = try Self.read(name.string, value, options)
                values[option.name] = text
            } catch {
                faults.append(source.line(at: value.byteRange.lowerBound, error.detail))
            }
        }
        guard faults.isEmpty else { throw .usage(faults.joined(separator: "\n")) }
        self.values = values
    }

    /// What is the matter with one member.
    private struct MemberFault: Error {
        let detail: String
    }

    /// The option that `member` names, and its value as typed; nil for null.
    private static func read(
        _ member: String, _ value: JSONValue, _ options: [Option]
    ) throws(MemberFault) -> (Option, String?) {
        let known = options.filter(\.hasMember)
        guard let option = known.first(where: { $0.name == member }) else {
            let nearest = NearestName.of(member, among: known.map(\.name))
            let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
            throw MemberFault(detail: "unknown member '\(member)'\(hint)")
        }
        if value.isNull { return (option, nil) }
        guard let text = value.typed(as: option.form), option.accepts(text) else {
            throw MemberFault(detail: "'\(member)' is not \(option.expectation)")
        }
        return (option, text)
    }
}

extension JSONValue {
    /// The value as it would be typed on a command line; nil if it is not of the wanted form.
    fileprivate func typed(as form: Option.Form) -> String? {
        switch form {
        case .toggle: bool.map { $0 ? "true" : "false" }
        case .number: kind == .number ? int.map(String.init) ?? text?.string : nil
        case .text: string
        }
    }
}
