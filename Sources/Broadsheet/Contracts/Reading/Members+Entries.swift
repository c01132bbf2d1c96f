extension Members {
    /// One entry of an object that is a table: its name, and a value that is not null.
    typealias Entry = (name: String, value: JSONValue)

    /// The entries of a table in the order of the document, of duplicates the last.
    ///
    /// O(members).
    var entries: [Entry] {
        var entries: [Entry?] = []
        var places: [Identifier: Int] = [:]
        for member in object.members {
            let name = member.name.string
            if let earlier = places[Identifier(name)] { entries[earlier] = nil }
            places[Identifier(name)] = entries.count
            entries.append((name, member.value))
        }
        return entries.compactMap { $0 }.filter { !$0.value.isNull }
    }

    /// Calls `read` for each entry of the table called `name`, at the entry's path.
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

    /// A JSON Pointer (RFC 6901); nil when unset or none.
    func pointer(_ name: String, _ collector: inout ViolationCollector) -> JSONPointer? {
        read(name, &collector, JSONPointer.init)
    }
}

extension JSONPointer {
    /// Reads a string that is a JSON Pointer.
    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard let text = value.expecting("a JSON Pointer", value.string, &collector) else {
            return nil
        }
        do throws(JSONPointerError) {
            try self.init(text)
        } catch {
            collector.report("must be a JSON Pointer: \(error.detail)", at: value)
            return nil
        }
    }
}
