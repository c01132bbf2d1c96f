/// A compiled JSON Schema of a catalog: that of a unit type's or a cell type's data, or of the
/// input of an action (docs/schemas.md).
final class UnitSchema: Sendable {
    let value: JSONValue
    /// The subschemas; the first one is the whole schema.
    let subschemas: [Subschema]
    /// The number of subschemas whose results are kept.
    let sharedCount: Int

    /// Compiles a schema at the collector's path, and reports its violations.
    ///
    /// - Parameters:
    ///   - value: The schema.
    ///   - limits: The limits of the catalog.
    ///   - budget: What the schemas of the catalog may still take.
    ///   - collector: The collector of violations.
    /// - Returns: `nil` if the schema is invalid.
    /// - Complexity: O(bytes), and what its patterns take.
    init?(
        _ value: JSONValue, _ limits: CatalogLimits, budget: inout SchemaBudget,
        _ collector: inout ViolationCollector
    ) {
        var reader = SchemaReader(collector, limits: limits, budget: budget)
        let base = collector.path
        let before = collector.total
        _ = reader.schema(value)
        reader.resolveReferences(in: value)
        if !reader.isOverfull { reader.checkReferences(limits) }
        collector = reader.collector
        collector.path = base
        budget = reader.budget
        guard collector.total == before, !reader.isOverfull else { return nil }
        subschemas = reader.subschemas
        SchemaGraph(subschemas).mark()
        self.value = value
        sharedCount = subschemas.count(where: \.isShared)
    }

    /// The pointer from the root of its document to the schema.
    var pointer: String { value.document.pointer(to: value.node, inside: value.document.root.node) }
}

extension SchemaReader {
    /// Resolves all references, and reads the schemas at places that no keyword has.
    mutating func resolveReferences(in root: JSONValue) {
        let base = collector.path
        let source = JSONMemberIndex(root.document)
        var index = 0
        while index < references.count, !isOverfull {
            let reference = references[index]
            index += 1
            guard let target = target(of: reference, in: source) else { continue }
            subschemas[reference.from].inPlace.reference = target
        }
        collector.path = base
    }

    private mutating func target(
        of reference: SchemaReference, in source: JSONMemberIndex
    ) -> Int? {
        let uri = URIReference(reference.text).resolved(against: resources[reference.resource].uri)
        collector.path = reference.path
        guard let resource = resourceIndexes[uri.withoutFragment] else {
            report(
                "refers to another document, which is not supported; put its schema into \"$defs\"",
                at: reference.value)
            return nil
        }
        let fragment = uri.decodedFragment
        guard let node = node(at: fragment, of: resources[resource], in: source) else {
            report("refers to nothing in its schema", at: reference.value)
            return nil
        }
        if let index = indexes[node] { return index }
        collector.path = JSONPath(base: resources[resource].path.pointer + (fragment ?? ""))
        return schema(source.document.value(at: node), in: resource)
    }

    /// Returns the node of an anchor, or of a JSON Pointer, in a resource.
    private func node(
        at fragment: String?, of resource: SchemaResource, in source: JSONMemberIndex
    ) -> UInt32? {
        guard let fragment else { return nil }
        if !fragment.isEmpty, !fragment.hasPrefix("/") { return resource.anchors[fragment] }
        guard let pointer = try? JSONPointer(fragment) else { return nil }
        return pointer.steps.reduce(resource.node) { (node: UInt32?, step) in
            node.flatMap { node in
                source.member(step.key, of: node)
                    ?? step.index.flatMap { source.element($0, of: node) }
            }
        }
    }

    /// Reports references that come back to themselves without going into the value, and those
    /// behind too many others.
    mutating func checkReferences(_ limits: CatalogLimits) {
        let base = collector.path
        let chains = SchemaGraph(subschemas).chains
        for reference in references {
            guard let target = subschemas[reference.from].inPlace.reference else { continue }
            collector.path = reference.path
            if chains.isInCircle(reference.from), chains.isInCircle(target) {
                report(
                    "comes back to itself without going into the value", at: reference.value)
            } else if chains.length(before: target) > limits.maxReferences {
                report(
                    "is behind more than \(limits.maxReferences - 1) other references that do not "
                        + "go into the value", at: reference.value)
            }
        }
        collector.path = base
    }
}

/// The ways from subschemas to others.
struct SchemaGraph {
    private let subschemas: [Subschema]
    private let sameValue: [[Int]]

    init(_ subschemas: [Subschema]) {
        self.subschemas = subschemas
        sameValue = subschemas.map(\.sameValue)
    }

    /// The chains of references that do not go into the value.
    struct Chains {
        fileprivate var lengths: [Int]
        fileprivate var remaining: Set<Int> = []

        /// Returns the largest number of references on a way to a subschema.
        func length(before subschema: Int) -> Int { lengths[subschema] }
        func isInCircle(_ subschema: Int) -> Bool { remaining.contains(subschema) }
    }

    /// The chains of references.
    ///
    /// - Complexity: O(subschemas and references).
    var chains: Chains {
        var chains = Chains(lengths: Array(repeating: 0, count: subschemas.count))
        let order = withoutPredecessors(sameValue)
        for from in order {
            for to in sameValue[from] {
                let isReference = subschemas[from].inPlace.reference == to
                chains.lengths[to] = max(
                    chains.lengths[to], chains.lengths[from] + (isReference ? 1 : 0))
            }
        }
        guard order.count < subschemas.count else { return chains }
        var reversed = Array(repeating: [Int](), count: subschemas.count)
        for (from, targets) in sameValue.enumerated() {
            for to in targets { reversed[to].append(from) }
        }
        chains.remaining = Set(subschemas.indices).subtracting(order)
            .subtracting(withoutPredecessors(reversed))
        return chains
    }

    /// Returns the subschemas that no circle leads to, each after its predecessors.
    private func withoutPredecessors(_ edges: [[Int]]) -> [Int] {
        var counts = Array(repeating: 0, count: edges.count)
        for to in edges.joined() { counts[to] += 1 }
        var order = edges.indices.filter { counts[$0] == 0 }
        var index = 0
        while index < order.count {
            for to in edges[order[index]] {
                counts[to] -= 1
                if counts[to] == 0 { order.append(to) }
            }
            index += 1
        }
        return order
    }

    /// Marks the subschemas whose results are kept, those whose evaluated parts are needed, and
    /// those without a condition.
    func mark() {
        // The whole schema has a way from the unit.
        var ways = Array(repeating: 0, count: subschemas.count)
        ways[0] = 1
        for subschema in subschemas {
            for child in subschema.sameValue + subschema.children { ways[child] += 1 }
        }
        var collecting = subschemas.indices.filter { subschemas[$0].hasUnevaluated }
        var index = 0
        while index < collecting.count {
            let subschema = collecting[index]
            subschemas[subschema].collects = true
            let dependents =
                subschemas[subschema].objects?.rules.compactMap(\.dependentSchema) ?? []
            for next in subschemas[subschema].inPlace.evaluating + dependents
            where !subschemas[next].collects {
                subschemas[next].collects = true
                collecting.append(next)
            }
            index += 1
        }
        for index in subschemas.indices {
            subschemas[index].isShared = ways[index] > 1
            subschemas[index].isAlways = subschemas[index].hasNoCondition
            subschemas[index].hasInPlace = !subschemas[index].inPlace.isEmpty
            subschemas[index].alias = subschemas[index].onlyReference
        }
    }
}

extension Subschema {
    fileprivate var hasUnevaluated: Bool {
        arrays?.unevaluated != nil || objects?.unevaluated != nil
    }

    fileprivate var hasNoCondition: Bool { hasNoOwnCondition && inPlace.isEmpty }

    fileprivate var onlyReference: Int? {
        hasNoOwnCondition && inPlace.all.count == 1 ? inPlace.reference : nil
    }

    private var hasNoOwnCondition: Bool {
        !isNever && kinds == .all && values.isEmpty && numbers == nil && strings == nil
            && arrays == nil && objects == nil
    }
}
