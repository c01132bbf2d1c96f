/// Returns the strongly connected component of each node of a directed graph, as the index of one
/// of its nodes (Kosaraju's algorithm, without recursion).
///
/// - Parameter edges: The nodes to which edges lead, for each node.
/// - Complexity: O(nodes + edges).
package func strongComponents(of edges: [[Int]]) -> [Int] {
    var reversed = Array(repeating: [Int](), count: edges.count)
    for (from, nodes) in edges.enumerated() { for to in nodes { reversed[to].append(from) } }
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
            let successor = edges[node][next]
            guard !isVisited[successor] else { continue }
            isVisited[successor] = true
            stack.append((successor, 0))
        }
    }
    var components = Array(repeating: -1, count: edges.count)
    for root in order.reversed() where components[root] < 0 {
        components[root] = root
        var stack = [root]
        while let node = stack.popLast() {
            for predecessor in reversed[node] where components[predecessor] < 0 {
                components[predecessor] = root
                stack.append(predecessor)
            }
        }
    }
    return components
}
