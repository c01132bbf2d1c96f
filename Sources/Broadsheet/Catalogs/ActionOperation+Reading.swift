extension ActionOperation {
    /// Checks everything that does not depend on an event.
    init?(
        _ value: JSONValue, _ names: ContractNames, _ collector: inout ViolationCollector
    ) {
        guard let members = Members(value, &collector) else { return nil }
        var reader = InputReader(document: value.document)
        reader.read(value, &collector)
        let form = members.object["op"]?.string.flatMap(UpdateForms.form(named:))
        defaults = form?.members.flatMap { $0.suppliedPieces(unless: members.has) } ?? []
        pieces = Self.pieces(of: value, reader.inputs)
        check(value, names, reader.inputs, &collector)
    }

    private static func pieces(
        of value: JSONValue, _ inputs: [InputReader.Input]
    ) -> [Piece] {
        let (bytes, range) = (value.document.bytes, value.byteRange)
        var (pieces, start): ([Piece], Int) = ([], range.lowerBound)
        for input in inputs {
            pieces.append(.bytes(Array(bytes[start..<input.range.lowerBound])))
            pieces.append(.input(input.pointer))
            start = input.range.upperBound
        }
        pieces.append(.bytes(Array(bytes[start..<max(start, range.upperBound - 1)])))
        return pieces
    }

    /// Reports the violations of the operation that no event can avoid.
    private func check(
        _ value: JSONValue, _ names: ContractNames, _ inputs: [InputReader.Input],
        _ collector: inout ViolationCollector
    ) {
        let ownTarget = ActionTarget(section: .id(""), part: .item(.id("")))
        // A value of the input is read with the operation; an object holds its place meanwhile.
        var writer = JSONWriter()
        write(for: ownTarget, to: &writer) { _, writer in writer.raw("{}") }
        guard let document = try? JSONDocument(writer.bytes, maxDepth: .max) else { return }
        var violations = ViolationCollector(keeping: ContractError.maxViolations)
        _ = UpdateForms.operation(document.root, names, &violations)
        for violation in violations.violations {
            let isOfInput = inputs.contains { input in
                input.path != "/op"
                    && (violation.pointer == input.path
                        || violation.pointer.hasPrefix(input.path + "/"))
            }
            if !isOfInput {
                collector.report(violation.detail, at: value, below: violation.pointer)
            }
        }
    }
}

/// A reader of the places of an operation in a catalog that values of the input take.
private struct InputReader {
    struct Input {
        /// The bytes that the value replaces.
        let range: Range<Int>
        /// The pointer into the input.
        let pointer: JSONPointer
        /// The pointer from the operation to the place.
        let path: String
    }

    let document: JSONDocument
    private(set) var inputs: [Input] = []

    init(document: JSONDocument) { self.document = document }

    /// The depth of catalogs is limited, so recursion is safe.
    mutating func read(
        _ value: JSONValue, path: String = "", _ collector: inout ViolationCollector
    ) {
        if value.kind == .array {
            for (index, element) in value.elements.enumerated() {
                collector.path.descend(to: index)
                read(element, path: JSONPointer.appending(path, index), &collector)
                collector.path.ascend()
            }
            return
        }
        if value[ActionOperation.inputName] != nil {
            return readInput(value, path, &collector)
        }
        if value.kind == .object, value.count == 1 { reportMisspelt(value, &collector) }
        for (name, member) in value.members {
            let name = name.string
            collector.path.descend(to: name)
            read(member, path: JSONPointer.appending(path, name), &collector)
            collector.path.ascend()
        }
    }

    /// Reports the only member of an object if its name is nearly that of a value of the input.
    private func reportMisspelt(_ value: JSONValue, _ collector: inout ViolationCollector) {
        let input = ActionOperation.inputName
        for (name, member) in value.members
        where NearestName.of(name.string, among: [input], atMost: 2) != nil {
            collector.path.descend(to: name.string)
            collector.report("is not known; did you mean \"\(input)\"?", at: member)
            collector.path.ascend()
        }
    }

    private mutating func readInput(
        _ value: JSONValue, _ path: String, _ collector: inout ViolationCollector
    ) {
        let name = ActionOperation.inputName
        guard value.count == 1, !path.isEmpty, let members = Members(value, &collector) else {
            collector.report("must be a value with \"\(name)\" and no other member", at: value)
            return
        }
        guard let pointer = members.requiredPointer(name, &collector) else { return }
        inputs.append(Input(range: value.byteRange, pointer: pointer, path: path))
    }
}
