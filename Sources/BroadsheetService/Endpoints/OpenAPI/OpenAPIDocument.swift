import Broadsheet
import BroadsheetHTTP

/// The OpenAPI 3.1 document that is served as `/openapi.json`.
///
/// It derives from ``Operation/all``, ``LayoutParameter``, ``ProblemCode`` and the other
/// declarations that the service itself runs on, and from the schemas of ``OpenAPIFile``.
enum OpenAPIDocument {
    // Each is made when a service first needs it, and shared by the services of a process.
    private static let open = bytes(needsKeys: false, hasInspector: false)
    private static let openInspected = bytes(needsKeys: false, hasInspector: true)
    private static let keyed = bytes(needsKeys: true, hasInspector: false)
    private static let keyedInspected = bytes(needsKeys: true, hasInspector: true)

    static func shared(needsKeys: Bool, hasInspector: Bool) -> [UInt8] {
        switch (needsKeys, hasInspector) {
        case (false, false): open
        case (false, true): openInspected
        case (true, false): keyed
        case (true, true): keyedInspected
        }
    }

    /// Returns the whole document as JSON.
    static func bytes(needsKeys: Bool = false, hasInspector: Bool = true) -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 1 << 16)
        let operations = Operation.all.filter { hasInspector || !$0.isOfInspector }
        document(of: operations, needsKeys: needsKeys).write(to: &output)
        return output.bytes
    }

    private static func document(of operations: [Operation], needsKeys: Bool) -> OpenAPINode {
        [
            "openapi": "3.1.0",
            "info": info,
            "servers": [["url": "/"]],
            "tags": .array(OperationTag.allCases.map(node)),
            "paths": .object(paths(of: operations, needsKeys: needsKeys)),
            "components": [
                "schemas": .object(schemas),
                "parameters": .object(OpenAPIParameter.components),
                "headers": .object(OpenAPIFile.members(of: "headers")),
                "securitySchemes": .object(OpenAPISecurity.schemes),
            ],
        ]
    }

    private static var info: OpenAPINode {
        [
            "title": "Broadsheet",
            "version": .string(BroadsheetVersion.current),
            "summary": "Lays out server-driven pages and returns their frames.",
            "description": .string(
                "Lengths are points, JSON numbers rounded to thousandths in responses. HEAD works "
                    + "wherever GET does, and OPTIONS returns Allow. Every response has a Date and "
                    + "an X-Request-Id. Members that are not described here are ignored; query "
                    + "parameters that are not are refused, unless they begin with x- or utm_ or "
                    + "are _."),
            "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
        ]
    }

    private static func node(_ tag: OperationTag) -> OpenAPINode {
        ["name": .string(tag.rawValue), "description": .string(tag.summary)]
    }

    /// The paths in the order of their first operations.
    private static func paths(
        of operations: [Operation], needsKeys: Bool
    ) -> [(String, OpenAPINode)] {
        var order: [String] = []
        var items: [String: [(String, OpenAPINode)]] = [:]
        for operation in operations {
            if items[operation.path] == nil { order.append(operation.path) }
            items[operation.path, default: []].append(
                (operation.method.token.lowercased(), node(operation, needsKeys)))
        }
        return order.map { ($0, .object(items[$0] ?? [])) }
    }

    private static func node(_ operation: Operation, _ needsKeys: Bool) -> OpenAPINode {
        let inPath = OpenAPIParameter.path.filter {
            operation.path.contains("{\($0.component)}")
        }
        let parameters = inPath + operation.parameters + [.requestID]
        let problems = operation.problems + OpenAPISecurity.problems(of: operation)
        let own = operation.responses
        let responses =
            own
            + OpenAPIResponse.problems(problems).filter { problem in
                !own.contains { $0.status == problem.status }
            }
        var members: [(String, OpenAPINode)] = [
            ("operationId", .string(operation.id)),
            ("tags", [.string(operation.tag.rawValue)]),
            ("summary", .string(operation.summary)),
            ("parameters", .array(parameters.map(\.reference))),
        ]
        let content = operation.requestContent.map { type, schema -> (String, OpenAPINode) in
            (type, ["schema": schema])
        }
        if !content.isEmpty {
            members.append(("requestBody", ["required": true, "content": .object(content)]))
        }
        members.append(("responses", .object(responses.map { ($0.status, $0.node) })))
        members.append(("security", OpenAPISecurity.node(of: operation, needsKeys)))
        return .object(members)
    }

    /// The schemas; a nullable one has its name as its title too, because generators otherwise
    /// invent a name for the alternative to null.
    private static var schemas: [(String, OpenAPINode)] {
        OpenAPISchemas.all.map { name, node in
            guard case .array? = node["type"] else { return (name, node) }
            return (name, OpenAPINode.object([("title", .string(name))]).merging(node))
        }
    }
}
