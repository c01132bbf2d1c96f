/// The conditions that readers of one document have found, so that equal texts share one.
struct ConditionPool: Sendable {
    private var conditions: [[UInt8]: Condition] = [:]

    var count: Int { conditions.count }

    fileprivate func condition(of value: JSONValue) -> Condition? {
        conditions.isEmpty ? nil : conditions[Array(value.document.bytes[value.byteRange])]
    }

    fileprivate mutating func add(_ condition: Condition, of value: JSONValue) {
        conditions[Array(value.document.bytes[value.byteRange])] = condition
    }
}

extension Members {
    func condition(_ name: String, _ collector: inout ViolationCollector) -> Condition? {
        read(name, &collector) { value, collector in
            if let condition = collector.conditions.condition(of: value) { return condition }
            guard collector.conditions.count < ConditionLimits.maxConditions else {
                collector.report(
                    "is one of more than \(ConditionLimits.maxConditions) different conditions",
                    at: value)
                return nil
            }
            let total = collector.total
            guard let condition = Condition(value, &collector), collector.total == total else {
                return nil
            }
            collector.conditions.add(condition, of: value)
            return condition
        }
    }
}

extension Condition {
    /// Reads the clients that can draw a cell type.
    ///
    /// The value has the first such version of each platform, or null for a platform that never
    /// can; other platforms can.
    static func since(_ value: JSONValue, _ collector: inout ViolationCollector) -> Condition? {
        guard let members = Members(value, &collector) else { return nil }
        guard value.count <= ConditionLimits.maxPlatforms else {
            return value.expecting(
                "an object of at most \(ConditionLimits.maxPlatforms) platforms", nil, &collector)
        }
        var clients: [String: Comparisons<ClientVersion>] = [:]
        for member in members.object.members {
            let name = member.name.string
            collector.path.descend(to: name)
            defer { collector.path.ascend() }
            guard Client.isPlatform(name) else {
                collector.report("is not a platform: 1 to 32 of a-z 0-9 -", at: member.value)
                continue
            }
            let first = member.value.string.flatMap { ClientVersion($0) }
            if first == nil, !member.value.isNull {
                collector.report("must be a version, such as \"5.2\", or null", at: member.value)
            }
            clients[name] = Comparisons(atLeast: first, below: .zero)
        }
        return Condition(clients: clients, includesOthers: true)
    }

    private static let memberNames = ["client", "flags", "without", "width"]

    fileprivate convenience init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard let members = Members(value, &collector) else { return nil }
        for member in value.members where !Self.memberNames.contains(where: member.name.equals) {
            collector.path.descend(to: member.name.string)
            collector.report(
                "is not a member of a condition: \(Self.memberNames.alternatives)",
                at: member.value)
            collector.path.ascend()
        }
        self.init(
            clients: members.object("client", &collector, Self.clients),
            flags: members.read("flags", &collector, Self.flags) ?? [],
            without: members.read("without", &collector, Self.flags) ?? [],
            width: members.read("width", &collector, Self.width))
    }

    private static func clients(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> [String: Comparisons<ClientVersion>]? {
        guard members.object.count <= ConditionLimits.maxPlatforms else {
            collector.report(
                "has \(members.object.count) platforms, of which a condition may have at most "
                    + "\(ConditionLimits.maxPlatforms)", at: members.object)
            return nil
        }
        var clients: [String: Comparisons<ClientVersion>] = [:]
        for entry in members.entries {
            collector.path.descend(to: entry.name)
            defer { collector.path.ascend() }
            guard Client.isPlatform(entry.name) else {
                collector.report("is not a platform: 1 to 32 of a-z 0-9 -", at: entry.value)
                continue
            }
            let comparisons = entry.value.string.flatMap { text in
                Comparisons(text) { ClientVersion($0) }
            }
            clients[entry.name] = entry.value.expecting(
                #"comparisons with versions, such as ">=5.2 <7""#, comparisons, &collector)
        }
        return clients
    }

    private static func flags(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> Set<String>? {
        let limit = ClientFlags.maxCount
        guard value.kind == .array, value.count <= limit else {
            return value.expecting("an array of at most \(limit) flags", nil, &collector)
        }
        return Set(
            value.eachOrSelf(&collector) { value, collector in
                let flag = value.string.flatMap { ClientFlags.isFlag($0) ? $0 : nil }
                return value.expecting("a flag: 1 to 64 of A-Z a-z 0-9 . _ -", flag, &collector)
                    .map { [$0] } ?? []
            })
    }

    private static func width(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> Comparisons<Double>? {
        let comparisons = value.string.flatMap { Comparisons($0, points) }
        return value.expecting(
            #"comparisons with points, such as ">=600""#, comparisons, &collector)
    }

    /// Returns the points of a decimal number without sign and exponent.
    private static func points(_ text: Substring) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            1...ClientVersion.maxDigits ~= part.count && part.allSatisfy(\.isDigit)
        }
        return parts.count <= 2 && areDigits ? Double(text) : nil
    }
}
