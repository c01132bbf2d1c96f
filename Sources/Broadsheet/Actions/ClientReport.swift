import BroadsheetClient

/// A request with the events that a client reports (docs/api.md, "Events of clients").
package struct ClientReport: Sendable {
    /// The events in their order; at least one.
    package let events: [PostedEvent]

    /// Reads a request; throws all violations, with pointers into the document.
    package init(_ document: JSONDocument) throws(ContractError) {
        var collector = ViolationCollector(keeping: ContractError.maxViolations)
        let events = Members(document.root, &collector)?.required("events", &collector) {
            value, collector -> [PostedEvent]? in
            let limit = ClientEvent.maxEvents
            guard value.kind == .array, 1...limit ~= value.count else {
                collector.report(
                    "must be an array of 1 to \(limit) events\(value.insteadOf)", at: value,
                    isOfLimit: value.kind == .array && value.count > limit)
                return nil
            }
            var reader = EventReader()
            return value.elements.enumerated().compactMap { index, element in
                collector.path.descend(to: index)
                defer { collector.path.ascend() }
                return reader.event(element, &collector)
            }
        }
        guard let events, collector.total == 0 else {
            throw ContractError(violations: collector.violations, total: collector.total)
        }
        self.events = events
    }
}

/// A reader of events, which passes over the members of each event once.
private struct EventReader {
    /// The members of an event.
    private enum Member: Int, CaseIterable {
        case type, section, item, view, page, name, input, revision, at

        static let names = allCases.map { "\($0)" }
    }

    /// The values of the members of an event; null counts as absent.
    private var values = [JSONValue?](repeating: nil, count: Member.allCases.count)

    private subscript(member: Member) -> JSONValue? { values[member.rawValue] }

    mutating func event(
        _ posted: JSONValue, _ collector: inout ViolationCollector
    ) -> PostedEvent? {
        guard posted.kind == .object else {
            return posted.expecting("an object", nil, &collector)
        }
        for index in values.indices { values[index] = nil }
        for (name, value) in posted.members {
            if let index = Member.names.firstIndex(where: name.equals) {
                values[index] = value.isNull ? nil : value
            }
        }
        guard let type = type(of: posted, &collector) else { return nil }
        var event = ClientEvent(type)
        event.section = read(.section, &collector, JSONValue.target)
        event.item = read(.item, &collector, JSONValue.target)
        event.view = view(&collector)
        event.page = read(.page, &collector) { value, collector in
            value.integer(in: 0...ServerStatePage.maxNumber, &collector)
        }
        event.name = read(.name, &collector) { value, collector in
            value.expecting("a string", value.string, &collector)
        }
        event.revision = read(.revision, &collector) { value, collector in
            value.integer(in: 0...Int.max, &collector).map { UInt64($0) }
        }
        event.at = read(.at, &collector, Self.time)
        var report = PostedEvent(event)
        report.input = read(.input, &collector, Self.input)
        report.posted = posted
        checkMembers(of: type, posted, &collector)
        return report
    }

    /// Reads the header or the footer that takes the place of an item.
    private func view(_ collector: inout ViolationCollector) -> SectionView? {
        read(.view, &collector) { value, collector in
            guard self[.item] == nil else {
                collector.report("must not stand beside \"item\"", at: value)
                return nil
            }
            let view = value.string.flatMap(SectionView.init)
            return value.expecting(
                SectionView.allCases.map(\.rawValue).alternatives, view, &collector)
        }
    }

    private func type(
        of posted: JSONValue, _ collector: inout ViolationCollector
    ) -> ClientEvent.Kind? {
        require(.type, of: posted, &collector)
        return read(.type, &collector) { value, collector in
            let text = value.kind == .string ? value.text : nil
            let kind = ClientEvent.Kind.allCases.first { text?.equals($0.rawValue) == true }
            return value.expecting(
                ClientEvent.Kind.allCases.map(\.rawValue).alternatives, kind, &collector)
        }
    }

    /// Reports the members without which an event of a type means nothing.
    private func checkMembers(
        of type: ClientEvent.Kind, _ posted: JSONValue, _ collector: inout ViolationCollector
    ) {
        let hasPart = self[.item] != nil || self[.view] != nil
        if type.isOfItem || hasPart { require(.section, of: posted, &collector) }
        if type.isOfItem, !hasPart { require(.item, of: posted, &collector) }
        if type.isOfPage { require(.page, of: posted, &collector) }
        if type == .action { require(.name, of: posted, &collector) }
    }

    private func require(
        _ member: Member, of posted: JSONValue, _ collector: inout ViolationCollector
    ) {
        guard self[member] == nil else { return }
        collector.path.descend(to: Member.names[member.rawValue])
        collector.report("is missing", at: posted)
        collector.path.ascend()
    }

    private func read<Value>(
        _ member: Member, _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> Value? {
        guard let value = self[member] else { return nil }
        collector.path.descend(to: Member.names[member.rawValue])
        defer { collector.path.ascend() }
        return read(value, &collector)
    }

    private static func input(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> JSONValue? {
        let (count, limit) = (value.byteRange.count, ClientEvent.maxInputBytes)
        guard count <= limit else {
            collector.report(
                "has \(count) bytes, of which it may have at most \(limit)", at: value,
                isOfLimit: true)
            return nil
        }
        return value
    }

    private static func time(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> Double? {
        let time = value.double.flatMap { 0...ClientEvent.maxTime ~= $0 ? $0 : nil }
        return value.expecting(
            "a number of seconds from 0 to \(Int(ClientEvent.maxTime))", time, &collector)
    }
}
