import Broadsheet
import BroadsheetCollections

/// The declared types as a graph: what follows from recursion, and which of them mean the same.
struct TypeGraph {
    var types: [DeclaredType]
    /// For each type an earlier one that means the same, or itself.
    private var same: [Int]

    /// The number of comparisons of two types that may still be made.
    private(set) var comparisonsLeft = 200_000

    /// The largest number of arrays and maps within each other; fixed.
    private static let maxNesting = 64

    /// Replaces aliases by their types, and values that no type can have by JSON values.
    init(_ types: [DeclaredType]) {
        self.types = types
        same = Array(types.indices)
        let graph = self
        changeParts { part, _ in part = graph.resolved(part) }
        removeInfiniteMembers()
        markIndirectMembers()
    }

    private mutating func changeParts(_ change: (inout NamedValue, Int) -> Void) {
        for index in types.indices {
            for place in types[index].parts.indices { change(&types[index].parts[place], index) }
        }
    }

    /// Returns a value with a type without aliases, and with the reasons of these.
    func resolved(_ value: NamedValue) -> NamedValue {
        guard var type = value.type else { return value }
        var value = value
        while let index = type.declared, case .alias(let target) = types[index].form {
            var next = target
            if let reason = reason(against: index, in: type) {
                next = Typed(.json, [TypeNote(node: types[index].node, reason: reason)])
            }
            value.notes += next.notes
            type = next.type.with(type.layers + next.type.layers)
        }
        // Null is a JSON value itself.
        if type.core == .json, type.layers.last == .nullable { type.layers.removeLast() }
        value.type = type
        return value
    }

    /// Returns the reason why an alias has no type within others; `nil` if it has one.
    private func reason(against alias: Int, in type: DataType) -> String? {
        if type.layers.count(where: { $0 != .nullable }) >= Self.maxNesting {
            return "is nested in more than \(Self.maxNesting) arrays and maps"
        }
        let chain = sequence(first: alias) { alias in
            if case .alias(let target) = types[alias].form { target.type.declared } else { nil }
        }
        let isCircular = chain.prefix(Self.maxNesting).dropFirst().contains(alias)
        return isCircular ? "contains itself without an object or a union" : nil
    }

    /// Makes JSON values of required members that no finite value has.
    private mutating func removeInfiniteMembers() {
        var users = types.map { _ in [Int]() }
        // How many types must be finite before each one is.
        var missing = types.enumerated().map { index, type -> Int in
            let parts = type.form == .object ? type.parts.filter(\.isRequired) : type.parts
            let contents = parts.compactMap { $0.type?.content }
            for content in contents { users[content].append(index) }
            if type.form == .object { return contents.count }
            return contents.count < parts.count ? 0 : min(parts.count, 1)
        }
        var finite = types.indices.filter { missing[$0] == 0 }
        while let content = finite.popLast() {
            for user in users[content] {
                missing[user] -= 1
                if missing[user] == 0 { finite.append(user) }
            }
        }
        changeParts { part, _ in
            guard part.isRequired, let it = part.type?.content, missing[it] > 0 else { return }
            part.type = .json
            part.notes.append(
                TypeNote(node: part.node, reason: "requires a value of infinite size"))
        }
    }

    /// Marks members of objects that contain their own type in place.
    private mutating func markIndirectMembers() {
        let isObject = types.map { $0.form == .object }
        func object(_ part: NamedValue) -> Int? {
            part.type?.unwrapped.content.flatMap { isObject[$0] ? $0 : nil }
        }
        let components = strongComponents(
            of: types.map { $0.form == .object ? $0.parts.compactMap(object) : [] })
        changeParts { part, index in
            part.isIndirect =
                isObject[index] && object(part).map { components[$0] } == components[index]
        }
    }

    /// Returns whether two types mean the same; recursion is the same if nothing else differs.
    mutating func areSame(_ one: Int, _ other: Int) -> Bool {
        var merged = same
        var pairs = [(one, other)]
        while var (left, right) = pairs.popLast() {
            while merged[left] != left { left = merged[left] }
            while merged[right] != right { right = merged[right] }
            guard left != right else { continue }
            let (first, second) = (types[left], types[right])
            comparisonsLeft -= 1
            guard comparisonsLeft > 0, first.form == second.form,
                first.parts.elementsEqual(
                    second.parts, by: { Self.outline($0) == Self.outline($1) })
            else { return false }
            merged[max(left, right)] = min(left, right)
            pairs += zip(first.parts, second.parts).compactMap { one, other in
                one.type?.declared.map { ($0, other.type?.declared ?? $0) }
            }
        }
        same = merged
        return true
    }

    /// Equal for values that mean the same if their declared types do.
    private static func outline(_ part: NamedValue) -> [AnyHashable?] {
        var type = part.type
        type?.declared = nil
        return [Identifier(part.value), type, part.isRequired, part.constant, part.isAdditional]
    }
}
