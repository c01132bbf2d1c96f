import Broadsheet

/// The declared types of a catalog as a graph: what follows from their recursion, and which of them
/// mean the same.
struct TypeGraph {
    private(set) var declared: [DeclaredType]
    /// Numbers that are equal for types of one meaning, and rarely for others.
    private var hashes: [Int] = []
    /// For each type an earlier one that means the same, or itself.
    private var same: [Int]

    /// The largest number of arrays and maps within each other; fixed.
    private static let maxNesting = 64

    /// Replaces aliases by their types, and values that no type can have by JSON values.
    init(_ declared: [DeclaredType]) {
        self.declared = declared
        same = Array(declared.indices)
        cutCircles()
        for index in declared.indices { resolveParts(of: index) }
        removeInfiniteMembers()
        markIndirectMembers()
        hashes = makeHashes()
    }

    // MARK: Aliases

    /// Returns the declared type inside of arrays and maps, if there is one.
    private static func core(_ type: DataType) -> Int? {
        switch type {
        case .array(let inner), .map(let inner), .nullable(let inner): core(inner)
        case .declared(let index): index
        case .json, .bool, .string, .integer, .number, .literal: nil
        }
    }

    private func nextAlias(_ index: Int) -> Int? {
        guard case .alias(let type) = declared[index].form, let next = Self.core(type),
            case .alias = declared[next].form
        else { return nil }
        return next
    }

    /// Makes JSON values of aliases that lead to themselves.
    private mutating func cutCircles() {
        var states = Array(repeating: 0, count: declared.count)
        for start in declared.indices {
            var path: [Int] = []
            var index: Int? = start
            while let current = index, states[current] == 0 {
                states[current] = 1
                path.append(current)
                index = nextAlias(current)
            }
            if let end = index, states[end] == 1, let first = path.firstIndex(of: end) {
                for alias in path[first...] {
                    cut(alias, "contains itself without an object or a union")
                }
            }
            for visited in path { states[visited] = 2 }
        }
    }

    private mutating func cut(_ alias: Int, _ reason: String) {
        declared[alias].form = .alias(.json)
        declared[alias].notes = [TypeNote(node: declared[alias].node, reason: reason)]
    }

    /// Returns a type without aliases, and adds the reasons of these.
    func resolved(_ type: DataType, _ notes: inout [TypeNote], nesting: Int = 0) -> DataType {
        switch type {
        case .array(let inner): return .array(resolved(inner, &notes, nesting: nesting + 1))
        case .map(let inner): return .map(resolved(inner, &notes, nesting: nesting + 1))
        case .nullable(let inner):
            let inner = resolved(inner, &notes, nesting: nesting)
            if case .nullable = inner { return inner }
            return inner == .json ? .json : .nullable(inner)
        case .declared(let index):
            guard case .alias(let target) = declared[index].form else { return type }
            guard nesting < Self.maxNesting else {
                let reason = "is nested in more than \(Self.maxNesting) arrays and maps"
                notes.append(TypeNote(node: declared[index].node, reason: reason))
                return .json
            }
            notes += declared[index].notes
            return resolved(target, &notes, nesting: nesting)
        case .json, .bool, .string, .integer, .number, .literal: return type
        }
    }

    private mutating func resolveParts(of index: Int) {
        var notes = declared[index].notes
        switch declared[index].form {
        case .object(var members, let additional):
            for member in members.indices {
                members[member].type = resolved(members[member].type, &members[member].notes)
                if members[member].type == .json { members[member].keepNull() }
            }
            let additional = additional.map { resolved($0, &notes) }
            declared[index].form = .object(members, additional: additional)
            declared[index].notes = notes
        case .union(let selector, var cases):
            for place in cases.indices { cases[place].type = resolved(cases[place].type, &notes) }
            declared[index].form = .union(selector, cases)
            declared[index].notes = notes
        case .strings, .alias: break
        }
    }

    // MARK: Recursion

    /// Makes JSON values of required members that no finite value has.
    private mutating func removeInfiniteMembers() {
        var users = Array(repeating: [Int](), count: declared.count)
        var missing = Array(repeating: 0, count: declared.count)
        var finite: [Int] = []
        for index in declared.indices {
            let parts = requiredParts(of: index)
            missing[index] = parts.count
            for part in parts { users[part].append(index) }
            if parts.isEmpty { finite.append(index) }
        }
        var isFinite = Array(repeating: false, count: declared.count)
        while let index = finite.popLast() {
            guard !isFinite[index] else { continue }
            isFinite[index] = true
            for user in users[index] {
                missing[user] -= 1
                if case .union = declared[user].form { missing[user] = 0 }
                if missing[user] == 0 { finite.append(user) }
            }
        }
        for index in declared.indices where !isFinite[index] {
            guard case .object(var members, let additional) = declared[index].form else { continue }
            for place in members.indices where members[place].presence == .required {
                guard case .declared(let part) = members[place].type, !isFinite[part] else {
                    continue
                }
                members[place].type = .json
                members[place].notes.append(
                    TypeNote(node: members[place].node, reason: "requires a value of infinite size")
                )
            }
            declared[index].form = .object(members, additional: additional)
        }
    }

    /// The types that a value of a type contains in place: all of an object's, one of a union's.
    private func requiredParts(of index: Int) -> [Int] {
        switch declared[index].form {
        case .object(let members, _):
            return members.compactMap { member in
                guard member.presence == .required, case .declared(let part) = member.type else {
                    return nil
                }
                return part
            }
        case .union(_, let cases):
            let parts = cases.compactMap { Self.part($0.type) }
            return parts.count < cases.count ? [] : parts
        case .strings, .alias: return []
        }
    }

    private static func part(_ type: DataType) -> Int? {
        if case .declared(let index) = type { index } else { nil }
    }

    /// Marks members of objects that contain their own type in place: their objects are in one
    /// strongly connected component (Kosaraju's algorithm, without recursion).
    private mutating func markIndirectMembers() {
        let edges = declared.indices.map { objectParts(of: $0) }
        var reversed = Array(repeating: [Int](), count: edges.count)
        for (from, parts) in edges.enumerated() { for to in parts { reversed[to].append(from) } }
        var isVisited = Array(repeating: false, count: edges.count)
        var order: [Int] = []
        for start in edges.indices where !isVisited[start] {
            isVisited[start] = true
            var stack = [(node: start, next: 0)]
            while let (node, next) = stack.last {
                guard next < edges[node].count else {
                    order.append(node)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let part = edges[node][next]
                guard !isVisited[part] else { continue }
                isVisited[part] = true
                stack.append((part, 0))
            }
        }
        var components = Array(repeating: -1, count: edges.count)
        for root in order.reversed() where components[root] < 0 {
            var stack = [root]
            components[root] = root
            while let node = stack.popLast() {
                for user in reversed[node] where components[user] < 0 {
                    components[user] = root
                    stack.append(user)
                }
            }
        }
        for index in declared.indices {
            guard case .object(var members, let additional) = declared[index].form else { continue }
            for place in members.indices {
                guard let part = Self.part(members[place].type),
                    case .object = declared[part].form
                else { continue }
                members[place].isIndirect = components[part] == components[index]
            }
            declared[index].form = .object(members, additional: additional)
        }
    }

    private func objectParts(of index: Int) -> [Int] {
        guard case .object(let members, _) = declared[index].form else { return [] }
        return members.compactMap { member in
            guard let part = Self.part(member.type), case .object = declared[part].form else {
                return nil
            }
            return part
        }
    }

    // MARK: Meaning

    private func makeHashes() -> [Int] {
        var hashes = Array(repeating: 0, count: declared.count)
        for _ in 0..<4 {
            hashes = declared.indices.map { index in
                var hasher = Hasher()
                for (label, type) in parts(of: index) {
                    hasher.combine(label)
                    Self.combine(type, into: &hasher, hashes)
                }
                return hasher.finalize()
            }
        }
        return hashes
    }

    private static func combine(_ type: DataType?, into hasher: inout Hasher, _ hashes: [Int]) {
        switch type {
        case .array(let inner):
            hasher.combine(1)
            combine(inner, into: &hasher, hashes)
        case .map(let inner):
            hasher.combine(2)
            combine(inner, into: &hasher, hashes)
        case .nullable(let inner):
            hasher.combine(3)
            combine(inner, into: &hasher, hashes)
        case .declared(let index): hasher.combine(hashes[index])
        case .json, .bool, .string, .integer, .number, .literal, nil: hasher.combine(type)
        }
    }

    /// The labels and types of which a type consists: two types mean the same if these do.
    private func parts(of index: Int) -> [(label: [String], type: DataType?)] {
        switch declared[index].form {
        case .object(let members, let additional):
            return [(["object"], additional)]
                + members.map { member in
                    (
                        ["\(member.presence)", member.name, "\(member.constant as Any?)"],
                        member.type
                    )
                }
        case .strings(let cases): return [(["strings"] + cases.map(\.value), nil)]
        case .union(.kind, let cases):
            return [(["kinds"], nil)] + cases.map { ([$0.value], $0.type) }
        case .union(.member(let name), let cases):
            return [(["union", name], nil)] + cases.map { ([$0.value], $0.type) }
        case .alias(let type): return [(["alias"], type)]
        }
    }

    /// Returns whether two types mean the same; recursion is the same if nothing else differs.
    mutating func areSame(_ one: Int, _ other: Int) -> Bool {
        var merged = same
        func root(_ index: Int) -> Int {
            var index = index
            while merged[index] != index { index = merged[index] }
            return index
        }
        var pairs = [(one, other)]
        while let (left, right) = pairs.popLast() {
            let (left, right) = (root(left), root(right))
            guard left != right else { continue }
            guard hashes[left] == hashes[right] else { return false }
            let (first, second) = (parts(of: left), parts(of: right))
            guard first.count == second.count else { return false }
            merged[max(left, right)] = min(left, right)
            for (one, other) in zip(first, second) {
                guard one.label.elementsEqual(other.label, by: { $0.hasSameCodePoints(as: $1) }),
                    Self.compare(one.type, other.type, &pairs)
                else { return false }
            }
        }
        same = merged
        return true
    }

    private static func compare(
        _ one: DataType?, _ other: DataType?, _ pairs: inout [(Int, Int)]
    ) -> Bool {
        switch one {
        case .array(let one):
            guard case .array(let other) = other else { return false }
            return compare(one, other, &pairs)
        case .map(let one):
            guard case .map(let other) = other else { return false }
            return compare(one, other, &pairs)
        case .nullable(let one):
            guard case .nullable(let other) = other else { return false }
            return compare(one, other, &pairs)
        case .declared(let one):
            guard case .declared(let other) = other else { return false }
            pairs.append((one, other))
            return true
        case .json, .bool, .string, .integer, .number, .literal, nil: return one == other
        }
    }
}

extension ObjectMember {
    /// Makes null a value of the type itself.
    fileprivate mutating func keepNull() {
        presence = isRequired ? .required : .optional
    }
}
