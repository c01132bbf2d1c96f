import BroadsheetCollections
import TestSupport
import Testing

@Suite("Strongly connected components")
struct StrongComponentsTests {
    @Test("Nodes are in one component if each is reached from the other")
    func randomGraphs() {
        var generator = SeededGenerator(seed: SeededGenerator.seed(of: "strong components"))
        for _ in 0..<200 {
            let count = Int.random(in: 0...9, using: &generator)
            let edges = (0..<count).map { _ in
                (0..<count).filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
            }
            let components = strongComponents(of: edges)
            let reached = (0..<count).map { Self.nodes(from: $0, edges) }
            for (one, other) in (0..<count).flatMap({ one in (0..<count).map { (one, $0) } }) {
                let isSame = reached[one].contains(other) && reached[other].contains(one)
                #expect((components[one] == components[other]) == isSame, "\(edges)")
            }
            for node in 0..<count { #expect(components[components[node]] == components[node]) }
        }
    }

    @Test("A long circle takes no stack, and is one component")
    func longCircle() {
        let count = 200_000
        let circle = (0..<count).map { [($0 + 1) % count] }
        #expect(Set(strongComponents(of: circle)).count == 1)
        let line = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
        #expect(Set(strongComponents(of: line)).count == count)
    }

    private static func nodes(from start: Int, _ edges: [[Int]]) -> Set<Int> {
        var nodes: Set = [start]
        var stack = [start]
        while let node = stack.popLast() {
            for next in edges[node] where nodes.insert(next).inserted { stack.append(next) }
        }
        return nodes
    }
}
