/// The members of one object, read by name and type; invalid values are reported as violations.
///
/// A member that is null counts as absent, an unknown member is ignored with a diagnostic, and the
/// last of duplicate members counts. Each read is O(members).
struct Members {
    let object: JSONValue

    /// Creates the members of `value`; reports a value that is not an object.
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard value.kind == .object else {
            collector.report("must be an object\(value.insteadOf)", at: value)
            return nil
        }
        object = value
    }

    // MARK: Members by name

    /// Returns the last member called `name`, null or not, and reports duplicates.
    func posted(_ name: String, _ collector: inout ViolationCollector) -> JSONValue? {
        var (found, count) = (nil as UInt32?, 0)
        var text = name
        text.withUTF8 { key in
            object.document.forEachMember(key, of: object.node) {
                found = $0
                count += 1
            }
        }
        for _ in 1..<max(1, count) { collector.reportDuplicate(name) }
        return found.map(object.document.value(at:))
    }

    /// Reports the members whose names are not in `known`, each name once for a document.
    ///
    /// - Complexity: O(members).
    func reportUnknown(among known: [String], _ collector: inout ViolationCollector) {
        reportUnknown(among: KnownNames(known), &collector)
    }

    /// Reports the members whose names are not in `known`, each name once for a document.
    ///
    /// - Complexity: O(members).
    func reportUnknown(
        among known: KnownNames, of holder: MemberDiagnostics.Holder = .contract,
        _ collector: inout ViolationCollector
    ) {
        for member in object.members where !known.names.contains(where: member.name.equals) {
            collector.reportUnknown(member.name, among: known, of: holder)
        }
    }

    /// Reports the members with nearly the name of one in `known` as violations.
    ///
    /// - Complexity: O(members).
    func refuseMisspelt(among known: KnownNames, _ collector: inout ViolationCollector) {
        for member in object.members where !known.names.contains(where: member.name.equals) {
            let name = member.name.string
            guard !MemberDiagnostics.isForOthers(name), let nearest = known.misspelt(name)
            else { continue }
            collector.report(
                "is not known; did you mean \"\(nearest)\"?", at: member.value,
                below: JSONPointer.appending("", name))
        }
    }

    func has(_ name: String) -> Bool { object[name].map { !$0.isNull } ?? false }

    /// Returns the member called `name`; `nil` if it is absent or null.
    func value(_ name: String, _ collector: inout ViolationCollector) -> JSONValue? {
        guard let value = posted(name, &collector), !value.isNull else { return nil }
        return value
    }

    /// Reads the member called `name`, at its path; `nil` if it is absent or null.
    func read<Value>(
        _ name: String, _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> Value? {
        guard let value = value(name, &collector) else { return nil }
        collector.path.descend(to: name)
        defer { collector.path.ascend() }
        return read(value, &collector)
    }

    /// Reads the member called `name`, at its path, and reports it if it is absent, except from a
    /// merge patch.
    ///
    /// - Parameter known: The names that the object may have, for the question about a missing one.
    func required<Value>(
        _ name: String, among known: KnownNames? = nil, _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> Value? {
        let value = posted(name, &collector)
        collector.path.descend(to: name)
        defer { collector.path.ascend() }
        guard let value else {
            if !collector.isMergePatch {
                let known = known ?? KnownNames([name])
                let hint = known.hint(forMissing: name, in: object)
                collector.report("is missing\(hint)", at: object)
            }
            return nil
        }
        return read(value, &collector)
    }

    func object<Value>(
        _ name: String, _ collector: inout ViolationCollector,
        _ read: (Members, inout ViolationCollector) -> Value?
    ) -> Value? {
        self.read(name, &collector) { value, collector in
            guard let members = Members(value, &collector) else { return nil }
            return read(members, &collector)
        }
    }
}

extension JSONValue {
    /// Returns a number of points or seconds, sanitised by rule G2; reports one at the collector's
    /// path that counts as 0 because it is beyond all that a computer has.
    func length(_ collector: inout ViolationCollector) -> Double? {
        guard let number = double else { return nil }
        if !number.isFinite { collector.reportUnusable(Length.detailOfHugeNumber) }
        return Length.sanitised(number)
    }
}

/// Members by their types; each is `nil` if the member is absent or invalid.
extension Members {
    func bool(_ name: String, _ collector: inout ViolationCollector) -> Bool? {
        read(name, &collector) { value, collector in
            value.expecting("true or false", value.bool, &collector)
        }
    }

    func string(_ name: String, _ collector: inout ViolationCollector) -> String? {
        read(name, &collector) { value, collector in
            value.expecting("a string", value.string, &collector)
        }
    }

    /// Reads a number of points or seconds, sanitised by rule G2.
    func length(_ name: String, _ collector: inout ViolationCollector) -> Double? {
        read(name, &collector) { value, collector in
            value.expecting("a number", value.length(&collector), &collector)
        }
    }

    /// Reads an integer of 32 bits, which keeps index arithmetic from overflowing (rule G5).
    func integer(_ name: String, _ collector: inout ViolationCollector) -> Int? {
        read(name, &collector) { $0.integer(&$1) }
    }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ collector: inout ViolationCollector
    ) -> Choice? {
        read(name, &collector) { value, collector in
            let text = value.kind == .string ? value.text : nil
            let choice = Choice.allCases.first { text?.equals($0.rawValue) == true }
            return value.expecting(Choice.allCases.map(\.rawValue).alternatives, choice, &collector)
        }
    }

    /// Reads one number for all edges, or an object of edges; absent edges are 0.
    func insets(_ name: String, _ collector: inout ViolationCollector) -> Insets? {
        read(name, &collector) { value, collector in
            value.insets(&collector) { $0.expecting("a number", $0.length(&$1), &$1) }
        }
    }

    func pointer(_ name: String, _ collector: inout ViolationCollector) -> JSONPointer? {
        read(name, &collector, Self.pointer)
    }

    /// Reads a JSON Pointer (RFC 6901), and reports it if it is absent.
    func requiredPointer(
        _ name: String, _ collector: inout ViolationCollector
    ) -> JSONPointer? {
        required(name, &collector, Self.pointer)
    }

    /// Reads a JSON Pointer (RFC 6901) at the collector's path.
    static func pointer(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> JSONPointer? {
        guard let text = value.expecting("a JSON Pointer", value.string, &collector) else {
            return nil
        }
        guard text.utf8.count <= CatalogLimits.maxPointerBytes else {
            collector.report(
                "must be a JSON Pointer of at most \(CatalogLimits.maxPointerBytes) bytes",
                at: value)
            return nil
        }
        do throws(JSONPointerError) {
            let pointer = try JSONPointer(text)
            collector.note(pointer)
            return pointer
        } catch {
            collector.report("must be a JSON Pointer: \(error.detail)", at: value)
            return nil
        }
    }
}

/// Objects that are tables: each member is an entry, whatever its name.
extension Members {
    /// One entry of a table: its name, and a value that is not null.
    typealias Entry = (name: String, value: JSONValue)

    /// The entries in the order of the document; the last of duplicates counts.
    ///
    /// - Complexity: O(members).
    var entries: [Entry] {
        var entries: [Entry?] = []
        var indexes: [Identifier: Int] = [:]
        for member in object.members {
            let name = member.name.string
            if let earlier = indexes[Identifier(name)] { entries[earlier] = nil }
            indexes[Identifier(name)] = entries.count
            entries.append((name, member.value))
        }
        return entries.compactMap { $0 }.filter { !$0.value.isNull }
    }

    func table(
        _ name: String, _ collector: inout ViolationCollector,
        _ read: (String, JSONValue, inout ViolationCollector) -> Void
    ) {
        _ = object(name, &collector) { table, collector in
            for entry in table.entries {
                collector.path.descend(to: entry.name)
                read(entry.name, entry.value, &collector)
                collector.path.ascend()
            }
        }
    }
}

extension JSONValue {
    /// Returns `value`, or reports that this JSON value is not the expected one.
    func expecting<Value>(
        _ expected: @autoclosure () -> String, _ value: Value?,
        _ collector: inout ViolationCollector
    ) -> Value? {
        if value == nil { collector.report("must be \(expected())\(insteadOf)", at: self) }
        return value
    }

    /// Reads one length for all edges, or an object of edges; absent edges are 0.
    func insets(
        _ collector: inout ViolationCollector,
        _ length: (JSONValue, inout ViolationCollector) -> Double?
    ) -> Insets? {
        if kind == .number { return length(self, &collector).map { Insets($0) } }
        guard kind == .object, let edges = Members(self, &collector) else {
            return expecting("a number or an object", nil, &collector)
        }
        edges.reportUnknown(among: ["top", "left", "bottom", "right"], &collector)
        return Insets(
            top: edges.read("top", &collector, length) ?? 0,
            left: edges.read("left", &collector, length) ?? 0,
            bottom: edges.read("bottom", &collector, length) ?? 0,
            right: edges.read("right", &collector, length) ?? 0)
    }

    /// Returns the concatenated results of `read` for each element of an array, at its path, or the
    /// result for the value itself if it is not an array.
    func eachOrSelf<Value>(
        _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> [Value]
    ) -> [Value] {
        guard kind == .array else { return read(self, &collector) }
        // A merge patch replaces an array as a whole.
        let isMergePatch = collector.isMergePatch
        collector.isMergePatch = false
        defer { collector.isMergePatch = isMergePatch }
        return elements.enumerated().flatMap { index, element in
            collector.path.descend(to: index)
            defer { collector.path.ascend() }
            return read(element, &collector)
        }
    }

    /// The integers of members, which keep index arithmetic from overflowing (rule G5).
    static let integers = -Int(Int32.max) - 1...Int(Int32.max) + 1

    func integer(
        in range: ClosedRange<Int> = integers, _ collector: inout ViolationCollector
    ) -> Int? {
        expecting(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            int.flatMap { range.contains($0) ? $0 : nil }, &collector)
    }

    /// The end of a message about an unexpected value, such as `, not an array`; empty for kinds
    /// that add no information.
    var insteadOf: String {
        switch kind {
        case .object: ", not an object"
        case .array: ", not an array"
        case .bool: ", not \(bool == true)"
        case .null: ", not null"
        case .string, .number: ""
        }
    }
}

extension [String] {
    /// The texts as an English list: `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
    var alternatives: String {
        let quoted = map { "\"\($0)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}
