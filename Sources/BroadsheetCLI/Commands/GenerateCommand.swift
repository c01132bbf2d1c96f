import Broadsheet
import BroadsheetService

extension Command {
    static let generate = Command(
        name: "generate", summary: "Writes the types of a catalog's data in a language",
        usage: ["generate swift|kotlin|typescript [OPTION ...] CATALOG.json"],
        discussion: """
            The file has a type for the data of each cell type and unit type that has a schema, the
            inputs of actions, and constants for the names in the catalog (docs/generate.md).
            Each schema without a type of its own is a line on standard error: file:line:column, a
            JSON pointer, NOT_TYPED, the reason. '-' is standard input.
            Exit status: 0 if the file was written or, with --check, has this text already; 1 for
            an invalid catalog, which is reported as by check, and for a file with another text.
            """,
        settings: GenerateConfiguration.settings,
        run: { call async throws(CommandError) in
            try GenerateCall(call).run()
        })
}

private struct GenerateConfiguration: Configurable {
    static let defaults = GenerateConfiguration()

    /// The name of the file's scope; `nil` for that of the catalog's file.
    var name: String?
    var package: String?
    /// The file that is written; `-` is standard output.
    var output = "-"
    /// A Boolean value that indicates whether the file is compared and not written.
    var checks = false
    var layout = LayoutConfiguration()

    static let settings: [SettingGroup<GenerateConfiguration>] =
        [
            SettingGroup(
                "Code",
                [
                    Setting(
                        "name", .typeName, \.name, default: "the type name of the file's name",
                        "the name of the scope that the types are in"),
                    Setting("package", .packageName, \.package, "the package of a file in Kotlin"),
                    Setting(
                        "output", .text("FILE"), \.output,
                        "the file to write; '-' is standard output"
                    )
                    .abbreviated("o"),
                    Setting(
                        "check", .toggle, \.checks,
                        "compare the file of --output with what would be written"),
                ])
        ]
        + [SettingGroup<LayoutConfiguration>.fonts].map { group in
            SettingGroup(group.title, group.settings.map { $0.within(\.layout) })
        }
}

extension SettingValues where Value == String? {
    fileprivate static var typeName: SettingValues {
        SettingValues<String>.text("NAME", "a capital letter and at most 63 letters and digits")
            .map(
                { name in
                    let bytes = Array(name.utf8)
                    let isName =
                        1...64 ~= bytes.count && 65...90 ~= bytes[0]
                        && bytes.allSatisfy { $0.isLetterOrDigit }
                    return isName ? .some(name) : nil
                }, describe: { $0 })
    }

    fileprivate static var packageName: SettingValues {
        SettingValues<String>.text("PACKAGE", "words of letters, digits and _, joined by dots")
            .map(
                { name in
                    let words = name.split(separator: ".", omittingEmptySubsequences: false)
                    let isName = words.allSatisfy { word in
                        guard let first = word.utf8.first, !(48...57 ~= first) else { return false }
                        return word.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 95 }
                    }
                    return isName ? .some(name) : nil
                }, describe: { $0 })
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        48...57 ~= self || 65...90 ~= self || 97...122 ~= self
    }
}

/// A call of the command.
private struct GenerateCall {
    private let console: Console
    private let configuration: GenerateConfiguration
    private let generation: Generation

    init(_ call: CommandCall<GenerateConfiguration>) throws(CommandError) {
        let names = GeneratedLanguage.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = call.operands.first, let language = GeneratedLanguage(rawValue: word)
        else {
            throw .usage("which language? One of: \(names)")
        }
        guard call.operands.count == 2 else { throw .usage("one CATALOG.json is needed") }
        configuration = try call.configuration()
        guard configuration.package == nil || language == .kotlin else {
            throw .usage("--package is for kotlin only")
        }
        guard !configuration.checks || configuration.output != "-" else {
            throw .usage("--check requires --output FILE")
        }
        console = call.console
        let source = try SourceText.all(
            at: [call.operands[1]], "CATALOG.json", in: console)[0]
        generation = Generation(
            language, of: source, name: configuration.name ?? Generation.name(of: source.path),
            package: configuration.package, layout: configuration.layout)
    }

    func run() throws(CommandError) -> ExitStatus {
        let (bytes, notes) = try generation.code()
        if configuration.checks { return try check(bytes) }
        if configuration.output == "-" {
            try console.print(bytes)
        } else if let failure = console.save(bytes, configuration.output) {
            throw .input(["\(configuration.output): \(failure)"])
        }
        for note in notes { console.printError(note) }
        return .success
    }

    /// Compares the file with what would be written, besides the tag.
    private func check(_ bytes: [UInt8]) throws(CommandError) -> ExitStatus {
        let path = configuration.output
        let renewal = "renew it with: \(generation.renewal(of: path))"
        let current = try console.contents(of: path, for: "--output", ifMissing: renewal)
        let expected = Generation.linesWithoutTag(bytes)
        let found = Generation.linesWithoutTag(current)
        guard expected != found else { return .success }
        let place = zip(expected, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let line = place ?? min(expected.count, found.count)
        console.printError("\(path):\(line + 1): differs from what the catalog gives; \(renewal)")
        return .failure
    }
}

/// One file of types of a catalog.
struct Generation {
    private let language: GeneratedLanguage
    private let source: SourceText
    private let name: String
    private let package: String?
    private let layout: LayoutConfiguration

    init(
        _ language: GeneratedLanguage, of source: SourceText, name: String,
        package: String? = nil, layout: LayoutConfiguration = LayoutConfiguration()
    ) {
        (self.language, self.source, self.name) = (language, source, name)
        (self.package, self.layout) = (package, layout)
    }

    /// Returns the type name of a file's name without its extension.
    static func name(of path: String) -> String {
        guard path != "-" else { return "Catalog" }
        let file = path.split(separator: "/").last ?? ""
        let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        let name = CodeName(String(stem)).capitalized.filter { $0.isASCII }
        let isName = name.utf8.first.map { 65...90 ~= $0 } == true
        return isName ? String(name.prefix(64)) : "Catalog"
    }

    /// Returns the file, and a line for each schema that has no type.
    ///
    /// - Throws: `CommandError.input` with the lines of `check` for a catalog with faults.
    func code() throws(CommandError) -> (bytes: [UInt8], notes: [String]) {
        let catalog = try CatalogFile(fonts: layout.fonts)
            .catalog(in: source, limits: layout.limits).catalog
        let faults = catalog.diagnostics.filter { !$0.isAdvice }
        guard faults.isEmpty else {
            let advice = catalog.diagnostics.filter(\.isAdvice)
            throw .input(CatalogFile.lines(for: faults + advice, in: source))
        }
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument(source.bytes, maxDepth: .max) } catch {
            throw .input([source.line(for: error)])
        }
        let model = GeneratedModel(
            catalog, document.root, header: header, name: name, package: package)
        let notes = model.notes.map { note in
            let value = document.value(at: note.node)
            return (value.byteRange.lowerBound, value.pointer, "NOT_TYPED \(note.reason)")
        }
        return (Array(language.code(of: model).utf8), source.lines(for: notes))
    }

    /// The first line without its comment sign.
    private var header: String {
        let file = source.path.split(separator: "/").last.map(String.init) ?? source.path
        let plain = file.unicodeScalars.map { scalar -> Character in
            let isPlain =
                scalar.isASCII
                && (UInt8(scalar.value).isLetterOrDigit || "._-".unicodeScalars.contains(scalar))
            return isPlain ? Character(scalar) : "_"
        }
        let tag = SecretDigest(of: source.bytes).hexadecimal.prefix(16)
        return "\(command) \(String(plain)); tag \(tag); do not edit"
    }

    private var command: String {
        "broadsheet generate \(language.rawValue) --name \(name)"
            + (package.map { " --package \($0)" } ?? "")
    }

    func renewal(of path: String) -> String {
        "\(command)\(layout.fonts.map { " --fonts \($0)" } ?? "") --output \(path) \(source.path)"
    }

    static func linesWithoutTag(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let first = String(decoding: lines[0], as: UTF8.self)
        if let tag = first.firstMatch(of: /; tag [0-9a-f]{16};/) {
            lines[0] = ArraySlice(first.replacing(tag.output, with: ";").utf8)
        }
        return lines
    }
}
