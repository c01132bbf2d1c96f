/// Writes the types of a catalog in TypeScript.
struct TypeScriptPrinter: ModelPrinter {
    private let model: GeneratedModel
    var writer = SourceWriter(.typescript)

    static func print(_ model: GeneratedModel) -> String {
        var printer = TypeScriptPrinter(model: model)
        printer.file()
        return printer.writer.text
    }

    private init(model: GeneratedModel) { self.model = model }

    private mutating func file() {
        writer.line("// \(model.header)")
        for index in model.order { declaration(model.declared[index]) }
        cells()
        units()
        actions()
        for group in model.constants where group.cellName == nil { constants(group) }
        parts()
    }

    // MARK: Types

    private func name(_ type: DataType, inUnion: Bool = false) -> String {
        switch type {
        case .json: "unknown"
        case .bool: "boolean"
        case .string: "string"
        case .literal(let text): literal(text)
        case .integer, .number: "number"
        case .array(.nullable(let inner)): "(\(name(inner, inUnion: inUnion)) | null)[]"
        case .array(let inner): "\(name(inner, inUnion: inUnion))[]"
        case .map(let inner):
            // An alias may contain itself in an object type, and not in an argument of Record.
            inUnion
                ? "{[member: string]: \(name(inner, inUnion: true))}"
                : "Record<string, \(name(inner))>"
        case .nullable(let inner): "\(name(inner, inUnion: inUnion)) | null"
        case .declared(let index): model.declared[index].name
        }
    }

    private func key(_ name: String) -> String {
        let isIdentifier =
            name.utf8.first.map { !(48...57 ~= $0) } == true
            && name.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 || $0 == 95 || $0 == 36
            }
        return isIdentifier ? name : literal(name)
    }

    private mutating func declaration(_ type: DeclaredType) {
        writer.separate()
        switch type.form {
        case .object(let members, let additional):
            writer.comment(type.comment)
            block("export interface \(type.name)") { printer in
                for member in members { printer.member(member) }
                guard additional != nil else { return }
                printer.writer.comment("Members that the catalog does not name.")
                printer.writer.line("[member: string]: unknown;")
            }
        case .strings(let cases):
            var comment = type.comment
            for item in cases where !item.comment.lines.isEmpty {
                comment.lines.append("\(item.value): \(item.comment.lines.joined(separator: " "))")
            }
            alias(type, comment, cases.map { literal($0.value) } + ["(string & {})"])
        case .union(_, let cases):
            var comment = type.comment
            comment.lines.append("Newer catalogs may have other values.")
            alias(type, comment, cases.map { name($0.type, inUnion: true) })
        case .alias: break
        }
    }

    private mutating func alias(_ type: DeclaredType, _ comment: Comment, _ types: [String]) {
        writer.comment(comment)
        let line = "export type \(type.name) = \(types.joined(separator: " | "));"
        guard line.utf8.count > 100 else { return writer.line(line) }
        writer.line("export type \(type.name) =")
        for (place, text) in types.enumerated() {
            writer.line("    | \(text)\(place == types.count - 1 ? ";" : "")")
        }
    }

    private mutating func member(_ member: ObjectMember) {
        let null = member.isNullable ? " | null" : ""
        writer.comment(member.comment)
        writer.line(
            "\(key(member.name))\(member.isRequired ? "" : "?"): \(name(member.type))\(null);")
    }

    // MARK: Cells and units

    private mutating func data(_ cases: [DataCase], _ type: String, _ comment: String) {
        writer.separate()
        writer.comment(comment)
        block("export interface \(type)") { printer in
            for item in cases {
                printer.writer.comment(item.comment)
                printer.writer.line("\(printer.key(item.value)): \(printer.name(item.type));")
            }
        }
    }

    private mutating func cells() {
        data(
            model.cells, "CellData", "The data of items, headers and footers, by their cell types.")
        part(Self.cellTypes)
        writer.list(
            "const cellTypes: readonly string[] = [", model.cells.map { literal($0.value) }, "];")
        part(Self.cell)
    }

    private mutating func units() {
        let (type, data) = (key(model.unitMembers.type), key(model.unitMembers.data))
        self.data(model.units, "UnitData", "The data of units, by their unit types.")
        part(
            """
            /** The name of a unit type. */
            export type UnitType = keyof UnitData;

            /** Returns a unit as a page has it. */
            export function unit<T extends UnitType>(
                type: T, data: UnitData[T]
            ): {\(type): T; \(data): UnitData[T]} {
                return {\(type): type, \(data): data};
            }
            """)
    }

    // MARK: Actions and constants

    private mutating func actions() {
        guard !model.actions.isEmpty else { return }
        part(Self.clientEvent)
        writer.separate()
        writer.comment("The actions of cell types, by these.")
        writer.open("export const actions = {")
        for group in model.actions {
            writer.open("\(group.cellName): {")
            for action in group.actions {
                let input = action.input.map { name($0) } ?? "unknown"
                writer.comment(action.comment, or: "The action \(action.value).")
                writer.list(
                    "\(action.identifier): (", ["input: \(input)", "target: ActionTarget"],
                    "): ClientEvent =>")
                writer.line("    event(\(literal(action.value)), input, target),")
            }
            writer.close("},")
        }
        writer.close("} as const;")
    }

    private mutating func constants(_ group: ConstantGroup) {
        writer.separate()
        writer.comment(group.comment)
        writer.open("export const \(group.name) = {")
        for constant in group.constants {
            writer.line("\(constant.identifier): \(literal(constant.value)),")
        }
        writer.close("} as const;")
    }

    private mutating func parts() {
        let groups = model.constants.filter { $0.cellName != nil }
        guard !groups.isEmpty else { return }
        writer.separate()
        writer.comment("The names of parts, by their cell types.")
        writer.open("export const Parts = {")
        for group in groups {
            writer.open("\(group.cellName ?? ""): {")
            for constant in group.constants {
                writer.line("\(constant.identifier): \(literal(constant.value)),")
            }
            writer.close("},")
        }
        writer.close("} as const;")
    }

    private static let cellTypes = """
        /** The name of a cell type. */
        export type CellType = keyof CellData;

        """

    private static let cell = """
        /** An item, a header or a footer of a cell type. */
        export type CellOf<T extends CellType, I = {type: string}> =
            Omit<I, "type" | "data"> & {type: T; data: CellData[T]};

        /** An item, a header or a footer of one of the cell types. */
        export type Cell<I = {type: string}> = {[T in CellType]: CellOf<T, I>}[CellType];

        /** Functions that draw items into elements, by their cell types. */
        export type CellFunctions<E, I, S> = {
            [T in CellType]?: (element: E, item: CellOf<T, I>, section: S) => void;
        };

        /** Returns an item as one of its cell type; undefined for other types. */
        export function cell<I extends {type: string}>(item: I): Cell<I> | undefined {
            return cellTypes.indexOf(item.type) < 0 ? undefined : item as unknown as Cell<I>;
        }
        """

    private static let clientEvent = """
        /** The item, header or footer of an action, by ids or indexes. */
        export type ActionTarget =
            | {section: string | number; item: string | number}
            | {section: string | number; view: "header" | "footer"};

        /** An action as a client reports it. */
        export interface ClientEvent {
            type: "action";
            name: string;
            section: string | number;
            item?: string | number;
            view?: "header" | "footer";
            input?: unknown;
        }

        function event(name: string, input: unknown, target: ActionTarget): ClientEvent {
            return {type: "action", name, ...target, ...(input === undefined ? {} : {input})};
        }
        """
}
