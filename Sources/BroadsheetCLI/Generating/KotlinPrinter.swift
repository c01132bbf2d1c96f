/// Writes the types of a catalog in Kotlin.
struct KotlinPrinter: ModelPrinter {
    private let model: GeneratedModel
    var writer = SourceWriter(.kotlin)

    static func print(_ model: GeneratedModel) -> String {
        var printer = KotlinPrinter(model: model)
        printer.file()
        return printer.writer.text
    }

    private init(model: GeneratedModel) { self.model = model }

    private mutating func file() {
        writer.line("// \(model.header)\n")
        if let package = model.package {
            let words = package.split(separator: ".").map { name(String($0)) }
            writer.line("package \(words.joined(separator: "."))\n")
        }
        for name in ["Array", "Element", "Null", "Object", "Primitive"] {
            writer.line("import kotlinx.serialization.json.Json\(name)")
        }
        writer.separate()
        writer.comment("The types of the catalog.")
        block("object \(model.name)") { printer in
            printer.cell()
            printer.unit()
            for index in printer.model.order { printer.declaration(printer.model.declared[index]) }
            for group in printer.model.actions { printer.actions(group) }
            for group in printer.model.constants { printer.constants(group) }
            printer.support()
        }
    }

    // MARK: Types

    /// Returns the name of a type in the scope of a class, whose cases hide names of others.
    private func name(_ type: DataType, in cases: Set<String> = []) -> String {
        switch type {
        case .json: known("JsonElement", "kotlinx.serialization.json", cases)
        case .bool: known("Boolean", "kotlin", cases)
        case .string, .literal: known("String", "kotlin", cases)
        case .integer: known("Long", "kotlin", cases)
        case .number: known("Double", "kotlin", cases)
        case .array(let inner):
            known("List", "kotlin.collections", cases) + "<\(name(inner, in: cases))>"
        case .map(let inner):
            known("Map", "kotlin.collections", cases)
                + "<\(known("String", "kotlin", cases)), \(name(inner, in: cases))>"
        case .nullable(let inner): "\(name(inner, in: cases))?"
        case .declared(let index): known(model.declared[index].name, model.name, cases)
        }
    }

    private func known(_ name: String, _ scope: String, _ cases: Set<String>) -> String {
        cases.contains(name) ? "\(scope).\(name)" : name
    }

    /// Returns an expression for a value that a type has in JSON.
    private func reading(_ type: DataType, _ json: String, in cases: Set<String> = []) -> String {
        switch type {
        case .json: json
        case .bool: "_boolean(\(json))"
        case .string, .literal: "_string(\(json))"
        case .integer: "_long(\(json))"
        case .number: "_double(\(json))"
        case .array(let inner): "_list(\(json)) { \(reading(inner, "it", in: cases)) }"
        case .map(let inner): "_map(\(json)) { \(reading(inner, "it", in: cases)) }"
        case .nullable(let inner): "_orNull(\(json)) { \(reading(inner, "it", in: cases)) }"
        case .declared(let index):
            isStrings(index)
                ? "\(name(type, in: cases)).of(_string(\(json)))"
                : "\(name(type, in: cases)).of(\(json))"
        }
    }

    /// Returns an expression for the JSON of a value.
    private func writing(_ type: DataType, _ value: String) -> String {
        switch type {
        case .json: value
        case .bool, .string, .literal, .integer, .number: "JsonPrimitive(\(value))"
        case .array(.json): "JsonArray(\(value))"
        case .map(.json): "JsonObject(\(value))"
        case .array(let inner): "JsonArray(\(value).map { \(writing(inner, "it")) })"
        case .map(let inner): "JsonObject(\(value).mapValues { \(writing(inner, "it.value")) })"
        case .nullable(let inner): "(\(value)?.let { \(writing(inner, "it")) } ?: JsonNull)"
        case .declared(let index):
            isStrings(index) ? "JsonPrimitive(\(value).raw)" : "\(value).toJson()"
        }
    }

    private func isStrings(_ index: Int) -> Bool {
        if case .strings = model.declared[index].form { true } else { false }
    }

    private func capitalized(_ identifier: String) -> String { CodeName.capitalized(identifier) }

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

    private func declaredName(_ member: ObjectMember) -> String {
        let type = name(member.type)
        switch member.presence {
        case .required: return type + defaultValue(member.constant)
        case .requiredNullable: return "\(type)?"
        case .optional: return "\(type)? = null"
        case .optionalNullable: return "Nullable<\(type)>? = null"
        }
    }

    private func defaultValue(_ constant: Constant?) -> String {
        switch constant {
        case nil: ""
        case .bool(let value): " = \(value)"
        case .integer(let value): value == .min ? " = Long.MIN_VALUE" : " = \(value)L"
        case .number(let text): " = \(Double(text).map { "\($0)" } ?? text)"
        case .string(let text): " = \(literal(text))"
        }
    }

    private mutating func object(
        _ type: DeclaredType, _ members: [ObjectMember], _ additional: DataType?
    ) {
        writer.comment(type.comment)
        var comments = members.map(\.comment)
        var texts = members.map { member in
            "val \(name(member.identifier)): \(declaredName(member))"
        }
        if let additional {
            texts.append("val additionalMembers: Map<String, \(name(additional))> = emptyMap()")
            comments.append(Comment(lines: ["The members that the catalog does not name."]))
        }
        writer.open("data class \(type.name)(")
        for (place, text) in texts.enumerated() {
            writer.comment(comments[place])
            writer.line(text + (place < texts.count - 1 ? "," : ""))
        }
        writer.close(") {")
        writer.indent()
        objectWriting(members, additional)
        objectReading(type, members, additional)
        writer.close()
    }

    private mutating func objectWriting(_ members: [ObjectMember], _ additional: DataType?) {
        writer.comment("Returns the object as JSON.")
        block("fun toJson(): JsonObject") { printer in
            let start = additional == nil ? "" : printer.additionalStart(additional)
            printer.writer.line("val _members = LinkedHashMap<String, JsonElement>(\(start))")
            for member in members {
                let name = printer.name(member.identifier)
                let key = printer.literal(member.name)
                switch member.presence {
                case .required:
                    printer.writer.line("_members[\(key)] = \(printer.writing(member.type, name))")
                case .requiredNullable:
                    let value = printer.writing(.nullable(member.type), name)
                    printer.writer.line("_members[\(key)] = \(value)")
                case .optional:
                    let value = printer.writing(member.type, "it")
                    printer.writer.line("\(name)?.let { _members[\(key)] = \(value) }")
                case .optionalNullable:
                    let value = printer.writing(.nullable(member.type), "it.value")
                    printer.writer.line("\(name)?.let { _members[\(key)] = \(value) }")
                }
            }
            printer.writer.line("return JsonObject(_members)")
        }
    }

    private func additionalStart(_ additional: DataType?) -> String {
        guard let additional, additional != .json else { return "additionalMembers" }
        return "additionalMembers.mapValues { \(writing(additional, "it.value")) }"
    }

    private mutating func objectReading(
        _ type: DeclaredType, _ members: [ObjectMember], _ additional: DataType?
    ) {
        writer.separate()
        writer.open("companion object {")
        writer.comment("Reads JSON, or throws an IllegalArgumentException.")
        writer.open("fun of(json: JsonElement): \(type.name) {")
        writer.line("val members = _members(json)")
        var arguments = members.map { member in
            let key = literal(member.name)
            let value = reading(member.type, "it")
            switch member.presence {
            case .required: return reading(member.type, "_required(members, \(key))")
            case .requiredNullable: return "_orNull(_required(members, \(key))) { \(value) }"
            case .optional:
                return member.type == .json
                    ? "members[\(key)]" : "members[\(key)]?.let { _orNull(it) { \(value) } }"
            case .optionalNullable:
                return "members[\(key)]?.let { Nullable(_orNull(it) { \(value) }) }"
            }
        }
        if let additional {
            let names = members.map { literal($0.name) }.joined(separator: ", ")
            let others = "members.filterKeys { it !in setOf(\(names)) }"
            let values = ".mapValues { \(reading(additional, "it.value")) }"
            arguments.append(others + (additional == .json ? "" : values))
        }
        writer.open("return \(type.name)(")
        for (place, argument) in arguments.enumerated() {
            writer.line("\(argument)\(place < arguments.count - 1 ? "," : "")")
        }
        writer.close(")")
        writer.close()
        writer.close()
    }

    // MARK: Sealed classes

    private mutating func strings(_ type: DeclaredType, _ cases: [StringCase]) {
        let hidden = Set(cases.map { capitalized($0.identifier) })
        let string = name(.string, in: hidden)
        writer.comment(type.comment)
        block("sealed class \(type.name)") { printer in
            printer.writer.comment("The string.")
            printer.writer.line("abstract val raw: \(string)")
            for item in cases {
                printer.writer.separate()
                printer.writer.comment(item.comment)
                printer.block(
                    "object \(printer.capitalized(item.identifier)) : \(printer.model.name).\(type.name)()"
                ) { printer in
                    printer.writer.line("override val raw = \(printer.literal(item.value))")
                }
            }
            printer.writer.separate()
            printer.writer.comment("A string that the catalog did not have.")
            printer.writer.line(
                "data class Unknown(override val raw: \(string)) : \(printer.model.name).\(type.name)()"
            )
            printer.writer.separate()
            printer.block("companion object") { printer in
                printer.writer.comment("Returns the case of a string.")
                let results = cases.map { ($0.value, printer.capitalized($0.identifier)) }
                printer.choice(
                    "fun of(raw: \(string)): \(printer.model.name).\(type.name) =", "raw", results,
                    otherwise: "Unknown(raw)")
            }
        }
    }

    private mutating func union(
        _ type: DeclaredType, _ selector: UnionSelector, _ cases: [UnionCase]
    ) {
        let hidden = Set(cases.map { capitalized($0.identifier) })
        let supertype = "\(model.name).\(type.name)"
        let json = name(.json, in: hidden)
        writer.comment(type.comment)
        block("sealed class \(type.name)") { printer in
            printer.writer.comment("Returns the value as JSON.")
            printer.writer.line("abstract fun toJson(): \(json)")
            for item in cases {
                printer.writer.separate()
                printer.sealedCase(
                    printer.capitalized(item.identifier), supertype,
                    value: printer.name(item.type, in: hidden), json,
                    printer.writing(item.type, "value"))
            }
            printer.writer.separate()
            printer.writer.comment("A value that the catalog did not have.")
            printer.sealedCase("Unknown", supertype, value: json, json, "value")
            printer.writer.separate()
            printer.block("companion object") { printer in
                printer.writer.comment("Reads JSON, or throws an IllegalArgumentException.")
                let results = cases.map { item in
                    let value = printer.reading(item.type, "json", in: hidden)
                    return (item.value, "\(printer.capitalized(item.identifier))(\(value))")
                }
                printer.choice(
                    "fun of(json: \(json)): \(supertype) =", printer.subject(selector), results,
                    otherwise: "Unknown(json)")
            }
        }
    }

    private func subject(_ selector: UnionSelector) -> String {
        switch selector {
        case .member(let name): "_selector(json, \(literal(name)))"
        case .kind: "_kind(json)"
        }
    }

    /// Writes a choice among results by a string.
    private mutating func choice(
        _ head: String, _ subject: String, _ results: [(value: String, result: String)],
        otherwise: String
    ) {
        block(head + (head.isEmpty ? "" : " ") + "when (\(subject))") { printer in
            for (value, result) in results {
                printer.writer.line("\(printer.literal(value)) -> \(result)")
            }
            printer.writer.line("else -> \(otherwise)")
        }
    }

    private mutating func sealedCase(
        _ name: String, _ supertype: String, value: String, _ json: String, _ expression: String
    ) {
        block("data class \(name)(val value: \(value)) : \(supertype)()") { printer in
            printer.writer.line("override fun toJson(): \(json) = \(expression)")
        }
    }

    // MARK: Cells and units

    private mutating func cell() {
        data(model.cells, "Cell", "cell type", "The data as JSON.") { $0 }
    }

    private mutating func unit() {
        let names = model.unitMembers
        let (type, data) = (literal(names.type), literal(names.data))
        self.data(model.units, "Unit", "unit type", "The unit as a page has it.") { value in
            "_object(\(type), this.type, \(data), \(value))"
        }
    }

    /// Writes the class of data by its type, whose JSON is an expression over that of the data.
    private mutating func data(
        _ cases: [DataCase], _ type: String, _ noun: String, _ text: String,
        _ json: (String) -> String
    ) {
        let hidden = Set(cases.map { capitalized($0.identifier) })
        let string = name(.string, in: hidden)
        let supertype = "\(model.name).\(type)"
        writer.separate()
        writer.comment("Data by its \(noun).")
        block("sealed class \(type)") { printer in
            printer.writer.comment("The name of the \(noun).")
            printer.writer.line("abstract val type: \(string)")
            printer.writer.separate()
            printer.writer.comment(text)
            printer.writer.line("abstract fun toJson(): JsonElement")
            for item in cases {
                printer.writer.separate()
                printer.writer.comment(item.comment)
                let name = printer.name(item.type, in: hidden)
                let head = "data class \(printer.capitalized(item.identifier))(val data: \(name))"
                printer.block("\(head) : \(supertype)()") { printer in
                    let value = json(printer.writing(item.type, "data"))
                    printer.writer.line("override val type get() = \(printer.literal(item.value))")
                    printer.writer.line("override fun toJson(): JsonElement = \(value)")
                }
            }
            printer.writer.separate()
            printer.writer.comment(
                "A \(noun) that this file does not have, or data that does not fit.")
            let head = "data class Unknown(override val type: \(string), val data: JsonElement)"
            printer.block("\(head) : \(supertype)()") { printer in
                printer.writer.line("override fun toJson(): JsonElement = \(json("data"))")
            }
            printer.dataReading(cases, hidden, supertype)
        }
    }

    private mutating func dataReading(
        _ cases: [DataCase], _ hidden: Set<String>, _ supertype: String
    ) {
        let string = name(.string, in: hidden)
        writer.separate()
        block("companion object") { printer in
            printer.writer.comment("Returns the data of a type; it never throws.")
            let head = "fun of(type: \(string), data: JsonElement): \(supertype) ="
            let results = cases.map { item in
                let value = printer.reading(item.type, "data", in: hidden)
                return (item.value, "\(printer.capitalized(item.identifier))(\(value))")
            }
            guard !cases.isEmpty else {
                return printer.writer.line("\(head) Unknown(type, data)")
            }
            printer.writer.open("\(head) try {")
            printer.choice("", "type", results, otherwise: "Unknown(type, data)")
            printer.writer.close("} catch (error: kotlin.IllegalArgumentException) {")
            printer.writer.line("    Unknown(type, data)\n}")
        }
    }

    // MARK: Actions and constants

    private mutating func actions(_ group: ActionGroup) {
        writer.separate()
        writer.comment("The actions of the cell type \(group.cellType).")
        block("object \(group.name)") { printer in
            for action in group.actions { printer.action(action) }
        }
    }

    private mutating func action(_ action: GeneratedAction) {
        writer.separate()
        writer.comment(
            action.comment,
            or: "The action \(action.value) of an item, or of the view header or footer.")
        let input = action.input.map { "input: \(name($0))" } ?? "input: JsonElement?"
        let value = writing(action.input ?? .json, "input")
        writer.list(
            "fun \(name(action.identifier))(",
            [input, "section: String", "item: String? = null", "view: String? = null"],
            "): JsonObject =")
        writer.line("    _action(\(literal(action.value)), \(value), section, item, view)")
    }

    private mutating func constants(_ group: ConstantGroup) {
        writer.separate()
        writer.comment(group.comment)
        block("object \(group.name)") { printer in
            for constant in group.constants {
                let name = printer.capitalized(constant.identifier)
                printer.writer.line("const val \(name) = \(printer.literal(constant.value))")
            }
        }
    }

    // MARK: The file's own declarations

    private mutating func support() {
        if model.containsMember(where: { $0.presence == .optionalNullable }) {
            part(
                """
                /** A value or null, where a missing member is something else. */
                data class Nullable<T>(val value: T?)
                """)
        }
        if !model.actions.isEmpty { part(Self.action) }
        // Each function is before those that it needs.
        for (name, text) in Self.functions where writer.text.contains(name) { part(text) }
    }

    private static let action = """
        private fun _action(
            name: String, input: JsonElement?, section: String, item: String?, view: String?
        ): JsonObject {
            val members = LinkedHashMap<String, JsonElement>()
            members["type"] = JsonPrimitive("action")
            members["section"] = JsonPrimitive(section)
            item?.let { members["item"] = JsonPrimitive(it) }
            view?.let { members["view"] = JsonPrimitive(it) }
            members["name"] = JsonPrimitive(name)
            input?.let { members["input"] = it }
            return JsonObject(members)
        }
        """

    private static let functions: [(String, String)] = [
        (
            "_object(",
            """
            private fun _object(
                type: String, typeName: String, data: String, value: JsonElement
            ): JsonObject {
                val members = LinkedHashMap<String, JsonElement>()
                members[type] = JsonPrimitive(typeName)
                members[data] = value
                return JsonObject(members)
            }
            """
        ),
        (
            "_required(",
            """
            private fun _required(members: Map<String, JsonElement>, name: String): JsonElement =
                members[name] ?: _fail(name + " is missing")
            """
        ),
        (
            "_members(",
            """
            private fun _members(json: JsonElement): Map<String, JsonElement> =
                json as? JsonObject ?: _fail("not an object")
            """
        ),
        (
            "_list(",
            """
            private inline fun <T> _list(json: JsonElement, read: (JsonElement) -> T): List<T> =
                (json as? JsonArray ?: _fail("not an array")).map { read(it) }
            """
        ),
        (
            "_map(",
            """
            private inline fun <T> _map(json: JsonElement, read: (JsonElement) -> T): Map<String, T> =
                (json as? JsonObject ?: _fail("not an object")).mapValues { read(it.value) }
            """
        ),
        (
            "_orNull(",
            """
            private inline fun <T> _orNull(json: JsonElement, read: (JsonElement) -> T): T? =
                if (json is JsonNull) null else read(json)
            """
        ),
        (
            "_string(",
            """
            private fun _string(json: JsonElement): String =
                if (json is JsonPrimitive && json.isString) json.content else _fail("not a string")
            """
        ),
        (
            "_boolean(",
            """
            private fun _boolean(json: JsonElement): Boolean = when (_literal(json)) {
                "true" -> true
                "false" -> false
                else -> _fail("not true or false")
            }
            """
        ),
        (
            "_long(",
            """
            private fun _long(json: JsonElement): Long {
                val literal = _literal(json)
                return literal.toLongOrNull() ?: try {
                    java.math.BigDecimal(literal).longValueExact()
                } catch (error: ArithmeticException) {
                    _fail("not a whole number of 64 bits")
                }
            }
            """
        ),
        ("_double(", "private fun _double(json: JsonElement): Double = _literal(json).toDouble()"),
        (
            "_selector(",
            """
            private fun _selector(json: JsonElement, name: String): String? {
                val value = (json as? JsonObject)?.get(name) as? JsonPrimitive
                return if (value != null && value.isString) value.content else null
            }
            """
        ),
        (
            "_kind(",
            """
            private fun _kind(json: JsonElement): String = when {
                json is JsonNull -> "null"
                json is JsonObject -> "object"
                json is JsonArray -> "array"
                json !is JsonPrimitive -> ""
                json.isString -> "string"
                json.content == "true" || json.content == "false" -> "bool"
                else -> "number"
            }
            """
        ),
        (
            "_literal(",
            """
            private fun _literal(json: JsonElement): String =
                if (json is JsonPrimitive && !json.isString) json.content else _fail("not a literal")
            """
        ),
        (
            "_fail(",
            """
            private fun _fail(reason: String): Nothing = throw IllegalArgumentException(reason)
            """
        ),
    ]
}
