/// Writes the types of a catalog in Swift.
struct SwiftPrinter: ModelPrinter {
    private let model: GeneratedModel
    var writer = SourceWriter(.swift)

    static func print(_ model: GeneratedModel) -> String {
        var printer = SwiftPrinter(model: model)
        printer.file()
        return printer.writer.text
    }

    private init(model: GeneratedModel) { self.model = model }

    private mutating func file() {
        writer.line("// \(model.header)\n\nimport BroadsheetClient\n")
        writer.comment("The types of the catalog.")
        block("public enum \(model.name)") { printer in
            printer.cell()
            printer.unit()
            for index in printer.model.order { printer.declaration(printer.model.declared[index]) }
            for group in printer.model.actions { printer.actions(group) }
            for group in printer.model.constants { printer.constants(group) }
            printer.support()
        }
    }

    // MARK: Types

    private func name(_ type: DataType) -> String {
        switch type {
        case .json: "TreeValue"
        case .bool: "Bool"
        case .string, .literal: "String"
        case .integer: "Int64"
        case .number: "Double"
        case .array(let inner): "[\(name(inner))]"
        case .map(let inner): "[String: \(name(inner))]"
        case .nullable(let inner): "\(name(inner))?"
        case .declared(let index): model.declared[index].name
        }
    }

    /// Returns the type of a member as it is decoded, without what may be missing.
    private func decodedName(_ member: ObjectMember) -> String {
        let type = member.isIndirect ? "Indirect<\(name(member.type))>" : name(member.type)
        switch member.presence {
        case .required, .optional: return type
        case .requiredNullable: return "\(type)?"
        case .optionalNullable: return "Nullable<\(type)>"
        }
    }

    private func declaredName(_ member: ObjectMember) -> String {
        decodedName(member) + (member.isRequired ? "" : "?")
    }

    private func defaultValue(_ member: ObjectMember) -> String {
        guard member.presence == .required else { return " = nil" }
        return switch member.constant {
        case .bool(let value): " = \(value)"
        case .integer(let value): " = \(value)"
        case .number(let text): " = \(Double(text).map { "\($0)" } ?? text)"
        case .string(let text): " = \(literal(text))"
        case nil: ""
        }
    }

    private mutating func declaration(_ type: DeclaredType) {
        writer.separate()
        switch type.form {
        case .object(let members, let additional): object(type, members, additional)
        case .strings(let cases): strings(type, cases)
        case .union(let selector, let cases): union(type, selector, cases)
        case .alias: break
        }
    }

    // MARK: Objects

    private mutating func object(
        _ type: DeclaredType, _ members: [ObjectMember], _ additional: DataType?
    ) {
        writer.comment(type.comment)
        block("public struct \(type.name): Codable, Hashable, Sendable") { printer in
            for member in members {
                printer.writer.comment(member.comment)
                let identifier = printer.name(member.identifier)
                printer.writer.line("public var \(identifier): \(printer.declaredName(member))")
            }
            if let additional {
                printer.writer.comment("The members that the catalog does not name.")
                printer.writer.line(
                    "public var additionalMembers: [String: \(printer.name(additional))]")
            }
            printer.memberwise(members, additional)
            let isSpecial = members.contains { $0.needsOwnCoding } || additional != nil
            if isSpecial || members.contains(where: { $0.identifier != $0.name }) {
                printer.codingKeys(members)
            }
            if isSpecial { printer.coding(members, additional) }
        }
    }

    private mutating func memberwise(_ members: [ObjectMember], _ additional: DataType?) {
        writer.separate()
        var parameters = members.map { member in
            let name = name(member.identifier)
            return "\(name): \(declaredName(member))\(defaultValue(member))"
        }
        if let additional {
            parameters.append("additionalMembers: [String: \(name(additional))] = [:]")
        }
        writer.comment("Creates the object.")
        writer.list("public init(", parameters, ") {")
        let names = members.map { name($0.identifier) }
        for name in names + (additional == nil ? [] : ["additionalMembers"]) {
            writer.line("    self.\(name) = \(name)")
        }
        writer.line("}")
    }

    private mutating func codingKeys(_ members: [ObjectMember]) {
        writer.separate()
        block("private enum CodingKeys: String, CodingKey") { printer in
            for member in members {
                let identifier = printer.name(member.identifier)
                let isSame = member.identifier == member.name
                let value = isSame ? "" : " = \(printer.literal(member.name))"
                printer.writer.line("case \(identifier)\(value)")
            }
        }
    }

    private mutating func coding(_ members: [ObjectMember], _ additional: DataType?) {
        writer.separate()
        writer.comment("Decodes the object.")
        block("public init(from _decoder: any Decoder) throws") { printer in
            printer.writer.line("let _container = try _decoder.container(keyedBy: CodingKeys.self)")
            for member in members { printer.decoding(member) }
            guard let additional else { return }
            printer.writer.line("let _others = try _decoder.container(keyedBy: _Key.self)")
            printer.writer.line(
                "var _members: [String: \(printer.name(additional))] = [:]")
            printer.block(
                "for key in _others.allKeys where CodingKeys(stringValue: key.stringValue) == nil"
            ) { printer in
                let name = printer.name(additional)
                printer.writer.line(
                    "_members[key.stringValue] = try _others.decode(\(name).self, forKey: key)"
                )
            }
            printer.writer.line("additionalMembers = _members")
        }
        writer.separate()
        writer.comment("Encodes the object.")
        block("public func encode(to _encoder: any Encoder) throws") { printer in
            printer.writer.line("var _container = _encoder.container(keyedBy: CodingKeys.self)")
            for member in members {
                let name = printer.name(member.identifier)
                let method = member.isRequired ? "encode" : "encodeIfPresent"
                printer.writer.line("try _container.\(method)(\(name), forKey: .\(name))")
            }
            guard additional != nil else { return }
            printer.writer.line("var _others = _encoder.container(keyedBy: _Key.self)")
            printer.block("for (name, value) in additionalMembers") { printer in
                printer.writer.line("try _others.encode(value, forKey: _Key(stringValue: name))")
            }
        }
    }

    private mutating func decoding(_ member: ObjectMember) {
        let name = name(member.identifier)
        let type = decodedName(member)
        if member.isRequired {
            writer.line("\(name) = try _container.decode(\(type).self, forKey: .\(name))")
        } else if member.presence == .optionalNullable || member.type == .json {
            // An expression with nil would be null, as a JSON value has that literal.
            writer.line("if _container.contains(.\(name)) {")
            writer.line("    \(name) = try _container.decode(\(type).self, forKey: .\(name))\n}")
        } else {
            writer.line("\(name) = try _container.decodeIfPresent(\(type).self, forKey: .\(name))")
        }
    }

    // MARK: Enumerations

    private mutating func strings(_ type: DeclaredType, _ cases: [StringCase]) {
        writer.comment(type.comment)
        block("public enum \(type.name): RawRepresentable, Codable, Hashable, Sendable") {
            printer in
            for item in cases {
                printer.writer.comment(item.comment)
                printer.writer.line("case \(printer.name(item.identifier))")
            }
            printer.writer.comment("A string that the catalog did not have.")
            printer.writer.line("case unknown(String)")
            printer.writer.separate()
            printer.writer.comment("Creates the case of a string.")
            printer.block("public init(rawValue: String)") { printer in
                printer.choice(
                    "rawValue",
                    cases.map { item in
                        (printer.literal(item.value), "self = .\(printer.name(item.identifier))")
                    }, otherwise: "self = .unknown(rawValue)")
            }
            printer.writer.separate()
            printer.writer.comment("The string.")
            printer.block("public var rawValue: String") { printer in
                printer.cases(
                    cases.map { item in
                        (".\(printer.name(item.identifier))", printer.literal(item.value))
                    } + [(".unknown(let rawValue)", "rawValue")])
            }
        }
    }

    /// Writes a switch over values with a default.
    private mutating func choice(
        _ value: String, _ cases: [(String, String)], otherwise: String
    ) {
        writer.line("switch \(value) {")
        for (pattern, result) in cases { writer.line("case \(pattern): \(result)") }
        writer.line("default: \(otherwise)\n}")
    }

    /// Writes a switch over all cases of the value itself.
    private mutating func cases(_ cases: [(String, String)]) {
        writer.line("switch self {")
        for (pattern, result) in cases { writer.line("case \(pattern): \(result)") }
        writer.line("}")
    }

    private mutating func union(
        _ type: DeclaredType, _ selector: UnionSelector, _ cases: [UnionCase]
    ) {
        writer.comment(type.comment)
        block("public indirect enum \(type.name): Codable, Hashable, Sendable") { printer in
            for item in cases {
                printer.writer.line(
                    "case \(printer.name(item.identifier))(\(printer.name(item.type)))")
            }
            printer.writer.comment("A value that the catalog did not have.")
            printer.writer.line("case unknown(TreeValue)")
            printer.writer.separate()
            printer.writer.comment("Decodes the value.")
            printer.block("public init(from decoder: any Decoder) throws") { printer in
                switch selector {
                case .member(let member): printer.selection(member, cases)
                case .kind: printer.kinds(cases)
                }
            }
            printer.writer.separate()
            printer.writer.comment("Encodes the value.")
            printer.block("public func encode(to encoder: any Encoder) throws") { printer in
                printer.cases(
                    cases.map { item in
                        (
                            ".\(printer.name(item.identifier))(let value)",
                            "try value.encode(to: encoder)"
                        )
                    } + [(".unknown(let value)", "try value.encode(to: encoder)")])
            }
        }
    }

    private mutating func selection(_ member: String, _ cases: [UnionCase]) {
        writer.line("let container = try? decoder.container(keyedBy: _Key.self)")
        writer.line("let key = _Key(stringValue: \(literal(member)))")
        choice(
            "try? container?.decode(String.self, forKey: key)",
            cases.map { item in
                let name = name(item.identifier)
                return (
                    literal(item.value),
                    "self = .\(name)(try \(self.name(item.type))(from: decoder))"
                )
            }, otherwise: "self = .unknown(try TreeValue(from: decoder))")
    }

    private mutating func kinds(_ cases: [UnionCase]) {
        writer.line("let container = try decoder.singleValueContainer()")
        var head = "if"
        for item in cases {
            let (name, type) = (name(item.identifier), name(item.type))
            let decoding = "try container.decode(\(type).self)"
            switch item.value {
            case "array", "object":
                let test =
                    item.value == "array"
                    ? "(try? decoder.unkeyedContainer()) != nil"
                    : "(try? decoder.container(keyedBy: _Key.self)) != nil"
                writer.line("\(head) \(test) {\n    self = .\(name)(\(decoding))")
            default:
                writer.line(
                    "\(head) let value = try? container.decode(\(type).self) {\n"
                        + "    self = .\(name)(value)")
            }
            head = "} else if"
        }
        writer.line("} else {\n    self = .unknown(try container.decode(TreeValue.self))\n}")
    }

    // MARK: Cells and units

    private mutating func cell() {
        let cells = model.cells
        writer.separate()
        writer.comment("The data of an item, a header or a footer, by its cell type.")
        block("public enum Cell: Hashable, Sendable") { printer in
            printer.dataCases(
                cells, "A cell type that this file does not have, or data that does not fit.")
            printer.writer.separate()
            printer.writer.comment("Creates the data of an item.")
            printer.writer.line(
                "public init(_ item: TreeItem) { self.init(type: item.type, data: item.data) }")
            printer.writer.separate()
            printer.writer.comment("Creates the data of a header or a footer.")
            printer.writer.line(
                "public init(_ view: TreeView) { self.init(type: view.type, data: view.data) }")
            printer.dataCoding(cells, "cell type", type: "type", data: "data")
            printer.writer.separate()
            printer.writer.comment("The data as JSON.")
            printer.block("public var data: TreeValue") { printer in
                printer.eachData(cells) { $0 == .json ? "data" : "_json(data)" }
            }
        }
    }

    private mutating func unit() {
        let (units, names) = (model.units, model.unitMembers)
        writer.separate()
        writer.comment("The data of a unit of a page, by its unit type.")
        block("public enum Unit: Encodable, Hashable, Sendable") { printer in
            printer.dataCases(
                units, "A unit type that this file does not have, or data that does not fit.")
            printer.dataCoding(units, "unit type", type: "unitType", data: "unitData")
            printer.writer.separate()
            printer.writer.comment("The data.")
            printer.block("public var unitData: (any Encodable & Sendable)?") { printer in
                printer.eachData(units) { _ in "data" }
            }
            printer.writer.separate()
            printer.writer.comment("Encodes the unit as a page has it.")
            printer.block("public func encode(to encoder: any Encoder) throws") { printer in
                printer.writer.line("var container = encoder.container(keyedBy: _Key.self)")
                let (type, data) = (printer.literal(names.type), printer.literal(names.data))
                printer.writer.line(
                    "try container.encode(unitType, forKey: _Key(stringValue: \(type)))")
                printer.writer.line("let key = _Key(stringValue: \(data))")
                printer.eachData(units) { _ in "try container.encode(data, forKey: key)" }
            }
        }
    }

    private mutating func dataCases(_ cases: [DataCase], _ unknown: String) {
        for item in cases {
            writer.comment(item.comment)
            writer.line("case \(name(item.identifier))(\(name(item.type)))")
        }
        writer.comment(unknown)
        writer.line("case unknown(type: String, data: TreeValue)")
    }

    /// Writes a switch over all cases, in which `data` is the data.
    private mutating func eachData(_ cases: [DataCase], _ result: (DataType) -> String) {
        self.cases(
            cases.map { item in
                (".\(name(item.identifier))(let data)", result(item.type))
            } + [(".unknown(_, let data)", result(.json))])
    }

    private mutating func dataCoding(
        _ cases: [DataCase], _ noun: String, type: String, data: String
    ) {
        writer.separate()
        writer.comment("Creates the data of a \(noun).")
        block("public init(type: String, data: TreeValue)") { printer in
            let unknown = ".unknown(type: type, data: data)"
            guard !cases.isEmpty else { return printer.writer.line("self = \(unknown)") }
            printer.choice(
                "type",
                cases.map { item in
                    let name = printer.name(item.identifier)
                    let result =
                        item.type == .json
                        ? "self = .\(name)(data)"
                        : "self = _model(data, \(printer.name(item.type)).self).map(Self.\(name))"
                            + " ?? \(unknown)"
                    return (printer.literal(item.value), result)
                }, otherwise: "self = \(unknown)")
        }
        writer.separate()
        writer.comment("The name of the \(noun).")
        block("public var \(type): String") { printer in
            printer.cases(
                cases.map { item in
                    (".\(printer.name(item.identifier))", printer.literal(item.value))
                } + [(".unknown(let type, _)", "type")])
        }
    }

    // MARK: Actions and constants

    private mutating func actions(_ group: ActionGroup) {
        writer.separate()
        writer.comment("The actions of the cell type \(group.cellType).")
        block("public enum \(group.name)") { printer in
            for action in group.actions {
                printer.action(action, target: "item", "UpdateTarget", "of an item")
                printer.action(action, target: "view", "SectionView", "of a header or a footer")
            }
        }
    }

    private mutating func action(
        _ action: GeneratedAction, target: String, _ type: String, _ noun: String
    ) {
        writer.separate()
        writer.comment(action.comment, or: "The action \(action.value) \(noun).")
        let input = action.input.map { "_ input: \(name($0))" } ?? "_ input: TreeValue? = nil"
        let value = action.input == nil || action.input == .json ? "input" : "_json(input)"
        writer.list(
            "public static func \(name(action.identifier))(",
            [input, "section: UpdateTarget", "\(target): \(type)"], ") -> ClientEvent {")
        writer.list(
            "    ClientEvent(",
            [
                "action: \(literal(action.value))", "section: section",
                "\(target): \(target)", "input: \(value)",
            ], ")")
        writer.line("}")
    }

    private mutating func constants(_ group: ConstantGroup) {
        writer.separate()
        writer.comment(group.comment)
        block("public enum \(group.name)") { printer in
            for constant in group.constants {
                let name = printer.name(constant.identifier)
                printer.writer.line(
                    "public static let \(name) = \(printer.literal(constant.value))")
            }
        }
    }

    // MARK: The file's own types

    private mutating func support() {
        if model.containsMember(where: { $0.presence == .optionalNullable }) {
            part(Self.nullable)
        }
        if model.containsMember(where: \.isIndirect) { part(Self.indirect) }
        part(Self.key)
        if writer.text.contains("_json(") { part(Self.json) }
        if writer.text.contains("_model(") { part(Self.model) }
    }

    private static let nullable = """
        /// A value or null, where a missing member is something else.
        public enum Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            /// Null.
            case null
            /// A value.
            case value(Value)

            /// The value; `nil` for null.
            public var value: Value? {
                if case .value(let value) = self { value } else { nil }
            }

            /// Decodes the value.
            public init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
            }

            /// Encodes the value.
            public func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(value)
            }
        }
        """

    private static let indirect = """
        /// A value of a type that contains itself.
        public struct Indirect<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            private indirect enum Storage: Hashable, Sendable { case value(Value) }

            private var storage: Storage

            /// Creates the value.
            public init(_ value: Value) { storage = .value(value) }

            /// The value.
            public var value: Value {
                get { switch storage { case .value(let value): value } }
                set { storage = .value(newValue) }
            }

            /// Decodes the value.
            public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

            /// Encodes the value.
            public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        """

    private static let key = """
        private struct _Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        """

    private static let model = """
        private static func _model<Model: Decodable>(
            _ data: TreeValue, _ type: Model.Type
        ) -> Model? {
            try? data.decode(type)
        }
        """

    private static let json = """
        private static func _json(_ model: some Encodable) -> TreeValue {
            (try? TreeValue(encoding: model)) ?? .null
        }
        """
}

extension ObjectMember {
    /// A Boolean value that indicates whether the coding that Swift derives treats null otherwise.
    fileprivate var needsOwnCoding: Bool {
        isNullable || type == .json && presence == .optional
    }
}
