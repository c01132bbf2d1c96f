import Broadsheet
import BroadsheetHTTP

/// Hints at the operation that a request for a wrong path, or with a wrong method, was meant for.
extension Operation {
    /// The maximum length of a path that a hint repeats, in bytes.
    static let maxPathInHint = 256

    /// The segments of the path, of which those in braces are parameters.
    private var segments: [Substring] { Self.segments(of: path) }

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") }

    /// Returns the indexes of the segments of the path that are others in a requested path of as
    /// many segments.
    private func differences(from requested: [Substring]) -> [Int] {
        zip(segments, requested).enumerated().filter { _, pair in
            !Self.isParameter(pair.0) && pair.0 != pair.1
        }.map(\.offset)
    }

    /// Returns the path of an operation that differs from a requested path in one name, by a typing
    /// error; `nil` if there is none.
    static func nearestPath(to path: String) -> String? {
        guard path.utf8.count <= maxPathInHint else { return nil }
        var requested = segments(of: path)
        let near = all.filter { operation in
            operation.segments.count == requested.count && !operation.isOfInspector
                && operation.differences(from: requested).count == 1
        }
        for operation in near {
            guard let index = operation.differences(from: requested).first else { continue }
            let names = near.filter { $0.differences(from: requested) == [index] }
                .map { String($0.segments[index]) }
            let name = NearestName.of(String(requested[index]), among: names, atMost: 2)
            guard let name else { continue }
            requested[index] = name[...]
            return requested.joined(separator: "/")
        }
        return nil
    }

    /// Returns what a write of a path that has no such method was probably meant for: another write
    /// of the path, and one of the same method below it.
    static func alternatives(to method: HTTPMethod, _ path: String) -> [String] {
        guard [.post, .put, .patch].contains(method), path.utf8.count <= maxPathInHint else {
            return []
        }
        let requested = segments(of: path)
        let there = all.filter { operation in
            operation.segments.count == requested.count
                && operation.differences(from: requested).isEmpty
        }
        let below = all.first { operation in
            operation.method == method && operation.segments.count == requested.count + 1
                && operation.differences(from: requested).isEmpty
        }
        let hints = there.filter(\.hasBody).map { $0.hint(at: path) }
        return hints + [below?.hint(at: "\(path)/\(below?.segments.last ?? "")")].compactMap(\.self)
    }

    /// Returns the method, a path, and the summary as a clause.
    private func hint(at path: String) -> String {
        let clause = summary.dropLast(summary.hasSuffix(".") ? 1 : 0)
        return "\(method) \(path) \(clause.prefix(1).lowercased())\(clause.dropFirst())"
    }
}

/// The problems of requests that no operation serves.
extension Problem {
    static func notFound(_ path: String) -> Problem {
        let hint = Operation.nearestPath(to: path).map { " did you mean \($0)?" } ?? ""
        return Problem(
            .notFound, "Resource not found;\(hint) /openapi.json lists all paths.")
    }

    static func methodNotAllowed(
        _ method: HTTPMethod, _ path: String, allow: [HTTPMethod]
    ) -> Problem {
        let methods = allow.map(\.token).joined(separator: ", ")
        let hints = Operation.alternatives(to: method, path).map { "; \($0)" }.joined()
        var problem = Problem(
            .methodNotAllowed, "The resource does not support \(method), only \(methods)\(hints).")
        problem.allow = allow
        return problem
    }
}
