/// A member of the JSON of options, and the property that it becomes.
///
/// Reading, overriding, writing, the list of names and the OpenAPI document derive from it.
package struct OptionMember<Options>: Sendable {
    /// A function that reads a member, which is `nil` if it is absent or invalid.
    typealias Reader<Value> = @Sendable (Members, String, inout ViolationCollector) -> Value?
    /// A function that writes the value of a member.
    typealias Writer<Value> = @Sendable (Value, inout StructuredJSONWriter) -> Void

    package let name: String
    package let form: MemberForm
    fileprivate let read: @Sendable (inout Options, Members, inout ViolationCollector) -> Void
    fileprivate let override: @Sendable (inout Options, Options) -> Void
    fileprivate let write: @Sendable (Options, inout StructuredJSONWriter) -> Void

    init<Value>(
        _ name: String, _ form: MemberForm, get: @escaping @Sendable (Options) -> Value?,
        set: @escaping @Sendable (inout Options, Value) -> Void,
        write: @escaping Writer<Value>, _ read: @escaping Reader<Value>
    ) {
        self.name = name
        self.form = form
        self.read = { options, object, collector in
            if let value = read(object, name, &collector) { set(&options, value) }
        }
        override = { options, later in
            if let value = get(later) { set(&options, value) }
        }
        self.write = { options, output in
            guard let value = get(options) else { return }
            output.member(named: name)
            write(value, &output)
        }
    }

    static func value<Value>(
        _ name: String, _ property: any WritableKeyPath<Options, Value?> & Sendable,
        _ form: MemberForm, write: @escaping Writer<Value>, _ read: @escaping Reader<Value>
    ) -> OptionMember {
        OptionMember(
            name, form, get: { $0[keyPath: property] }, set: { $0[keyPath: property] = $1 },
            write: write, read)
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

    static func bool(
        _ name: String, always property: any WritableKeyPath<Options, Bool> & Sendable
    ) -> OptionMember {
        OptionMember(
            name, .bool, get: { $0[keyPath: property] }, set: { $0[keyPath: property] = $1 },
            write: { $1.bool($0) }
        ) { $0.bool($1, &$2) }
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
            name, property, .choice(schema, Choice.self), write: { $1.string($0.rawValue) }
        ) { $0.choice($1, &$2) }
    }

    /// Creates a member that is an object of members of its own; `schema` is the name of its
    /// schema.
    static func object<Inner: Sendable>(
        _ name: String, _ property: any WritableKeyPath<Options, Inner?> & Sendable,
        _ members: [OptionMember<Inner>], of initial: Inner, schema: String
    ) -> OptionMember {
        value(name, property, .named(schema), write: { members.write($0, to: &$1) }) {
            $0.object($1, &$2) { members.options(initial, from: $0, &$1) }
        }
    }
}

/// All members of options, in the order of messages and of the OpenAPI document.
extension Array {
    func read<Options>(
        _ options: inout Options, from object: Members, _ collector: inout ViolationCollector
    ) where Element == OptionMember<Options> {
        for member in self { member.read(&options, object, &collector) }
    }

    /// Returns options with the members of an object, of which unknown ones are reported.
    func options<Options>(
        _ initial: Options, from object: Members, _ collector: inout ViolationCollector
    ) -> Options where Element == OptionMember<Options> {
        object.reportUnknown(among: map(\.name), &collector)
        var options = initial
        read(&options, from: object, &collector)
        return options
    }

    /// Writes an object of the members that have a value.
    func write<Options>(
        _ options: Options, to output: inout StructuredJSONWriter
    ) where Element == OptionMember<Options> {
        output.object { output in
            for member in self { member.write(options, &output) }
        }
    }

    /// Takes every value that `later` has from `later`.
    func override<Options>(
        _ options: inout Options, by later: Options
    ) where Element == OptionMember<Options> {
        for member in self { member.override(&options, later) }
    }
}
