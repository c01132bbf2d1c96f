/// A member of the JSON of a layout, and the property of the options that it becomes.
///
/// Reading, overriding, the list of names and the OpenAPI document derive from it.
package struct OptionMember<Options>: Sendable {
    /// A function that reads a member, which is `nil` if it is absent or invalid.
    typealias Reader<Value> = @Sendable (Members, String, inout ViolationCollector) -> Value?
    /// A function that writes the value of a member.
    typealias Writer<Value> = @Sendable (Value, inout StructuredJSONWriter) -> Void

    package let name: String
    package let form: MemberForm
    /// A Boolean value that indicates whether other options read the member.
    package private(set) var isShared = false
    fileprivate let read: @Sendable (inout Options, Members, inout ViolationCollector) -> Void
    fileprivate let override: @Sendable (inout Options, Options) -> Void
    fileprivate var write: @Sendable (Options, inout StructuredJSONWriter) -> Void

    static func value<Value>(
        _ name: String, _ property: any WritableKeyPath<Options, Value?> & Sendable,
        _ form: MemberForm, write: @escaping Writer<Value>, _ read: @escaping Reader<Value>
    ) -> OptionMember {
        OptionMember(
            name: name, form: form,
            read: { $0[keyPath: property] = read($1, name, &$2) },
            override: { options, later in
                guard let value = later[keyPath: property] else { return }
                options[keyPath: property] = value
            },
            write: { options, output in
                guard let value = options[keyPath: property] else { return }
                output.member(named: name)
                write(value, &output)
            })
    }

    /// Creates a member whose value is that of other options, which read and write it.
    static func shared<Value>(
        _ name: String, _ property: any WritableKeyPath<Options, Value?> & Sendable,
        _ form: MemberForm
    ) -> OptionMember {
        var member = value(name, property, form, write: { _, _ in }) { _, _, _ in nil }
        member.isShared = true
        member.write = { _, _ in }
        return member
    }

    /// Creates a member that is a number of points (G2).
    static func length(
        _ name: String, _ property: any WritableKeyPath<Options, Double?> & Sendable
    ) -> OptionMember {
        value(name, property, .number, write: { $1.exactNumber($0) }) { $0.length($1, &$2) }
    }

    static func bool(
        _ name: String, _ property: any WritableKeyPath<Options, Bool?> & Sendable
    ) -> OptionMember {
        value(name, property, .bool, write: { $1.bool($0) }) { $0.bool($1, &$2) }
    }

    /// Creates a member that is points on all edges, or for each edge.
    static func insets(
        _ name: String, _ property: any WritableKeyPath<Options, Insets?> & Sendable
    ) -> OptionMember {
        value(name, property, .named("Insets"), write: { $0.write(to: &$1) }) {
            $0.insets($1, &$2)
        }
    }

    /// Creates a member that is one of the names of `Choice`; `schema` is the name of its schema,
    /// by default the member's own with a capital letter.
    static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ property: any WritableKeyPath<Options, Choice?> & Sendable,
        schema: String? = nil
    ) -> OptionMember {
        let schema = schema ?? name.prefix(1).uppercased() + name.dropFirst()
        return value(
            name, property, .choice(schema, Choice.self),
            write: { $1.string($0.rawValue) }
        ) { $0.choice($1, &$2) }
    }
}

/// The options of a layout: the members that it adds to `layout`.
package protocol LayoutOptions {
    /// The members in the order of messages and of the OpenAPI document.
    static var members: [OptionMember<Self>] { get }
}

extension LayoutOptions {
    static var names: [String] { members.map(\.name) }

    mutating func read(_ object: Members, _ collector: inout ViolationCollector) {
        for member in Self.members { member.read(&self, object, &collector) }
    }

    /// Writes the members that have a value.
    func write(to output: inout StructuredJSONWriter) {
        for member in Self.members { member.write(self, &output) }
    }

    /// Takes every value that `later` has from `later`.
    mutating func override(by later: Self) {
        for member in Self.members { member.override(&self, later) }
    }
}
