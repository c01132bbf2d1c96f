import Broadsheet
import BroadsheetHTTP

/// The OpenAPI 3.1 document that is served as `/openapi.json`.
///
/// It is made of ``Operation``, ``LayoutParameter`` and ``ProblemCode``, the lists that the service
/// itself runs on, so it cannot fall behind them.
enum OpenAPIDocument {
    /// The whole document as JSON.
    static func bytes() -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1 << 16)
        document.write(into: &writer)
        return writer.bytes
    }

    /// The whole document.
    static var document: OpenAPINode {
        [
            "openapi": "3.1.0",
            "info": info,
            "servers": [["url": "/"]],
            "tags": .array(OperationTag.allCases.map(\.node)),
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "parameters": .object(OpenAPIParameters.components),
                "headers": .object(OpenAPIHeaders.components),
            ],
        ]
    }

    private static var info: OpenAPINode {
        [
            "title": "Broadsheet",
            "version": .string(BroadsheetVersion.current),
            "summary": "Lays out server-driven pages and answers with their frames.",
            "description": .string(
                "Lengths are points, JSON numbers rounded to thousandths in answers. HEAD works "
                    + "wherever GET does, and OPTIONS answers with Allow. Every answer has a Date "
                    + "and an X-Request-Id. Members and query parameters that are not described "
                    + "here are ignored."),
            "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
        ]
    }

    /// The paths in the order in which their first operations are declared.
    private static var paths: [(String, OpenAPINode)] {
        var order: [String] = []
        var items: [String: [(String, OpenAPINode)]] = [:]
        for operation in Operation.allCases {
            if items[operation.path] == nil { order.append(operation.path) }
            items[operation.path, default: []].append(
                (operation.method.token.lowercased(), operation.node))
        }
        return order.map { ($0, .object(items[$0] ?? [])) }
    }

    private static var schemas: [(String, OpenAPINode)] {
        OpenAPISchemas.page + OpenAPISchemas.layout + OpenAPISchemas.tree + OpenAPISchemas.screens
            + OpenAPISchemas.catalog + OpenAPISchemas.problem
    }
}

/// What operations are grouped by.
enum OperationTag: String, CaseIterable {
    /// Layouts of stored and of posted pages.
    case layouts
    /// Screens and their pages.
    case screens
    /// What the daemon says of itself.
    case daemon

    fileprivate var node: OpenAPINode {
        let text: String =
            switch self {
            case .layouts: "Laid-out trees, of stored pages or of posted ones."
            case .screens: "Screens: paginated view models under a name."
            case .daemon: "What the daemon says of itself."
            }
        return ["name": .string(rawValue), "description": .string(text)]
    }
}
